import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// The user's intents and their outcomes.
extension LiveTripCore {
    /// Performs an intent.
    ///
    /// - Parameters:
    ///   - id: the caller's unique id for it, which `resolved` contains.
    ///   - at: the current time, for the shown trip; the daemon uses its own.
    package mutating func perform(
        _ intent: Intent, id: Int, at: Timestamp, now: Duration, options: LiveTrip.ChangeOptions = .init()
    ) -> [Action] {
        handle(at: now) { core in
            switch intent {
            case .edit(let edits):
                core.change(
                    .edits(core.shownTrip.map { edits.anchored(in: $0) } ?? edits), id, at, options,
                    upon: core.shownTrip)
            case .undo: core.change(.undo, id, at, options)
            case .redo: core.change(.redo, id, at, options)
            case .beginDrag(let item): core.beginDrag(of: item, number: id)
            case .hover(let placement): core.hover(placement)
            case .drop(let placement): core.drop(placement, id, at, options)
            case .cancelDrag: core.cancelDrag()
            case .focus(let row): core.point(at: row)
            case .hold: core.hold()
            case .release: core.releaseHold()
            case .ask(let question): core.ask(question, id, options)
            }
        }
    }

    mutating func resolve(_ intent: Int, _ resolution: Resolution) {
        add(.resolved(intent: intent, resolution))
    }

    /// Adds a change: it is shown at once, and sent in order.
    ///
    /// - Parameter meant: the trip that its placements refer to.
    /// - Returns: whether it was accepted.
    @discardableResult
    mutating func change(
        _ body: PendingChange.Body, _ intent: Int, _ at: Timestamp, _ options: LiveTrip.ChangeOptions,
        upon meant: Trip? = nil
    ) -> Bool {
        var change = PendingChange(intent: intent, seq: nextSequence, body: body, at: at)
        change.options = options
        change.deadline = options.timeout.map { now + $0 }
        if let meant { change.lastOfDays = change.edits.lastOfDays(in: meant) }
        if change.isReversal { change.target = target(of: change) }
        if let error = objection(to: &change) {
            resolve(intent, .failed(error))
            return false
        }
        nextSequence += 1
        pending.append(change)
        extendOverlay(with: change)
        pump()
        return true
    }

    /// The unanswered change that an undo or a redo reverses; nil if it reverses an older one.
    private func target(of change: PendingChange) -> Int? {
        var done: [Int] = []
        var undone: [Int] = []
        for other in pending where other.isUnanswered {
            switch other.body {
            case .edits, .drop:
                done.append(other.intent)
                undone = []
            case .undo:
                _ = done.popLast()
                undone.append(other.intent)
            case .redo:
                _ = undone.popLast()
                done.append(other.intent)
            }
        }
        return switch change.body {
        case .undo: done.last
        case .redo: undone.last
        case .edits, .drop: nil
        }
    }

    /// The reason why a change is refused locally.
    private func objection(to change: inout PendingChange) -> ClientError? {
        if case .ended(let error) = connection { return .notMade("\(error)") }
        // After `finish` a dragged item may still be dropped, even if its lease is not granted yet.
        if isFinishing, !change.isDrop { return .notMade("the trip is being closed") }
        if role == .viewer {
            let error = WireError.viewersMayNotChange
            return .refused(
                RemoteError(
                    code: error.reason.code, reason: error.reason.rawValue, message: error.message))
        }
        guard pendingCount < Self.maximumPending, pending.count < Self.maximumRetained else {
            return .notMade("\(Self.maximumPending) changes already wait for the daemon")
        }
        // If a line is too long to be read, the daemon cannot answer it.
        let size =
            change.request(in: reference, acceptsBetween: acceptsBetween)?.line(id: .number(.max)).count ?? 0
        let limit = link.welcome?.limits["lineBytes"] ?? WireLimits.lineBytes
        change.isLong = size > limit || change.edits.count > TripLimits.operations
        return change.isLong ? objectionToUpload(change, of: size) : nil
    }

    // MARK: Sending

