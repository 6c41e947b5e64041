import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// What the user wants, and what becomes of it.
extension LiveTripCore {
    /// The user wants something.
    ///
    /// - Parameters:
    ///   - id: the caller's name for it, which `settled` tells; no other intent has it.
    ///   - at: the moment, for the shown trip; the daemon takes its own.
    package mutating func perform(
        _ intent: Intent, id: Int, at: Timestamp, now: Duration, options: LiveChangeOptions = .init()
    ) -> [Action] {
        handle(at: now) { core in
            switch intent {
            case .edit(let edits):
                core.change(
                    .edits(core.shownTrip.map { edits.firm(in: $0) } ?? edits), id, at, options,
                    upon: core.shownTrip)
            case .undo: core.change(.undo, id, at, options)
            case .redo: core.change(.redo, id, at, options)
            case .beginDrag(let item): core.beginDrag(of: item, number: id)
            case .hover(let placement): core.hover(placement)
            case .drop(let placement): core.drop(placement, id, at, options)
            case .cancelDrag: core.cancelDrag()
            case .focus(let item): core.point(at: item)
            case .hold: core.hold()
            case .release: core.releaseHold()
            case .ask(let question): core.ask(question, id, options)
            }
        }
    }

    mutating func settle(_ intent: Int, _ settlement: Settlement) {
        add(.settled(intent: intent, settlement))
    }

    /// Takes a change on: it is shown at once, and sent in its turn.
    ///
    /// - Parameter meant: the trip that it was meant upon, where it puts something somewhere.
    /// - Returns: whether it was taken.
    @discardableResult
    mutating func change(
        _ body: PendingChange.Body, _ intent: Int, _ at: Timestamp, _ options: LiveChangeOptions,
        upon meant: Trip? = nil
    ) -> Bool {
        var change = PendingChange(intent: intent, seq: nextSequence, body: body, at: at)
        change.options = options
        change.deadline = options.timeout.map { now + $0 }
        if let meant { change.lastOfDays = change.edits.lastOfDays(in: meant) }
        if change.isTakingBack { change.target = target(of: change) }
        if let error = objection(to: &change) {
            settle(intent, .failed(error))
            return false
        }
        nextSequence += 1
        pending.append(change)
        extendOverlay(with: change)
        pump()
        return true
    }

    /// Which of the changes that are not answered an undo or a redo is for; nil where it is for what was before them.
    private func target(of change: PendingChange) -> Int? {
        var done: [Int] = []
        var takenBack: [Int] = []
        for other in pending where other.isUnanswered {
            switch other.body {
            case .edits, .drop:
                done.append(other.intent)
                takenBack = []
            case .undo:
                _ = done.popLast()
                takenBack.append(other.intent)
            case .redo:
                _ = takenBack.popLast()
                done.append(other.intent)
            }
        }
        return switch change.body {
        case .undo: done.last
        case .redo: takenBack.last
        case .edits, .drop: nil
        }
    }

    /// Why a change is not even tried.
    private func objection(to change: inout PendingChange) -> ClientError? {
        if case .ended(let error) = connection { return .notMade("\(error)") }
        // Who closes with an item in hand may still put it down, as soon as it is granted.
        if isFinishing, !change.isDrop { return .notMade("the trip is being closed") }
        if role == .viewer {
            let error = WireError.viewersMayNotChange
            return .refused(
                RemoteError(
                    code: error.reason.code, reason: error.reason.rawValue, message: error.message))
        }
        guard pendingCount < Self.maximumPending, pending.count < Self.maximumKept else {
            return .notMade("\(Self.maximumPending) changes wait for the daemon already")
        }
        // A daemon that cannot read a line cannot say whose it was.
        let size = change.request(in: reference, takesBoth: takesBoth)?.line(id: .number(.max)).count ?? 0
        let limit = welcome?.limits["lineBytes"] ?? WireLimits.lineBytes
        change.isLong = size > limit || change.edits.count > TripLimits.operations
        return change.isLong ? objectionToBringing(change, of: size) : nil
    }

    // MARK: Sending

