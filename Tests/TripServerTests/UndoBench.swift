import JSONLine
import TestSupport
import TripModel
import TripProtocol

@testable import TripJournal
@testable import TripServer

/// A trip's core with an array as its journal, several users who change it, and restarts.
struct UndoBench {
    /// The visible content of a trip: items in order with their texts, without numbers.
    struct Shown: Equatable {
        let header: TripHeader
        let items: [Line]

        struct Line: Equatable {
            let id: ItemID
            let day: Int
            let content: ItemContent
        }

        init(_ trip: Trip) {
            header = trip.header
            items = trip.items.map { Line(id: $0.id, day: $0.position.day, content: $0.content) }
        }
    }

    /// A user with two windows, and another user.
    static let ann = Principal(
        connection: 1, user: "ann", client: ClientID(high: 1, low: 1), access: .editor,
        person: PersonID(high: 7, low: 7))
    static let annElsewhere = Principal(
        connection: 2, user: "ann", client: ClientID(high: 1, low: 2), access: .editor,
        person: PersonID(high: 7, low: 7))
    static let bob = Principal(
        connection: 3, user: "bob", client: ClientID(high: 1, low: 3), access: .editor)

    var core: TripCore
    private(set) var records: [JournalRecord] = []
    /// Whether changes stay undurable: they are applied and not answered.
    var isHeld = false
    private var number = 0

    init(dayCount: Int = 5, items: [Edit] = []) throws {
        guard let start = CalendarDate("2026-06-11") else { preconditionFailure("a date") }
        let header = TripHeader(
            id: TripID(high: 0, low: 9), slug: "t", name: "T", startDate: start, timeZone: "UTC",
            dayCount: dayCount)
        let trip = try Trip.create(
            header, edits: items, by: Author(name: "u", at: Timestamp(milliseconds: 0)))
        core = TripCore(creating: trip, epoch: "e")
        core.create(
            CommitRecord(
                at: Timestamp(milliseconds: 0), user: "u", client: Self.bob.client, method: "trip.create",
                creation: 1, header: header, upserts: trip.items), answering: nil)
        _ = drain()
    }

    var trip: Trip { core.trip }
    var shown: Shown { Shown(core.trip) }

    /// The answer: the result, or the error's data.
    struct Answer {
        let isDone: Bool
        let fields: [String: String]

        var reason: String? { fields["reason"] }
        var isNoop: Bool { fields["noop"] == "true" }
    }

    @discardableResult
    mutating func change(
        _ edits: [Edit], by principal: Principal = UndoBench.ann, options: ChangeOptions = ChangeOptions()
    ) -> Answer {
        let command = command(.apply, edits, principal, options)
        return answer(core.change(command))
    }

    @discardableResult
    mutating func undo(
        by principal: Principal = UndoBench.ann, options: ChangeOptions = ChangeOptions()
    ) -> Answer {
        let command = command(.undo, [], principal, options)
        return answer(core.reverse(.undo, command))
    }

    @discardableResult
    mutating func redo(by principal: Principal = UndoBench.ann) -> Answer {
        let command = command(.redo, [], principal, ChangeOptions())
        return answer(core.reverse(.redo, command))
    }

    private mutating func command(
        _ method: Method, _ edits: [Edit], _ principal: Principal, _ options: ChangeOptions
    ) -> ChangeCommand {
        number += 1
        return ChangeCommand(
            method: method, edits: edits, options: options, principal: principal,
            ticket: Ticket(connection: principal.connection, number: number, request: .number(number)),
            fingerprint: UInt64(number), takenSlugs: [], at: Timestamp(milliseconds: Int64(number)))
    }