    /// Sends everything that may be sent: changes in order, and the requests of the user's drag.
    mutating func pump() {
        guard phase == .live else { return }
        cancelUnwanted()
        let announced = link.welcome?.limits["requestsInFlight"] ?? WireLimits.requestsInFlight
        let room = max(1, min(Self.maximumInFlight, announced / 2))
        var inFlight = pending.count { $0.phase == .sent }
        var open = OpenPlaces()
        for index in pending.indices where pending[index].isUnanswered {
            guard pending[index].phase == .waiting else {
                open.pass(pending[index])
                continue
            }
            guard inFlight < room, link.upload == nil, !isTargetOpen(of: pending[index]),
                !open.mustWait(pending[index])
            else { break }
            if pending[index].isLong {
                uploadChange(index, pending[index].sentEdits(acceptsBetween: acceptsBetween))
                break
            }
            if case .drop(let item, let placement, let number, nil) = pending[index].body {
                guard let drag = drags.take(number) else {
                    if drags.isFree { ask(for: item, number) }
                    break
                }
                pending[index].body = .drop(item, placement, number: number, drag: drag)
            }
            guard let request = pending[index].request(in: reference, acceptsBetween: acceptsBetween) else {
                break
            }
            pending[index].phase = .sent
            pending[index].timesSent += 1
            inFlight += 1
            send(request, expecting: .change(intent: pending[index].intent))
            note()
            open.pass(pending[index])
        }
        if link.upload == nil, !pending.contains(where: { $0.phase == .waiting }) {
            askForWanted(unless: open.isAbsent)
        }
        askQuestions()
        sendHover()
    }

    /// True if the change that an undo or a redo reverses has no answer yet.
    private func isTargetOpen(of change: PendingChange) -> Bool {
        guard let target = change.target else { return false }
        return pending.contains { $0.intent == target && $0.isUnanswered }
    }

    // MARK: Answers

    /// A change was applied.
    mutating func applied(_ intent: Int, _ answer: JSONNode) {
        guard let index = pending.firstIndex(where: { $0.intent == intent }) else { return }
        do throws(WireError) {
            let result = try ChangeResult(result: answer)
            pending[index].phase = .applied(
                version: result.version, epoch: confirmed?.epoch ?? "", isNoop: result.isNoop)
            if !result.isNoop { news.applied(result.version, by: pending[index].edits) }
            followReversal(pending[index], result)
            if pending[index].isReversal, held == nil {
                pending[index].unreported = result
            } else {
                resolve(intent, .changed(result))
            }
            if result.isNoop { failDependents(of: intent) }
        } catch {
            fail(intent, .outcomeUnknown("the daemon's answer is invalid: \(error.message)"))
        }
        // The shown trip contains it already, except for parts that only the daemon knows.
        let isShown = pending.first { $0.intent == intent }?.isReversal == false
        let count = pending.count
        removeContained()
        if isShown, pending.count == count { note() } else { reshape() }
        pump()
    }

    /// An undo was applied: the change that it reverses is no longer shown, until a state contains both.
    private mutating func followReversal(_ change: PendingChange, _ result: ChangeResult) {
        let isUndo: Bool
        switch change.body {
        case .undo: isUndo = true
        case .redo: isUndo = false
        case .edits, .drop: return
        }
        func isMeant(_ other: PendingChange) -> Bool {
            guard case .applied(_, _, isNoop: false) = other.phase, other.isReversed != isUndo else {
                return false
            }
            switch other.body {
            case .edits, .drop: return other.seq < change.seq
            case .undo, .redo: return false
            }
        }
        let index = isUndo ? pending.lastIndex(where: isMeant) : pending.firstIndex(where: isMeant)
        if let index { pending[index].isReversed = isUndo }
    }

    /// A change was refused, or its outcome is unknown.
    mutating func refused(_ intent: Int, _ error: RemoteError) {
        guard let index = pending.firstIndex(where: { $0.intent == intent }) else { return }
        reshape()
        let isRepeat = pending[index].timesSent > 1
        switch error.known {
        case .outcomeUnknown?,
            .storageFailed? where isRepeat:
            // The restarted daemon knows the outcome, and the same number makes a retry safe.
            pending[index].phase = .inDoubt
            return pump()
        case _ where isRepeat && error.leavesRepeatOpen: fail(intent, .outcomeUnknown(error.message))
        case .itemNotFound? where retryAtNewPlace(index), .anchorMoved? where retryAtNewPlace(index),
            .dayOutOfRange? where retryAtNewPlace(index):
            break
        case .sequenceTooOld? where isRepeat:
            // Few changes are in flight, so the daemon would still know an applied one.
            fail(
                intent, .notMade("it was refused or had no effect; the reason was lost with the connection"))
        // The drag was lost before the drop arrived, but its place is still valid.
        case .dragNotFound? where makeMove(of: index), .leaseExpired? where makeMove(of: index): break
        default: fail(intent, .refused(error))
        }
        pump()
    }

