import TripJournal
import TripModel
import TripProtocol

/// A change request, resolved and ready for `TripCore.change`.
struct ChangeCommand {
    let method: Method
    /// Empty for an undo or redo, and for a repeated commit of a batch.
    var edits: [Edit]
    /// For an undo or redo, the entry that it reverses, and whether the trip is as its commit left it.
    var reversed: (entry: EditLog.Entry, isExactly: Bool)?
    let options: ChangeOptions
    let principal: Principal
    let ticket: Ticket
    /// Distinguishes a retry from another request; used only with a `seq`.
    let fingerprint: UInt64
    /// The slugs in the edits that other trips use.
    let takenSlugs: Set<String>
    /// The time of the change, for `modifiedAt`.
    let at: Timestamp

    /// True if the change only moves one item.
    var onlyMoves: Bool { method == .moveItem || method == .drop }
}

extension ChangeCommand {
    init(
        _ change: ChangeRequest, _ call: Call, by principal: Principal, takenSlugs: Set<String> = [],
        at moment: Timestamp
    ) {
        self.init(
            method: change.method, edits: change.edits, options: change.options, principal: principal,
            ticket: call.ticket, fingerprint: call.fingerprint, takenSlugs: takenSlugs, at: moment)
    }
}

extension TripCore {
    /// Validates, applies and appends a change in one synchronous step; the answer follows when the journal
    /// has stored it.
    ///
    /// - Parameter after: effects that follow the answer, whatever it is.
    mutating func change(_ command: ChangeCommand, after: [Effect] = []) -> [Effect] {
        let ticket = command.ticket
        if let again = repeated(command, after: after) { return again }
        if isDeleted { return release([.answer(ticket, line(ticket, .noTrip(.id(id))))] + after) }
        // A repeated commit of a batch that was never committed: its operations are gone.
        if command.method == .commitBatch, command.edits.isEmpty {
            return release([.answer(ticket, line(ticket, .noBatch))] + after)
        }
        let options = command.options
        var guarding = EditGuard()
        guarding.isReadOnly = !command.principal.may(command.method)
        guarding.heldItems = room.leases.items(heldByOthersThan: command.principal.connection)
        guarding.tripVersion = options.ifVersion
        guarding.itemVersion = options.ifItemVersion
        guarding.takenSlugs = command.takenSlugs
        let author = Author(name: command.principal.user, at: command.at)
        do throws(EditFailure) {
            if !options.isDryRun, let error = storageError {
                return release([.answer(ticket, line(ticket, error))] + after)
            }
            let size = mayBeTooLarge(command) ? CommitSize(isBrief: recordFormat >= 2, command) : nil
            var refusal: WireError?
            func isAccepted(_ commit: Commit) -> Bool {
                refusal = size?.refusal(of: commit)
                return refusal == nil && !options.isDryRun
            }
            let commit =
                if let (entry, isExactly) = command.reversed {
                    try trip.apply(
                        reversing: entry.commit, exactly: isExactly, by: author, guardedBy: guarding,
                        ifAccepted: isAccepted)
                } else {
                    try trip.apply(command.edits, by: author, guardedBy: guarding, ifAccepted: isAccepted)
                }
            if let refusal {
                return release([.answer(ticket, line(ticket, refusal))] + after)
            }
            if options.isDryRun { return release([.answer(ticket, dryAnswer(command, commit))] + after) }
            // An undo without effect is recorded too, so that it can be redone.
            if commit.isNoop, command.reversed == nil {
                return release(
                    [.answer(ticket, ServerLine.reply(ticket.request, answer(to: command, commit)))]
                        + after)
            }
            return append(commit, command, after: after)
        } catch {
            let error = discarding(command, for: wireError(error, command))
            return release([.answer(ticket, line(ticket, error))] + after)
        }
    }

    /// True if the change could exceed a size limit and must be measured.
    ///
    /// A change of the trip itself, an undo or a redo may change everything. Any other change writes at most
    /// its line, escaped, and the items that it names.
    private func mayBeTooLarge(_ command: ChangeCommand) -> Bool {
        // The number of a batch's lines is unknown here.
        switch command.method {
        case .undo, .redo, .commitBatch: return true
        default: break
        }
        if command.edits.count == 1, command.edits.first?.item != nil { return false }
        var size =
            CommitSize.recordBytes + CommitSize.placedBytes * TripLimits.items + 2 * WireLimits.lineBytes
        for edit in command.edits {
            guard let id = edit.item else { return true }
            size += trip[id]?.encodedBytes ?? 0
        }
        return size > WireLimits.changeBytes
    }