    /// Sends what may be sent: changes in their order, and what the user's drag needs.
    mutating func pump() {
        guard phase == .live else { return }
        giveBackUnwanted()
        let announced = welcome?.limits["requestsInFlight"] ?? WireLimits.requestsInFlight
        let room = max(1, min(Self.maximumInFlight, announced / 2))
        var underWay = pending.count { $0.phase == .sent }
        var open = OpenPlaces()
        for index in pending.indices where pending[index].isUnanswered {
            guard pending[index].phase == .waiting else {
                open.pass(pending[index])
                continue
            }
            guard underWay < room, bringing == nil, !isTargetOpen(of: pending[index]),
                !open.holdBack(pending[index])
            else { break }
            if pending[index].isLong {
                bring(index, pending[index].sentEdits(takesBoth: takesBoth))
                break
            }
            if case .drop(let item, let placement, let number, nil) = pending[index].body {
                guard let drag = drags.take(number) else {
                    if drags.isFree { ask(for: item, number) }
                    break
                }
                pending[index].body = .drop(item, placement, number: number, drag: drag)
            }
            guard let request = pending[index].request(in: reference, takesBoth: takesBoth) else { break }
            pending[index].phase = .sent
            pending[index].timesSent += 1
            underWay += 1
            send(request, expecting: .change(intent: pending[index].intent))
            note()
            open.pass(pending[index])
        }
        if bringing == nil, !pending.contains(where: { $0.phase == .waiting }) {
            askForWanted(unless: open.isAbsent)
        }
        askQuestions()
        tellHover()
    }

    /// Whether what a change takes back, or makes again, is not answered.
    private func isTargetOpen(of change: PendingChange) -> Bool {
        guard let target = change.target, !PlantedBug.askedAnewLast.isPlanted else { return false }
        return pending.contains { $0.intent == target && $0.isUnanswered }
    }

    // MARK: Answers

    /// A change is made.
    mutating func made(_ intent: Int, _ answer: JSONNode) {
        guard let index = pending.firstIndex(where: { $0.intent == intent }) else { return }
        do throws(WireError) {
            let result = try ChangeResult(result: answer)
            pending[index].phase = .made(
                version: result.version, epoch: confirmed?.epoch ?? "", isNoop: result.isNoop)
            if !result.isNoop { news.made(result.version, by: pending[index].edits) }
            followTakingBack(pending[index], result)
            settle(intent, .changed(result))
            if result.isNoop { giveUpDependents(of: intent) }
        } catch {
            giveUp(intent, .outcomeUnknown("the daemon's answer makes no sense: \(error.message)"))
        }
        // What is shown has it already, but for what only the daemon knows.
        let isShown = pending.first { $0.intent == intent }?.isTakingBack == false
        let count = pending.count
        forgetContained()
        if isShown, pending.count == count { note() } else { reshape() }
        pump()
    }

    /// An undo is made: what it took back is not to be shown any more, while what is shown is older than both.
    private mutating func followTakingBack(_ change: PendingChange, _ result: ChangeResult) {
        let isUndo: Bool
        switch change.body {
        case .undo: isUndo = true
        case .redo: isUndo = false
        case .edits, .drop: return
        }
        func isMeant(_ other: PendingChange) -> Bool {
            guard case .made(_, _, isNoop: false) = other.phase, other.isTakenBack != isUndo else {
                return false
            }
            switch other.body {
            case .edits, .drop: return other.seq < change.seq
            case .undo, .redo: return false
            }
        }
        let index = isUndo ? pending.lastIndex(where: isMeant) : pending.firstIndex(where: isMeant)
        if let index { pending[index].isTakenBack = isUndo }
    }

    /// A change is not made, or nobody knows.
    mutating func refused(_ intent: Int, _ error: RemoteError) {
        guard let index = pending.firstIndex(where: { $0.intent == intent }) else { return }
        reshape()
        let isRepeat = pending[index].timesSent > 1
        switch error.known {
        case .outcomeUnknown?,
            .storageFailed? where isRepeat:
            // The daemon that is started next knows; the same number makes it safe to ask.
            pending[index].phase = .inDoubt
            return pump()
        case _ where isRepeat && error.leavesRepeatOpen: giveUp(intent, .outcomeUnknown(error.message))
        case .itemNotFound? where askElsewhere(index), .anchorMoved? where askElsewhere(index),
            .dayOutOfRange? where askElsewhere(index):
            break
        case .sequenceTooOld? where isRepeat:
            // Too few are under way for an answer to a change that was made to be forgotten.
            giveUp(
                intent, .notMade("it was refused, or there was nothing to change; why was lost on the way"))
        // The drag was lost before the drop arrived. The place is still meant.
        case .dragNotFound? where makeMove(of: index), .leaseExpired? where makeMove(of: index): break
        default: giveUp(intent, .refused(error))
        }
        pump()
    }

