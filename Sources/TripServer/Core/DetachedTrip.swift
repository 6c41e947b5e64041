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

    /// A request of a person.
    package enum Request: Sendable {
        case change([Edit])
        case undo
        case redo
    }

    /// The line that answers a request.
    package struct Answer: Equatable, Sendable {
        /// The number of the request.
        package let number: Int
        /// The encoded answer.
        package let line: [UInt8]
    }

    private var core: TripCore
    private var records: [JournalRecord] = []
    private var requestCount = 0

    package init(_ trip: Trip) {
        core = TripCore(creating: trip, epoch: "e")
        core.create(
            CommitRecord(
                at: Timestamp(milliseconds: 0), user: "u", client: Self.principal(0).client,
                method: Method.createTrip.rawValue, creation: 1, header: trip.header, upserts: trip.items),
            answering: nil)
        _ = store(upTo: trip.version)
    }

    /// The current trip.
    package var trip: Trip { core.trip }

    /// The durable and the decided version.
    package var versions: ClosedRange<Int> { core.durable.version...core.trip.version }

    /// Changes the trip on behalf of a person.
    package mutating func change(_ edits: [Edit], by person: Int) -> Outcome {
        outcome(of: .change(edits), by: person)
    }

    /// Undoes the person's last change.
    package mutating func undo(by person: Int) -> Outcome { outcome(of: .undo, by: person) }

    /// Redoes the person's last undo.
    package mutating func redo(by person: Int) -> Outcome { outcome(of: .redo, by: person) }

    private mutating func outcome(of request: Request, by person: Int) -> Outcome {
        requestCount += 1
        let answers = send(request, number: requestCount, by: person) + store(upTo: core.trip.version)
        guard let line = answers.first?.line, let root = try? JSONDocument(parsing: line.dropLast()).root
        else {
            return .refused("")
        }
        if let error = root["error"] { return .refused(error["data"]?["reason"]?.string ?? "") }
        let result = root["result"]
        return result?["noop"]?.bool == true ? .noop : .done(respaces: result?["respaced"] != nil)
    }

    // MARK: Pipelining

    /// Sends a request, whose answer may have to wait for `store`.
    ///
    /// - Parameters:
    ///   - number: its number, which is also its time.
    ///   - sequence: the sequence number and what distinguishes a retry from another request.
    package mutating func send(
        _ request: Request, number: Int, by person: Int, sequence: (seq: Int, fingerprint: UInt64)? = nil
    ) -> [Answer] {
        let (method, edits): (Method, [Edit]) =
            switch request {
            case .change(let edits): (.apply, edits)
            case .undo: (.undo, [])
            case .redo: (.redo, [])
            }
        let command = ChangeCommand(
            method: method, edits: edits, options: ChangeOptions(seq: sequence?.seq),
            principal: Self.principal(person),
            ticket: Ticket(connection: person, number: number, request: .number(number)),
            fingerprint: sequence?.fingerprint ?? 0, takenSlugs: [],
            at: Timestamp(milliseconds: Int64(number)))
        return switch request {
        case .change: answers(core.change(command))
        case .undo: answers(core.reverse(.undo, command))
        case .redo: answers(core.reverse(.redo, command))
        }
    }

    /// Stores everything up to a version.
    package mutating func store(upTo version: Int) -> [Answer] {
        var waiting: [StorageRequest] = []
        for request in core.storageRequests {
            switch request {
            case .create(let own, let payload) where own <= version,
                .append(let own, let payload) where own <= version:
                records.append(JournalRecord(version: own, payload: payload))
            default: waiting.append(request)
            }
        }
        core.storageRequests = waiting
        return answers(core.stored(upTo: version, now: .zero))
    }

    /// Fails the write of all commits in flight, as on a full disk.
    package mutating func fail() -> [Answer] {
        core.storageRequests = []
        return answers(core.failed(.storageFull, "the disk is full", now: .zero))
    }

    private func answers(_ effects: [Effect]) -> [Answer] {
        effects.flatMap { effect -> [Answer] in
            guard case .answer(let ticket, let bytes, _) = effect else { return [] }
            let newline = UInt8(ascii: "\n")
            return bytes.split(separator: newline).enumerated().map { offset, line in
                Answer(number: ticket.number + offset, line: line + [newline])
            }
        }
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
        return Principal(
            connection: person, user: "user\(person)", client: id, access: .editor, person: PersonID(id))
    }
}
