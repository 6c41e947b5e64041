import JSONLine
import TripJournal
import TripModel
import TripProtocol

/// All that a daemon needs to know of a trip at a version, as a compacted journal keeps it.
///
/// It is a list of small JSON objects, *rows*, each with one member that tells what it is; a part of the journal's
/// snapshot is an array of them. What is left out, on purpose, is the log of deltas: a client that was away during a
/// restart and a compaction gets a snapshot (`behind`).
struct TripSnapshot {
    var trip: Trip
    var retries = RetryTable()
    var edits = EditLog()
    var origin: TripRegistry.Origin?

    init(
        trip: Trip, retries: RetryTable = RetryTable(), edits: EditLog = EditLog(),
        origin: TripRegistry.Origin? = nil
    ) {
        self.trip = trip
        self.retries = retries
        self.edits = edits
        self.origin = origin
    }

    /// The decided state of a trip. It holds once its last commit is durable.
    init(deciding core: TripCore, origin: TripRegistry.Origin?) {
        self.init(trip: core.trip, retries: core.retries, edits: core.edits, origin: origin)
    }

    /// The snapshot for the journal. It drops what may be dropped once the state is durable.
    ///
    /// - Throws: `RecordFailure` where a row of it is larger than a journal may have: the trip came from elsewhere.
    func encoded() throws(RecordFailure) -> JournalSnapshot {
        var (retries, edits) = (retries, edits)
        retries.settle(upTo: trip.version)
        edits.settle(upTo: trip.version)
        var parts = SnapshotParts()
        parts.add { json in
            json.key("trip")
            json.encode(trip.header)
            json.member("version", trip.version)
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
            // For readers that know of nothing else: a program before 1.1.
            if let seq = known.highestWithoutAnswer {
                parts.add { json in
                    json.member("dropped", seq)
                    json.member("clientId", client)
                    json.member("version", known.lastVersion)
                }
            }
            parts.add { json in
                json.key("made")
                json.encode(known.made.runs.flatMap(\.numbers))
                json.member("clientId", client)
                if let forgotten = known.made.forgotten {
                    json.member("forgotten", forgotten.seq)
                    json.member("version", forgotten.version)
                }
            }
        }
        add(edits.kept, to: &parts)
        return JournalSnapshot(version: trip.version, parts: try parts.finish())
    }

    private func add(_ kept: EditLog.Kept, to parts: inout SnapshotParts) {
        var left: [ItemID: Item] = [:]
        for (version, commit) in kept.commits.sorted(by: { $0.key < $1.key }) {
            parts.add { json in
                json.member("commit", version)
                if let before = commit.headerBefore, let after = commit.headerAfter {
                    json.key("before")
                    json.encode(before)
                    json.key("after")
                    json.encode(after)
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
                        // Most often what an earlier change has left, which stands above.
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
        for line in kept.lines {
            parts.add { json in
                json.member("history", line.step.commit)
                json.member("origin", line.step.origin)
                json.member("method", line.kind.word)
                json.member("at", line.at.description)
                json.member("user", line.user)
            }
        }
        for stack in kept.stacks {
            parts.add { json in
                json.member("stack", stack.editor)
                json.member("version", stack.lastVersion)
                json.key("undo")
                json.encode(stack.undo.flatMap { [$0.commit, $0.origin] })
                json.key("redo")
                json.encode(stack.redo.flatMap { [$0.commit, $0.origin] })
            }
        }
        for (item, edit) in kept.lastEdits.sorted(by: { $0.key < $1.key }) {
            parts.add { json in
                edit.encodeMembers(into: &json)
                json.member("item", item)
            }
        }
        if let edit = kept.lastHeaderEdit {
            parts.add { json in edit.encodeMembers(into: &json) }
        }
    }
}

extension EditLog.LastEdit {
    fileprivate func encodeMembers(into json: inout JSONWriter) {
        json.member("editor", editor)
        json.member("version", version)
        if versionOfOthers > 0 { json.member("others", versionOfOthers) }
    }
}

/// Rows, gathered to parts of a bearable size.
struct SnapshotParts {
    private var parts: [[UInt8]] = []
    private var part: [UInt8] = []

    /// Adds a row, whose members `body` writes.
    mutating func add(_ body: (inout JSONWriter) -> Void) {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        body(&json)
        json.endObject()
        let row = json.take()
        if part.count + row.count >= JournalFormat.usualPart { close() }
        part.append(UInt8(ascii: part.isEmpty ? "[" : ","))
        part += row
    }

    /// All parts.
    ///
    /// - Throws: `RecordFailure` where one of them is too large.
    mutating func finish() throws(RecordFailure) -> [[UInt8]] {
        close()
        if let large = parts.first(where: { $0.count > JournalFormat.maximumPayload }) {
            throw RecordFailure(
                "a row of \(large.count) bytes; a journal has none over \(JournalFormat.maximumPayload)")
        }
        return parts
    }

    private mutating func close() {
        guard !part.isEmpty else { return }
        parts.append(part + [UInt8(ascii: "]")])
        part = []
    }
}

extension MadeNumbers.Run {
    /// The run in a snapshot.
    fileprivate var numbers: [Int] {
        [seqs.lowerBound, seqs.upperBound, versions.lowerBound, versions.upperBound]
    }
}

extension EditLog.Kind {
    /// The word for it in a snapshot.
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