    /// The answer to a retry; nil if the change is not a retry.
    mutating func repeated(_ command: ChangeCommand, after: [Effect] = []) -> [Effect]? {
        guard let seq = command.options.seq, !command.options.isDryRun,
            command.principal.may(command.method)
        else { return nil }
        let ticket = command.ticket
        switch verdict(
            client: command.principal.repeater, seq: seq, fingerprint: command.fingerprint)
        {
        case .new: return nil
        case .again(let result, let version):
            let effects = [Effect.answer(ticket, ServerLine.reply(ticket.request, encoded: result))] + after
            // The answer waits only for its own version. Otherwise it would fail together with later changes
            // in flight, as if it had not been applied.
            return release(effects, with: version)
        case .applied(let version):
            let line = ServerLine.reply(ticket.request, encoded: EncodedChange.repeated(version: version))
            return [.answer(ticket, line)] + after
        case .reused:
            let error = WireError(
                .sequenceReuse, "seq \(seq) was used for another request; a new request needs a higher number"
            )
            return release([.answer(ticket, line(ticket, error))] + after)
        case .tooOld:
            let error = WireError(
                .sequenceTooOld, "seq \(seq) is below a number that was applied, but was not applied itself")
            return release([.answer(ticket, line(ticket, error))] + after)
        }
    }

    private mutating func append(_ commit: Commit, _ command: ChangeCommand, after: [Effect]) -> [Effect] {
        let mayChangeProblems = commit.mayChangeProblems(of: trip)
        let sendsDelta = encodesDelta(of: commit, mayChangeProblems)
        let removed = commit.changes.count(where: \.isRemoval)
        let edited = commit.changes.count(where: \.isEdit) - removed
        let encoded = commit.changes.map { $0.after?.encoded() ?? [] }
        let shifted = sendsDelta ? commit.shifts.map { trip[$0.id]?.encoded() ?? [] } : []
        let answer = answer(to: command, commit, encoded: encoded)
        let retry = command.options.seq.map {
            CommitRecord.Retry(seq: $0, fingerprint: command.fingerprint)
        }
        var record = CommitRecord(
            at: command.at, user: command.principal.user, client: command.principal.repeater,
            person: command.principal.person, author: command.principal.encodedAuthor,
            method: command.method.rawValue,
            undoes: command.reversed?.entry.commit.version, retry: retry)
        record.isExact = command.reversed?.isExactly ?? false
        if recordFormat >= 3 {
            record.headerValues = commit.header?.after
        } else if commit.header != nil {
            record.header = trip.header
        }
        var repeatable: (client: ClientID, answer: RetryTable.Answer)?
        if let retry {
            let follows =
                recordFormat >= 2 && commit.respacedDays.isEmpty
                && record.answerFollows(
                    command.method, edited: edited,
                    placed: commit.changes.count - edited - removed + commit.shifts.count, removed: removed)
            let content: RetryTable.Answer.Content =
                if !follows {
                    .result(answer.result())
                } else if commit.header != nil {
                    .header(trip.header)
                } else {
                    commit.changes.first?.after.map { .item($0) } ?? .nothing
                }
            let cached = RetryTable.Answer(
                seq: retry.seq, fingerprint: retry.fingerprint, version: commit.version, content)
            if !follows { record.retry?.result = cached.result }
            repeatable = (command.principal.repeater, cached)
        }
        let payload = record.payload(
            of: commit, encoded: encoded,
            placesOnly: CommitSize(isBrief: recordFormat >= 2, command).writesPlacesOnly(commit))
        storageRequests.append(.append(version: commit.version, payload: payload))
        let cause = Cause(
            user: command.principal.user, clientID: command.principal.client, method: command.method.rawValue)
        let entry = EditLog.Entry(
            commit, reversing: command.reversed?.entry, exactly: record.isExact, in: state)
        let provenance = EditLog.Provenance(
            at: command.at, user: cause.user, editor: command.principal.editor,
            kind: EditLog.Kind(method: cause.method), cause: cause, undoes: record.undoes)
        let line = ServerLine.reply(command.ticket.request, answer)
        let delta =
            sendsDelta
            ? durable.delta(
                commit, encoded: shifted.isEmpty ? encoded : encoded + shifted,
                includesProblems: mayChangeProblems, cause: cause,
                in: trip)
            : nil
        let heldBytes =
            payload.count + (delta?.count ?? 0) + Self.changeBytes * commit.changes.count
            + MemoryLayout<Shift>.stride * commit.shifts.count
        let pending = PendingCommit(
            commit: commit, editor: command.principal.editor, line: .init(by: provenance, entry: entry),
            repeatable: repeatable, mayChangeProblems: mayChangeProblems, delta: delta,
            ticket: command.ticket, answer: line, after: after)
        endDrags(of: commit)
        inFlight.append(.commit(pending), at: commit.version)
        return [.reserveBytes(command.ticket, bytes: line.count + heldBytes)]
    }

