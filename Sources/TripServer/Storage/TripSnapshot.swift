import JSONLine
import TripJournal
import TripModel
import TripProtocol

/// The complete state of a trip at a version, as stored in a compacted journal.
///
/// It is a list of small JSON objects, called rows, each with a member that names its kind. A part of the
/// journal's snapshot is an array of rows. The clients of earlier commits are omitted: a client that was
/// offline during a restart and a compaction gets a snapshot (`behind`).
struct TripSnapshot {
    var trip: Trip
    var retries = RetryTable()
    var edits = EditLog()
    var origin: TripDirectory.Origin?

    init(
        trip: Trip, retries: RetryTable = RetryTable(), edits: EditLog = EditLog(),
        origin: TripDirectory.Origin? = nil
    ) {
        self.trip = trip
        self.retries = retries
        self.edits = edits
        self.origin = origin
    }

    /// The decided state of a trip. It is valid once the last commit is durable.
    init(deciding core: TripCore, origin: TripDirectory.Origin?) {
        self.init(trip: core.trip, retries: core.retries, edits: core.edits, origin: origin)
        for entry in core.inFlight.entries { TripCore.record(entry.body, in: &edits, &retries) }
    }

    /// Encodes the snapshot.
    ///
    /// - Throws: `RecordFailure` if a row exceeds the journal's limit, which is possible only for an imported journal.
    func encoded() throws(RecordFailure) -> JournalSnapshot {
        var parts = SnapshotParts()
        parts.add { json in
            json.key("trip")
            json.encode(trip.header)
            json.member("version", trip.version)
            json.member("state", edits.state)
            if let origin {
                json.member("clientId", origin.client)
                json.member("request", String(origin.fingerprint, radix: 16))
            }
        }
        for item in trip.items {
            parts.add { json in
                json.key("item")
                json.encode(item)
            }
        }
        let clients = retries.clients.sorted { $0.key < $1.key }
        for (client, known) in clients {
            for answer in known.answers {
                parts.add { json in
                    json.member("answer", answer.seq)
                    json.member("clientId", client)
                    json.member("request", String(answer.fingerprint, radix: 16))
                    json.member("version", answer.version)
                    json.key("result")
                    json.raw(answer.result)
                }
            }
        }
        for (client, known) in clients {
            // For programs before 1.1, which read only this row.
            if let seq = known.highestWithoutAnswer {
                parts.add { json in
                    json.member("dropped", seq)
                    json.member("clientId", client)
                    json.member("version", known.lastVersion)
                }
            }
            parts.add { json in
                json.key("made")
                json.encode(known.applied.runs.flatMap(\.numbers))
                json.member("clientId", client)
                if let evicted = known.applied.evicted {
                    json.member("forgotten", evicted.seq)
                    json.member("version", evicted.version)
                }
            }
        }
        addEdits(to: &parts)
        return JournalSnapshot(version: trip.version, parts: try parts.finish())
    }

