import TripModel
import TripProtocol

/// What an undo or redo is about.
struct TakingBack {
    let kind: EditLog.Kind
    let entry: EditLog.Entry
    let reversal: Reversal
}

/// A change as the trip's owner takes it.
struct ChangeCommand {
    let method: Method
    /// None for an undo or redo, and for the repeat of a commit on the connection that had the batch.
    var edits: [Edit]
    /// Of an undo or redo, which has no edits.
    var takingBack: TakingBack?
    let options: ChangeOptions
    let principal: Principal
    let ticket: Ticket
    /// Tells a repeat of a request from another one; only where there is a `seq`.
    let fingerprint: UInt64
    /// Slugs of other trips among those that the edits name.
    let takenSlugs: Set<String>
    /// The moment, for `modifiedAt`.
    let at: Timestamp

    /// Whether it moves one item, and does nothing else to it.
    var onlyMoves: Bool { method == .moveItem || method == .drop }
}

extension TripCore {
    /// Validates, applies and appends a change, without a suspension in between; the answer follows when the
    /// journal has it.
    ///
    /// - Parameter after: what is to follow the answer, whatever it is.
    mutating func change(_ command: ChangeCommand, after: [Effect] = []) -> [Effect] {
        let ticket = command.ticket
        if let again = repeated(command, after: after) { return again }
        if isDeleted { return release([.answer(ticket, tripNotFound(ticket))] + after) }
        // The repeat of a commit that was never made: its operations are gone.
        if command.method == .commitBatch, command.edits.isEmpty {
            return release([.answer(ticket, line(ticket, .noBatch))] + after)
        }
        let options = command.options
        var guarding = EditGuard()
        guarding.isReadOnly = !command.principal.may(command.method)
        guarding.heldItems = leases.items(heldByOthersThan: command.principal.connection)
        guarding.tripVersion = options.ifVersion
        guarding.itemVersion = options.ifItemVersion
        guarding.takenSlugs = command.takenSlugs
        let author = Author(name: command.principal.user, at: command.at)
        do throws(EditFailure) {
            if !options.isDryRun, let error = storageError {
                return release([.answer(ticket, line(ticket, error))] + after)
            }
            let size = mayBeTooLarge(command) ? CommitSize(isBrief: recordsAreBrief, command) : nil
            var refusal: WireError?
            func isAccepted(_ commit: Commit) -> Bool {
                refusal = size?.refusal(of: commit)
                return refusal == nil && !options.isDryRun
            }
            let commit =
                if let reversal = command.takingBack?.reversal {
                    try trip.apply(reversal, by: author, guardedBy: guarding, ifAccepted: isAccepted)
                } else {
                    try trip.apply(command.edits, by: author, guardedBy: guarding, ifAccepted: isAccepted)
                }
            if let refusal {
                return release([.answer(ticket, line(ticket, refusal))] + after)
            }
            if options.isDryRun { return release([.answer(ticket, dryAnswer(command, commit))] + after) }
            // An undo without effect is recorded too: else its change could not be redone.
            if commit.isNoop, command.takingBack == nil {
                return release(
                    [.answer(ticket, ServerLine.reply(ticket.request, encoded: result(command, commit)))]
                        + after)
            }
            return append(commit, command, after: after)
        } catch {
            let error = givingUp(command, for: wireError(error, command))
            return release([.answer(ticket, line(ticket, error))] + after)
        }
    }

    /// Whether a change could exceed a limit of size, and must be measured.
    ///
    /// A change of the trip itself, an undo and a redo may change everything. Any other change writes no more than its
    /// line, escaped, and the items that it names.
    private func mayBeTooLarge(_ command: ChangeCommand) -> Bool {
        // A batch does not tell how many lines its operations came in.
        switch command.method {
        case .undo, .redo, .commitBatch: return true
        default: break
        }
        if command.edits.count == 1, command.edits.first?.item != nil { return false }
        var size =
            CommitSize.recordBytes + CommitSize.placedBytes * TripLimits.items + 2 * WireLimits.lineBytes
        for edit in command.edits {
            guard let id = edit.item else { return true }
            size += trip[id]?.content.encodedBytes ?? 0
        }
        return size > WireLimits.changeBytes
    }