    private mutating func answer(_ effects: [Effect]) -> Answer {
        let all = effects + drain()
        for case .answer(_, let line, _) in all {
            guard let root = try? JSONDocument(parsing: line.dropLast()).root else { continue }
            let node = root["result"] ?? root["error"]?["data"]
            var fields: [String: String] = [:]
            for name in ["reason", "summary"] { fields[name] = node?[dynamic: name]?.string }
            for name in ["noop", "dropped"] {
                fields[name] = node?[dynamic: name]?.bool.map { $0 ? "true" : "false" }
            }
            return Answer(isDone: root["result"] != nil, fields: fields)
        }
        precondition(isHeld, "every change is answered")
        return Answer(isDone: false, fields: [:])
    }

    /// The disk fails all undurable changes.
    mutating func fail() {
        let durable = core.durable.version
        _ = core.failed(.storageFull, "no room", now: .zero)
        records.removeAll { $0.version > durable }
        isHeld = false
    }

    private mutating func drain() -> [Effect] {
        for request in core.storageRequests {
            switch request {
            case .create(let version, let payload), .append(let version, let payload):
                records.append(JournalRecord(version: version, payload: payload))
            case .createEncoded, .appendEncoded: preconditionFailure("no worker changes this trip")
            case .delete: break
            }
        }
        core.storageRequests = []
        if isHeld { return [] }
        return core.stored(upTo: core.trip.version, now: .zero)
    }

    // MARK: Restarts

    private func opened(_ records: [JournalRecord]) -> OpenedJournal {
        OpenedJournal(
            header: JournalHeader(tripID: core.id, epoch: "e"), records: records,
            checkpoint: JournalCheckpoint(version: 0, checksum: 0), end: 0, repair: nil)
    }

    func replayed() throws -> TripReplay { try TripReplay(opened(records)) }

    /// The records as an older daemon wrote them, without members of later formats.
    mutating func forgetAdditions() {
        records = records.map { record in
            var text = String(decoding: record.payload, as: UTF8.self)
            text.replace(/"(person|undoes)":("[^"]*"|[0-9]+),/, with: "")
            return JournalRecord(version: record.version, payload: Array(text.utf8))
        }
    }

    /// The same with a snapshot of the first records, encoded and decoded, and the later records.
    func replayed(compacting count: Int) throws -> TripReplay {
        let snapshot = try TripReplay(opened(Array(records[..<count]))).snapshot
        let image = JournalImage(
            JournalHeader(tripID: core.id, epoch: "e"), snapshot: try snapshot.encoded(),
            records: Array(records[count...]))
        guard let contents = JournalScanner.scan(image.bytes).contents else {
            preconditionFailure("what was just written can be read")
        }
        return try TripReplay(OpenedJournal(contents, in: image.bytes))
    }

    /// Continues from the journal's records.
    mutating func restart(compacting count: Int? = nil) throws {
        let replay = try count.map { try replayed(compacting: $0) } ?? replayed()
        core = TripCore(durable: replay.trip, epoch: "e", retries: replay.retries, edits: replay.edits)
    }

    /// The answer to `trip.history`.
    var history: String {
        String(
            decoding: HistoryLine.encodedMembers(
                of: core.history(HistoryRequest(trip: .slug("t"), limit: 500))),
            as: UTF8.self)
    }
}

extension JSONNode {
    fileprivate subscript(dynamic name: String) -> JSONNode? {
        switch name {
        case "reason": self["reason"]
        case "summary": self["summary"]
        case "noop": self["noop"]
        default: self["dropped"]
        }
    }
}

extension EditLog {
    /// Records a commit of a client without a name of its own.
    mutating func record(_ commit: Commit, _ kind: Kind = .edit, undoes: Int? = nil, by editor: ClientID) {
        let provenance = Provenance(
            at: Timestamp(milliseconds: 0), user: "u", editor: editor, kind: kind, undoes: undoes)
        let reversed = stacks[editor]?.entry(kind, reversing: undoes)
        let entry = Entry(commit, reversing: reversed, in: state)
        record(Line(by: provenance, entry: entry), of: editor)
    }
}