    private func addEdits(to parts: inout SnapshotParts) {
        var left: [ItemID: Item] = [:]
        for (commit, states) in edits.commits {
            parts.add { json in
                json.member("commit", commit.version)
                if let states {
                    json.key("states")
                    json.encode([states.before, states.after])
                }
                if let header = commit.header {
                    json.key("before")
                    json.encode(header.before)
                    json.key("after")
                    json.encode(header.after)
                }
            }
            for shift in commit.shifts {
                parts.add { json in
                    json.member("place", shift.id)
                    json.members(room: 160) { text in
                        text.appendMember("day", shift.before.day)
                        text.appendMember("sortOrder", shift.before.sortOrder)
                        text.appendMember("dayAfter", shift.after.day)
                        text.appendMember("sortOrderAfter", shift.after.sortOrder)
                    }
                }
            }
            for change in commit.changes {
                parts.add { json in
                    json.member("change", change.id)
                    json.member("edited", change.isEdit)
                    if change.lostDay { json.member("displaced", true) }
                    json.member("moved", change.isMove)
                    if let neighbours = change.neighboursBefore {
                        json.key("between")
                        json.beginObject()
                        json.member("above", neighbours.above)
                        json.member("below", neighbours.below)
                        json.endObject()
                    }
                    if let before = change.before, before == left[change.id] {
                        // In most cases an earlier change in the snapshot left this item.
                        json.member("asLeft", true)
                    } else if let before = change.before {
                        json.key("before")
                        json.encode(before)
                    }
                    if let after = change.after {
                        json.key("after")
                        json.encode(after)
                    }
                }
                left[change.id] = change.after
            }
        }
        for line in edits.lines {
            parts.add { json in
                json.member("history", line.version)
                json.member("origin", line.entry.origin.version)
                json.member("method", line.by.kind.word)
                json.member("at", line.by.at.description)
                json.member("user", line.by.user)
                if let editor = line.by.editor { json.member("editor", editor) }
            }
        }
        for (editor, stacks) in edits.stacks.sorted(by: { $0.key < $1.key }) {
            parts.add { json in
                json.member("stack", editor)
                json.member("version", stacks.lastVersion)
                json.key("undo")
                json.encode(stacks.undo.versions)
                json.key("redo")
                json.encode(stacks.redo.versions)
            }
        }
        let lastEdits = edits.neededLastEdits
        for (item, edit) in lastEdits.items.sorted(by: { $0.key < $1.key }) {
            parts.add { json in
                edit.encodeMembers(into: &json)
                json.member("item", item)
            }
        }
        if let edit = lastEdits.header {
            parts.add { json in edit.encodeMembers(into: &json) }
        }
    }
}

extension EditStack {
    /// Of each entry the version of the commit and that of its origin.
    fileprivate var versions: [Int] { entries.flatMap { [$0.commit.version, $0.origin.version] } }
}

extension EditLog.LastEdit {
    fileprivate func encodeMembers(into json: inout JSONWriter) {
        json.member("editor", editor)
        json.member("version", version)
        if versionOfOthers > 0 { json.member("others", versionOfOthers) }
    }
}

/// Collects rows into parts of limited size.
struct SnapshotParts {
    private var parts: [[UInt8]] = []
    private var part = Self.emptyPart

    private static var emptyPart: JSONWriter {
        var part = JSONWriter(reserving: JournalFormat.usualPart + 4096)
        part.beginArray()
        return part
    }

    /// Adds a row with the members that `body` writes.
    mutating func add(_ body: (inout JSONWriter) -> Void) {
        let start = part.byteCount
        part.beginObject()
        body(&part)
        part.endObject()
        guard part.byteCount > JournalFormat.usualPart, start > 1 else { return }
        // The part ends before the row, which begins the next part.
        part.endArray()
        let bytes = part.take()
        parts.append(bytes[..<start] + [UInt8(ascii: "]")])
        part = Self.emptyPart
        part.raw(bytes[(start + 1)...].dropLast())
    }

    /// Returns all parts.
    ///
    /// - Throws: `RecordFailure` if a part is too large.
    mutating func finish() throws(RecordFailure) -> [[UInt8]] {
        part.endArray()
        parts.append(part.take())
        if let large = parts.first(where: { $0.count > JournalFormat.maximumPayload }) {
            throw RecordFailure(
                "a row has \(large.count) bytes; the maximum is \(JournalFormat.maximumPayload)")
        }
        return parts
    }
}

extension AppliedNumbers.Run {
    /// The run in a snapshot.
    fileprivate var numbers: [Int] {
        [seqs.lowerBound, seqs.upperBound, versions.lowerBound, versions.upperBound]
    }
}

extension EditLog.Kind {
    /// The name in a snapshot.
    var word: String {
        switch self {
        case .edit: "edit"
        case .undo: "undo"
        case .redo: "redo"
        }
    }

    init?(word: String) {
        switch word {
        case "edit": self = .edit
        case "undo": self = .undo
        case "redo": self = .redo
        default: return nil
        }
    }
}