    /// What a repeat of an acknowledged change gets; nil if the change is not a repeat.
    mutating func repeated(_ command: ChangeCommand, after: [Effect] = []) -> [Effect]? {
        guard let seq = command.options.seq, !command.options.isDryRun,
            command.principal.may(command.method)
        else { return nil }
        let ticket = command.ticket
        switch retries.verdict(
            client: command.principal.repeater, seq: seq, fingerprint: command.fingerprint)
        {
        case .new: return nil
        case .again(let result, let version):
            let effects = [Effect.answer(ticket, ServerLine.reply(ticket.request, encoded: result))] + after
            // It waits for the change that it repeats and for nothing behind it: it would fail with what others have
            // in flight, as if it had not been done.
            return release(effects, with: version)
        case .made(let version):
            let line = ServerLine.reply(ticket.request, encoded: EncodedChange.repeated(version: version))
            return [.answer(ticket, line)] + after
        case .reused:
            let error = WireError(
                .sequenceReuse, "seq \(seq) was another request; a new one needs a higher number")
            return release([.answer(ticket, line(ticket, error))] + after)
        case .tooOld:
            let error = WireError(
                .sequenceTooOld, "seq \(seq) is below a number that was made, and was never made itself")
            return release([.answer(ticket, line(ticket, error))] + after)
        }
    }

    private mutating func append(_ commit: Commit, _ command: ChangeCommand, after: [Effect]) -> [Effect] {
        var encoded: [[UInt8]] = []
        encoded.reserveCapacity(commit.changes.count)
        var upserts: [Item] = []
        var upsertBytes: [[UInt8]] = []
        var moved: [CommitRecord.Placed] = []
        var placed: [CommitRecord.Placed] = []
        var removed: [ItemID] = []
        let isTold = tellsDelta(of: commit)
        // The edited items are in one list: its order is that in which they are sent.
        let writesPlaces = CommitSize(isBrief: recordsAreBrief, command).writesPlacesOnly(commit)
        for change in commit.changes {
            guard let item = change.after else {
                removed.append(change.id)
                encoded.append([])
                continue
            }
            let bytes = isTold || change.isReported ? item.encoded() : []
            encoded.append(bytes)
            if change.isEdit, !writesPlaces {
                upserts.append(item)
                upsertBytes.append(bytes)
            } else if change.isEdit {
                moved.append(.init(id: item.id, position: item.position))
            } else {
                placed.append(.init(id: item.id, position: item.position))
            }
        }
        let answer = result(command, commit, encoded: encoded)
        var retry: CommitRecord.Retry?
        if let seq = command.options.seq {
            let kept = RetryTable.Answer(
                seq: seq, fingerprint: command.fingerprint, version: commit.version, result: answer)
            retry = .init(seq: seq, fingerprint: command.fingerprint, result: kept.result)
            retries.keep(kept, of: command.principal.repeater)
        }
        var record = CommitRecord(
            at: command.at, user: command.principal.user, client: command.principal.repeater,
            person: command.principal.person, method: command.method.rawValue,
            undoes: command.takingBack?.entry.commit.version, retry: retry,
            header: commit.headerBefore == nil ? nil : trip.header, upserts: upserts, moved: moved,
            placed: placed, removed: removed)
        if recordsAreBrief, retry != nil, record.answerFollows(command.method), commit.respacedDays.isEmpty {
            record.retry?.result = nil
        }
        let payload = record.payload(encoded: upsertBytes)
        storageRequests.append(.append(version: commit.version, payload: payload))
        let cause = Cause(
            user: command.principal.user, clientID: command.principal.client, method: command.method.rawValue)
        edits.record(
            commit, .init(method: cause.method), undoes: command.takingBack?.entry.commit.version,
            editor: command.principal.editor, user: cause.user, at: command.at)
        let line = ServerLine.reply(command.ticket.request, encoded: answer)
        durable.know(encoded, of: commit)
        let delta = isTold ? durable.delta(commit, encoded: encoded, cause: cause, in: trip) : nil
        let heldBytes =
            payload.count + (delta?.bytes.count ?? 0) + Self.changeBytes * commit.changes.count
        let pending = PendingCommit(
            commit: commit, cause: cause, delta: delta, ticket: command.ticket, answer: line,
            after: after)
        endDrags(of: commit)
        releases.append(Release(version: commit.version, body: .commit(pending)))
        return [.owe(command.ticket, bytes: line.count + heldBytes)]
    }

    /// Bytes that a change of one item takes until it is on the disk, besides those of its record: it is held with the
    /// states before and after it, whose texts are shared, and with the bytes that are sent of it.
    private static let changeBytes = 512

    /// Items that may be gone through for the problems that the commits of one write tell.
    private static let problemItems = 20_000