    /// The approximate memory of a one-item change until it is durable, besides its record: the states before
    /// and after it, which share their texts, and its encoded bytes.
    private static let changeBytes = 512

    /// The maximum number of items that are looked at for problems for the commits of one write.
    private static let problemItems = 2_000

    /// True if a commit is encoded at once for subscribers in delta mode: there are such subscribers, it fits
    /// into the cached lines, and not too many items are looked at for problems. Otherwise it is merged and
    /// encoded when it is sent, on a worker if it is long.
    private mutating func encodesDelta(of commit: Commit, _ mayChangeProblems: Bool) -> Bool {
        guard room.hasDeltaReaders else { return false }
        let texts =
            commit.changes.reduce(0) { $0 + ($1.after?.textBytes ?? 0) }
            + commit.shifts.reduce(0) { $0 + (trip[$1.id]?.textBytes ?? 0) }
        let count = commit.changes.count + commit.shifts.count
        guard texts + DurableState.leastItemBytes * count <= DeltaLines.maximumBytes else { return false }
        if mayChangeProblems {
            guard scannedProblemItems + trip.plannedCount <= Self.problemItems else { return false }
            scannedProblemItems += trip.plannedCount
        }
        return true
    }

    /// Ends the drags of items that a commit removes; only their own holder can have removed them.
    private mutating func endDrags(of commit: Commit) {
        if room.leases.isEmpty { return }
        for change in commit.changes where change.isRemoval {
            room.leases.end(change.id, withCommit: commit.version)
        }
    }

    /// The effects of a removal on a drag of the item.
    static func itemRemoved(_ lease: Lease) -> [Effect] {
        let holder = lease.holder.connection
        return [
            .notify(holder, ServerLine.dragEnded(lease.drag, item: lease.item, reason: .itemRemoved)),
            .dragOver(holder, lease.drag, expired: false), .resumeUpdates(holder),
        ]
    }

    var storageError: WireError? {
        switch storage {
        case .working, .full: nil
        case .failed:
            WireError(.storageFailed, "the disk failed; nothing can be changed until the daemon is restarted")
        }
    }

    func line(_ ticket: Ticket, _ error: WireError) -> [UInt8] { ServerLine.error(ticket.request, error) }

    // MARK: Answers

    private func wireError(_ failure: EditFailure, _ command: ChangeCommand) -> WireError {
        let edit = command.edits.indices.contains(failure.index) ? command.edits[failure.index] : nil
        let isBatch = command.method == .apply || command.method == .commitBatch
        let prefix = (isBatch ? "ops[\(failure.index)]." : "") + (edit?.fieldPrefix ?? "")
        let error = WireError(failure.rejection, in: trip, prefix: prefix) { item in
            room.leases.byItem[item]?.holder.user ?? "somebody"
        }
        return isBatch ? error.with(.opIndex(failure.index)) : error
    }

    private func dryAnswer(_ command: ChangeCommand, _ commit: Commit) -> [UInt8] {
        let encoded = commit.changes.map { $0.after?.encoded() ?? [] }
        return ServerLine.reply(
            command.ticket.request,
            answer(to: command, commit, encoded: encoded, version: trip.version))
    }

    /// The answer to a change, in the form of its method.
    ///
    /// - Parameter encoded: the bytes of the items, in the order of the commit's changes.
    private func answer(
        to command: ChangeCommand, _ commit: Commit, encoded: [[UInt8]] = [], version: Int? = nil
    ) -> EncodedChange {
        EncodedChange(
            version: version ?? commit.version, isNoop: commit.isNoop && command.reversed == nil,
            body: body(command, commit, encoded), respacedDays: commit.respacedDays)
    }