    /// Ends a change that is not made, or not known to be.
    mutating func giveUp(_ intent: Int, _ error: ClientError) {
        settle(intent, .failed(error))
        let isWrong = PlantedBug.refusalTakesOldest.isPlanted
        let index = isWrong ? pending.firstIndex(where: \.isUnanswered) : nil
        if let index = index ?? pending.firstIndex(where: { $0.intent == intent }) {
            pending.remove(at: index)
        }
        reshape()
        giveUpDependents(of: intent)
    }

    /// Ends what was to take back a change that has come to nothing: it would take back another one.
    private mutating func giveUpDependents(of intent: Int) {
        while let dependent = pending.first(where: { $0.target == intent && $0.isUnanswered }) {
            giveUp(dependent.intent, .notMade("what it was for has changed nothing"))
        }
    }

    /// Makes a plain move, under a new number, of a drop whose drag is no more; whether it was one.
    private mutating func makeMove(of index: Int) -> Bool {
        guard case .drop(let item, let placement, _, _) = pending[index].body else { return false }
        pending[index].body = .edits([.move(item, to: placement)])
        askAnew(index)
        return true
    }

    /// Asks for a change once more, under a new number, where a neighbour or a day has gone by which its place was named:
    /// by the neighbour below, where the daemon takes only one, by the day's end, where there was none below or, for what is
    /// new, none is left, and by that of the last day where its own has gone; whether there is such a place.
    private mutating func askElsewhere(_ index: Int) -> Bool {
        let change = pending[index]
        let edits = confirmed.map { change.editsElsewhere(in: $0.trip) } ?? change.edits
        let leans = !takesBoth && change.leaning == .above && edits.contains(where: \.isBetween)
        guard leans || edits != change.edits else { return false }
        pending[index].body = .edits(edits)
        if leans { pending[index].leaning = .below }
        askAnew(index)
        return true
    }

    /// Sends a change again as another one: it is certain that it was not made. It keeps its place before all that was not
    /// sent yet, which has waited for it where it depends on it.
    private mutating func askAnew(_ index: Int) {
        var change = pending.remove(at: index)
        change.phase = .waiting
        change.timesSent = 0
        let isLast = PlantedBug.askedAnewLast.isPlanted
        let next = isLast ? nil : pending.firstIndex { $0.isUnanswered && $0.timesSent == 0 }
        let place = next ?? pending.endIndex
        pending.insert(change, at: place)
        // Numbers that were never sent are free.
        let free = pending[(place + 1)...].map(\.seq) + [nextSequence]
        nextSequence += 1
        for (index, seq) in zip(pending.indices[place...], free) { pending[index].seq = seq }
        reshape()
    }

    /// Forgets changes that what is shown contains, and those that no history has any more.
    mutating func forgetContained() {
        guard let newest = confirmed else { return }
        let shown = held ?? newest
        pending.removeAll { change in
            guard case .made(let version, let epoch, _) = change.phase else { return false }
            // A held state may be of the history before a restored backup, which contains nothing that was made since.
            if epoch == newest.epoch, epoch != shown.epoch { return false }
            return epoch != shown.epoch || version <= shown.version
        }
    }

    /// The newest state contains every change that is made, whatever version it was given: a daemon that had to
    /// go back to an earlier one has told so.
    mutating func containMade() {
        guard let newest = confirmed else { return }
        for index in pending.indices {
            guard case .made(let version, _, let isNoop) = pending[index].phase else { continue }
            pending[index].phase = .made(
                version: min(version, newest.version), epoch: newest.epoch, isNoop: isNoop)
        }
    }
}