    /// Whether a commit is encoded at once for those who read deltas: not if nobody does, if it is larger than the lines that
    /// are kept, or if problems have been gone through for too many commits. Then it is encoded when it is sent, merged.
    private mutating func tellsDelta(of commit: Commit) -> Bool {
        guard !deltaReaders.isEmpty else { return false }
        var bytes = 0
        for change in commit.changes {
            bytes += DurableState.leastItemBytes + (change.after?.content.textBytes ?? 0)
            if bytes > DeltaLog.maximumLineBytes { return false }
        }
        if commit.mayChangeProblems {
            guard problemItemsTold == 0 || problemItemsTold + trip.itemCount <= Self.problemItems else {
                return false
            }
            problemItemsTold += trip.itemCount
        }
        return true
    }

    /// Ends the drags of items that a commit removes; only their own holder can have removed them.
    private mutating func endDrags(of commit: Commit) {
        if leases.isEmpty { return }
        for change in commit.changes where change.isRemoval {
            leases.end(change.id, withCommit: commit.version)
        }
    }

    /// What the end of a drag comes to whose item was removed.
    static func itemRemoved(_ lease: Lease) -> [Effect] {
        let holder = lease.holder.connection
        return [
            .notify(holder, ServerLine.dragEnded(lease.drag, item: lease.item, reason: .itemRemoved)),
            .dragOver(holder, lease.drag, expired: false), .open(holder),
        ]
    }

    var storageError: WireError? {
        switch storage {
        case .working, .full: nil
        case .failed:
            WireError(.storageFailed, "the disk failed; nothing is changed until the daemon is restarted")
        }
    }

    func tripNotFound(_ ticket: Ticket) -> [UInt8] {
        line(ticket, WireError(.tripNotFound, "there is no trip \(id)"))
    }

    func line(_ ticket: Ticket, _ error: WireError) -> [UInt8] { ServerLine.error(ticket.request, error) }

    // MARK: Answers

    private func wireError(_ failure: EditFailure, _ command: ChangeCommand) -> WireError {
        let edit = command.edits.indices.contains(failure.index) ? command.edits[failure.index] : nil
        let isBatch = command.method == .apply || command.method == .commitBatch
        let prefix = (isBatch ? "ops[\(failure.index)]." : "") + (edit?.fieldPrefix ?? "")
        let error = WireError(failure.rejection, in: trip, prefix: prefix) { item in
            leases.byItem[item]?.holder.user ?? "somebody"
        }
        return isBatch ? error.with(.opIndex(failure.index)) : error
    }

    private func dryAnswer(_ command: ChangeCommand, _ commit: Commit) -> [UInt8] {
        let encoded = commit.changes.map { $0.isReported ? $0.after?.encoded() ?? [] : [] }
        return ServerLine.reply(
            command.ticket.request,
            encoded: result(command, commit, encoded: encoded, version: trip.version))
    }

    /// The result of a change, by the shape of its method.
    ///
    /// - Parameter encoded: the bytes of the items, in the order of the commit's changes.
    private func result(
        _ command: ChangeCommand, _ commit: Commit, encoded: [[UInt8]] = [], version: Int? = nil
    ) -> [UInt8] {
        EncodedChange(
            version: version ?? commit.version, isNoop: commit.isNoop && command.takingBack == nil,
            body: body(command, commit, encoded), respacedDays: commit.respacedDays
        ).result()
    }

    private func body(
        _ command: ChangeCommand, _ commit: Commit, _ encoded: [[UInt8]]
    ) -> EncodedChange.Body {
        switch command.method {
        case .updateTrip:
            let places = commit.places
            return .trip(
                commit.headerAfter ?? trip.header,
                moved: commit.displaced.compactMap { places[$0].map { encoded[$0] } })
        case .apply, .commitBatch: return .items(commit.reported.map { encoded[$0] })
        case .undo, .redo:
            return .takenBack(
                summary: command.takingBack?.entry.summary, commit.reported.map { encoded[$0] })
        case .removeItem: return .nothing
        default:
            guard let id = command.edits.first?.item else { return .nothing }
            let place = commit.changes.firstIndex { $0.id == id && !$0.isRemoval }
            return .item(place.map { encoded[$0] } ?? trip[id]?.encoded())
        }
    }
}

extension Commit {
    /// The items that an answer tells: those that somebody edited, and those whose day went. Re-spaced ones are
    /// named by their day; a whole day of them would make an answer, and the record that keeps it, of any size.
    ///
    /// - Returns: their places among the changes.
    fileprivate var reported: [Int] {
        changes.indices.filter { changes[$0].isReported }
    }

    /// The place of each item among the changes.
    fileprivate var places: [ItemID: Int] {
        Dictionary(uniqueKeysWithValues: changes.indices.map { (changes[$0].id, $0) })
    }
}

extension ItemChange {
    /// Whether an answer tells the item.
    fileprivate var isReported: Bool { !isRemoval && (isEdit || lostDay) }
}