    private func body(
        _ command: ChangeCommand, _ commit: Commit, _ encoded: [[UInt8]]
    ) -> EncodedChange.Body {
        switch command.method {
        case .updateTrip, .accept, .todo:
            let places = commit.places
            return .trip(
                commit.header?.after.applied(to: trip.header) ?? trip.header,
                moved: commit.displaced.compactMap { places[$0].map { encoded[$0] } })
        // Re-spaced items are only named by their day, because a whole day of them would make the answer unbounded.
        case .apply, .commitBatch: return .items(encoded.filter { !$0.isEmpty })
        case .undo, .redo:
            return .reversed(summary: command.reversed?.entry.summary, encoded.filter { !$0.isEmpty })
        case .removeItem: return .nothing
        default:
            guard let id = command.edits.first?.item else { return .nothing }
            let place = commit.changes.firstIndex { $0.id == id && !$0.isRemoval }
            return .item(place.map { encoded[$0] } ?? trip[id]?.encoded())
        }
    }
}

extension Commit {
    /// The index of each item among the changes.
    fileprivate var places: [ItemID: Int] {
        Dictionary(uniqueKeysWithValues: changes.indices.map { (changes[$0].id, $0) })
    }
}

/// The size limits of a commit's record and of the record of its undo.
///
/// A change is measured together with its undo, so that no undo exceeds a limit. An older daemon did not do
/// this: the undo of its change may be too large for the journal.
struct CommitSize {
    private let isBrief: Bool
    private let onlyMoves: Bool
    private let isUndo: Bool

    /// Maximum bytes of an item of which only the place is recorded.
    static let placedBytes = 160
    // Maximum bytes of the rest of the record. The answer is counted even without a `seq`, so that a client
    // that retries may change as much.
    static let recordBytes = 16 * 1024 + RetryTable.maximumAnswerBytes

    /// - Parameter isBrief: whether the record omits derivable data, as from format 2.
    init(isBrief: Bool, _ command: ChangeCommand) {
        self.isBrief = isBrief
        onlyMoves = command.onlyMoves
        isUndo = command.reversed != nil
    }

    /// True if the record contains only the places of the edited items.
    func writesPlacesOnly(_ commit: Commit) -> Bool {
        isBrief
            && (onlyMoves
                || commit.changes.allSatisfy {
                    !$0.isEdit || $0.isRemoval || $0.before?.content == $0.after?.content
                })
    }

    /// Returns an error if the commit or its undo would be too large, or if it makes an item too large.
    func refusal(of commit: Commit) -> WireError? {
        let writesPlaces = writesPlacesOnly(commit)
        var size = Self.recordBytes + Self.placedBytes * commit.shifts.count
        for change in commit.changes {
            guard let item = change.after, change.isEdit, !writesPlaces else {
                size += Self.placedBytes
                continue
            }
            let count = item.stored(item.encoded()).count
            if count > TripLimits.itemBytes, !isUndo {
                return .limit(
                    "itemBytes", max: TripLimits.itemBytes,
                    "\(item.content.title): an item has at most \(TripLimits.itemBytes) bytes, not \(count)")
            }
            size += count
        }
        if isUndo {
            guard size > JournalFormat.maximumPayload else { return nil }
            return .limit(
                "undoBytes", max: WireLimits.undoBytes, "it would restore \(size) bytes of items at once")
        }
        guard size <= WireLimits.changeBytes else {
            return .limit(
                "changeBytes", max: WireLimits.changeBytes,
                "it would change \(size) bytes of items at once; do it in smaller steps")
        }
        let undoSize =
            writesPlaces && !commit.changes.contains(where: \.isRemoval) ? 0 : Self.undoSize(of: commit)
        guard undoSize > WireLimits.undoBytes else { return nil }
        return .limit(
            "undoBytes", max: WireLimits.undoBytes,
            "its undo would restore \(undoSize) bytes of items at once; do it in smaller steps")
    }

    /// The maximum number of bytes that the undo of a commit writes.
    private static func undoSize(of commit: Commit) -> Int {
        let items = commit.changes.lazy.filter(\.isEdit).compactMap(\.before)
        let estimate = items.reduce(0) { $0 + $1.encodedBytes }
        return estimate <= WireLimits.undoBytes
            ? estimate : items.reduce(0) { $0 + $1.stored($1.encoded()).count }
    }
}
