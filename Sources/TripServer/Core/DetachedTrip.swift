import JSONLine
import TripJournal
import TripModel
import TripProtocol

/// A trip without a daemon or a disk, whose journal is a list of records. Used to run very many changes,
/// undos and restarts.
package struct DetachedTrip {
    /// The result of a request.
    package enum Outcome: Equatable {
        case done(respaces: Bool)
        case noop
        case refused(String)
    }

    private var core: TripCore
    private var records: [JournalRecord] = []
    private var requestCount = 0

    /// Creates a trip.
    package init(_ trip: Trip) {
        core = TripCore(creating: trip, epoch: "e")
        core.create(
            CommitRecord(
                at: Timestamp(milliseconds: 0), user: "u", client: Self.principal(0).client,
                method: Method.createTrip.rawValue, creation: 1, header: trip.header, upserts: trip.items),
            answering: nil)
        _ = store()
    }

    /// The current trip.
    package var trip: Trip { core.trip }

    /// Changes the trip on behalf of a person.
    package mutating func change(_ edits: [Edit], by person: Int) -> Outcome {
        let command = command(.apply, edits, person)
        return outcome(core.change(command))
    }

    /// Undoes the person's last change.
    package mutating func undo(by person: Int) -> Outcome {
        let command = command(.undo, [], person)
        return outcome(core.reverse(.undo, command))
    }

    /// Redoes the person's last undo.
    package mutating func redo(by person: Int) -> Outcome {
        let command = command(.redo, [], person)
        return outcome(core.reverse(.redo, command))
    }

    /// The trip as replayed from the journal after a restart.
    ///
    /// - Parameter compaction: returns the number of records that a snapshot replaces; nil for no compaction.
    package func restarted(compacting compaction: ((Int) -> Int)?) throws -> DetachedTrip {
        let header = JournalHeader(tripID: core.id, epoch: "e")
        let count = compaction.map { $0(records.count) } ?? 0
        var snapshot: JournalSnapshot?
        if count > 0 {
            snapshot = try TripReplay(opened(header, nil, records[..<count])).snapshot.encoded()
        }
        let replay = try TripReplay(opened(header, snapshot, records[count...]))
        var restarted = self
        restarted.core = TripCore(
            durable: replay.trip, epoch: "e", retries: replay.retries, edits: replay.edits)
        return restarted
    }

    private func opened(
        _ header: JournalHeader, _ snapshot: JournalSnapshot?, _ records: ArraySlice<JournalRecord>
    ) -> OpenedJournal {
        OpenedJournal(
            header: header, snapshot: snapshot, records: Array(records),
            checkpoint: JournalCheckpoint(version: 0, checksum: 0), end: 0, repair: nil)
    }

    private static func principal(_ person: Int) -> Principal {
        let id = ClientID(high: 1, low: UInt64(person))
        return Principal(connection: person, user: "user\(person)", client: id, access: .editor, person: id)
    }

    private mutating func command(_ method: Method, _ edits: [Edit], _ person: Int) -> ChangeCommand {
        requestCount += 1
        return ChangeCommand(
            method: method, edits: edits, options: ChangeOptions(), principal: Self.principal(person),
            ticket: Ticket(connection: person, number: requestCount, request: .number(requestCount)),
            fingerprint: 0, takenSlugs: [], at: Timestamp(milliseconds: Int64(requestCount)))
    }

    private mutating func outcome(_ effects: [Effect]) -> Outcome {
        for case .answer(_, let line) in effects + store() {
            guard let root = try? JSONDocument(parsing: line.dropLast()).root else { continue }
            if let error = root["error"] { return .refused(error["data"]?["reason"]?.string ?? "") }
            let result = root["result"]
            return result?["noop"]?.bool == true ? .noop : .done(respaces: result?["respaced"] != nil)
        }
        return .refused("")
    }

    private mutating func store() -> [Effect] {
        for case .append(let version, let payload) in core.storageRequests {
            records.append(JournalRecord(version: version, payload: payload))
        }
        for case .create(let version, let payload) in core.storageRequests {
            records.append(JournalRecord(version: version, payload: payload))
        }
        core.storageRequests = []
        return core.stored(upTo: core.trip.version, now: .zero)
    }
}