    /// Ends a change that was not applied, or may not have been.
    mutating func fail(_ intent: Int, _ error: ClientError) {
        resolve(intent, .failed(error))
        if let index = pending.firstIndex(where: { $0.intent == intent }) { pending.remove(at: index) }
        reshape()
        failDependents(of: intent)
    }

    /// Ends undos and redos of a change that has no effect: they would reverse a different one.
    private mutating func failDependents(of intent: Int) {
        while let dependent = pending.first(where: { $0.target == intent && $0.isUnanswered }) {
            fail(dependent.intent, .notMade("the change that it depends on had no effect"))
        }
    }

    /// Replaces a drop whose drag is lost by a plain move with a new number. Returns whether it was a drop.
    private mutating func makeMove(of index: Int) -> Bool {
        guard case .drop(let item, let placement, _, _) = pending[index].body else { return false }
        pending[index].body = .edits([.move(item, to: placement)])
        retry(index)
        return true
    }

    /// Retries a change with a new number if a neighbour or the day of its place is gone. The new place is the
    /// neighbour below if the daemon accepts only one, the day's end if there was none below or if no neighbour of a
    /// new item is left, or the last day if its own is gone. Returns whether there is such a place.
    private mutating func retryAtNewPlace(_ index: Int) -> Bool {
        let change = pending[index]
        let edits = confirmed.map { change.editsWithoutLostAnchors(in: $0.trip) } ?? change.edits
        let changesSide = !acceptsBetween && change.anchorSide == .above && edits.contains(where: \.isBetween)
        guard changesSide || edits != change.edits else { return false }
        pending[index].body = .edits(edits)
        if changesSide { pending[index].anchorSide = .below }
        retry(index)
        return true
    }

    /// Sends a change again with a new number, because it certainly was not applied. It keeps its position
    /// before all unsent changes, which have waited for it if they depend on it.
    private mutating func retry(_ index: Int) {
        var change = pending.remove(at: index)
        change.phase = .waiting
        change.timesSent = 0
        let next = pending.firstIndex { $0.isUnanswered && $0.timesSent == 0 }
        let place = next ?? pending.endIndex
        pending.insert(change, at: place)
        // Numbers that were never sent can be reused.
        let free = pending[(place + 1)...].map(\.seq) + [nextSequence]
        nextSequence += 1
        for (index, seq) in zip(pending.indices[place...], free) { pending[index].seq = seq }
        reshape()
    }

    /// Removes changes that the shown state contains, and those of a history that no longer exists.
    mutating func removeContained() {
        guard let newest = confirmed else { return }
        let shown = held ?? newest
        func isContained(_ change: PendingChange) -> Bool {
            guard case .applied(let version, let epoch, _) = change.phase else { return false }
            // During a drag the shown state may be of the history before a restored backup, which contains
            // none of the newer changes.
            if epoch == newest.epoch, epoch != shown.epoch { return false }
            return epoch != shown.epoch || version <= shown.version
        }
        reportReversals(where: isContained)
        pending.removeAll(where: isContained)
    }

    /// Reports answered undos and redos to their callers. If the history that contained one no longer exists, it may be
    /// lost.
    mutating func reportReversals(where isReady: (PendingChange) -> Bool = { _ in true }) {
        for index in pending.indices where isReady(pending[index]) {
            guard let result = pending[index].unreported,
                case .applied(_, let epoch, _) = pending[index].phase
            else { continue }
            pending[index].unreported = nil
            let isLost = confirmed.map { $0.epoch != epoch } ?? false
            let lost = ClientError.outcomeUnknown(
                "the daemon has lost its last changes, or a backup was restored")
            resolve(pending[index].intent, isLost ? .failed(lost) : .changed(result))
        }
    }

    /// Marks every applied change as contained in the newest state, whatever its version: a daemon that had
    /// to return to an earlier version has reported this.
    mutating func containApplied() {
        guard let newest = confirmed else { return }
        reportReversals { change in
            if case .applied(_, newest.epoch, _) = change.phase { false } else { true }
        }
        for index in pending.indices {
            guard case .applied(let version, _, let isNoop) = pending[index].phase else { continue }
            pending[index].phase = .applied(
                version: min(version, newest.version), epoch: newest.epoch, isNoop: isNoop)
        }
    }
}
