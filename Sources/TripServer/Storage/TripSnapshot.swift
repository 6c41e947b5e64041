import JSONLine
import TripJournal
import TripModel
import TripProtocol

/// The complete state of a trip at a version, as stored in a compacted journal.
///
/// It is a list of small JSON objects, called rows, each with a member that names its kind. A part of the
/// journal's snapshot is an array of rows. The clients of earlier commits are omitted: a client that was
/// offline during a restart and a compaction gets a snapshot (`behind`).
package struct TripSnapshot {
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
    package func encoded() throws(RecordFailure) -> JournalSnapshot {
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

extension TripSnapshot {
    /// Decodes a journal's snapshot.
    ///
    /// - Throws: `RecordFailure` if it is not a snapshot, or is inconsistent.
    init(_ snapshot: JournalSnapshot) throws(RecordFailure) {
        var reader = SnapshotReader()
        for part in snapshot.parts {
            let root: JSONNode
            do throws(JSONSyntaxError) { root = try JSONDocument(parsing: part).root } catch {
                throw RecordFailure("\(error)")
            }
            for row in root.elements { try reader.read(row) }
        }
        try reader.closeCommit()
        guard let header = reader.header, reader.version == snapshot.version else {
            throw RecordFailure("the trip, or its version, is missing")
        }
        guard reader.lastVersion <= snapshot.version else {
            throw RecordFailure("it refers to version \(reader.lastVersion), which does not exist yet")
        }
        do throws(TripInconsistency) {
            trip = try Trip(header: header, version: snapshot.version, items: reader.items)
        } catch {
            throw RecordFailure("\(error)")
        }
        retries = reader.retries
        edits = try reader.edits(of: trip)
        origin = reader.origin
    }

    /// The header from the first part of a snapshot, even if the rest is damaged.
    static func header(inPart part: [UInt8]) -> TripHeader? {
        guard let root = try? JSONDocument(parsing: part).root else { return nil }
        return root.elements.first { $0["trip"] != nil }?["trip"].flatMap { try? TripHeader($0) }
    }
}

/// Reads the rows of a snapshot in order.
private struct SnapshotReader {
    var header: TripHeader?
    var version = 0
    var origin: TripDirectory.Origin?
    var items: [Item] = []
    var retries = RetryTable()
    private var commits: [Int: (commit: Commit, states: EditLog.States?)] = [:]
    private var lines: [(by: EditLog.Provenance, commit: Int, origin: Int)] = []
    private var stacks: [(editor: ClientID, lastVersion: Int, undo: [Int], redo: [Int])] = []
    private var state = 0
    private var lastEdits: [ItemID: EditLog.LastEdit] = [:]
    private var lastHeaderEdit: EditLog.LastEdit?

    /// The commit whose changes are being read.
    private var commit: (version: Int, header: HeaderChange?, states: EditLog.States?)?
    private var changes: [ItemChange] = []
    private var shifts: [Shift] = []
    private var changed: Set<ItemID> = []
    /// The highest version in any row.
    private(set) var lastVersion = 0
    /// The items after the last change read so far.
    private var left: [ItemID: Item] = [:]

    mutating func read(_ row: JSONNode) throws(RecordFailure) {
        if let item = row["item"], row["editor"] == nil {
            items.append(try Self.item(item))
        } else if let change = row["change"] {
            try readChange(row, change)
        } else if let item = row["place"] {
            try readPlace(row, item)
        } else if let version = row["commit"]?.int {
            try closeCommit()
            lastVersion = max(lastVersion, version)
            commit = (version, try Self.headerChange(row), nil)
            if let states = row["states"]?.elements.map(\.int), states.count == 2, let before = states[0],
                let after = states[1]
            {
                commit?.states = EditLog.States(before: before, after: after)
            }
        } else if let seq = row["answer"]?.int {
            try readAnswer(row, seq)
        } else if let seq = row["dropped"]?.int {
            try readDropped(row, seq)
        } else if let applied = row["made"] {
            try readApplied(row, applied)
        } else if let commit = row["history"]?.int {
            try readLine(row, commit)
        } else if let client = row["stack"] {
            stacks.append(
                (
                    try Self.client(client), try version(row["version"]), try Self.versions(row["undo"]),
                    try Self.versions(row["redo"])
                ))
        } else if let editor = row["editor"] {
            // An older daemon wrote no versions. The edit then conflicts with all edits by others up to this snapshot.
            let edit = EditLog.LastEdit(
                editor: try Self.client(editor),
                version: try version(row["version"], ifMissing: self.version),
                versionOfOthers: try version(row["others"], ifMissing: 0))
            guard let node = row["item"] else { return lastHeaderEdit = edit }
            lastEdits[try Self.id(node)] = edit
        } else if let trip = row["trip"] {
            header = try Self.header(trip)
            version = try Self.int(row["version"])
            state = row["state"]?.int ?? version
            if let client = row["clientId"] {
                origin = .init(client: try Self.client(client), fingerprint: try Self.fingerprint(row))
            }
        }
        // Unknown rows are ignored, like unknown fields of a record. Later versions may add rows, and earlier
        // ones wrote `respaced`.
    }

    private mutating func readChange(_ row: JSONNode, _ change: JSONNode) throws(RecordFailure) {
        guard commit != nil, let isEdit = row["edited"]?.bool else {
            throw RecordFailure("a change without its commit")
        }
        let id = try Self.id(change)
        var before = try row["before"].map(Self.item)
        if row["asLeft"]?.bool == true {
            guard let item = left[id] else { throw RecordFailure("no earlier change has the item \(id)") }
            before = item
        }
        let after = try row["after"].map(Self.item)
        guard changed.insert(id).inserted else {
            throw RecordFailure("one commit changes the item \(id) twice")
        }
        for item in [before, after].compactMap(\.self) where item.id != id {
            throw RecordFailure("a change of the item \(id) has the id \(item.id)")
        }
        if let before, let after, !isEdit, before.isGame != after.isGame {
            throw RecordFailure("the item \(id) changes its kind without an edit")
        }
        left[id] = after
        // An older daemon wrote neither field. An item with another position was moved, and its former
        // neighbours are unknown.
        let isMove =
            row["moved"]?.bool ?? (before != nil && after != nil && before?.position != after?.position)
        var neighbours: Neighbours?
        if let node = row["between"] {
            neighbours = Neighbours(
                above: try node["above"].map(Self.id), below: try node["below"].map(Self.id))
        }
        let lostDay = row["displaced"]?.bool == true && after != nil
        // Older journals contain the shift of a game within a minute in this form.
        if !isEdit, !lostDay, let before, let after {
            return shifts.append(Shift(id: id, before: before.position, after: after.position))
        }
        changes.append(
            ItemChange(
                id: id, before: before, after: after, isEdit: isEdit, lostDay: lostDay, isMove: isMove,
                neighboursBefore: neighbours))
    }

    private mutating func readPlace(_ row: JSONNode, _ item: JSONNode) throws(RecordFailure) {
        guard commit != nil, let day = row["day"]?.int, let order = row["sortOrder"]?.double,
            let dayAfter = row["dayAfter"]?.int, let orderAfter = row["sortOrderAfter"]?.double,
            max(order.magnitude, orderAfter.magnitude) <= Position.maximumOrder
        else { throw RecordFailure("a place without its commit or its values") }
        let id = try Self.id(item)
        guard changed.insert(id).inserted else {
            throw RecordFailure("one commit changes the item \(id) twice")
        }
        shifts.append(
            Shift(
                id: id, before: Position(day: day, sortOrder: order),
                after: Position(day: dayAfter, sortOrder: orderAfter)))
    }

    private mutating func readAnswer(_ row: JSONNode, _ seq: Int) throws(RecordFailure) {
        guard let client = row["clientId"], let result = row["result"] else {
            throw RecordFailure("an answer without client or result")
        }
        let id = try Self.client(client)
        let version = try version(row["version"])
        if let known = retries.clients[id]?.applied, let highest = known.highest,
            seq <= highest || version <= known.lastVersion
        {
            throw RecordFailure("an answer out of order")
        }
        retries.cache(
            .init(
                seq: seq, fingerprint: try Self.fingerprint(row), version: version,
                .result(try CommitRecord.result(result))), of: id)
    }

    /// A program before 1.1 wrote only this about numbers without cached answers.
    private mutating func readDropped(_ row: JSONNode, _ seq: Int) throws(RecordFailure) {
        guard let node = row["clientId"] else { throw RecordFailure("a sequence number without its client") }
        let client = try Self.client(node)
        let runs = retries.clients[client]?.applied.runs ?? []
        retries.restore(
            try AppliedNumbers(
                runs.filter { $0.seqs.lowerBound > seq }, evicted: (seq, try version(row["version"]))),
            of: client)
    }

    private mutating func readApplied(_ row: JSONNode, _ applied: JSONNode) throws(RecordFailure) {
        let numbers = applied.elements.compactMap(\.int)
        guard let client = row["clientId"], numbers.count == applied.count, numbers.count.isMultiple(of: 4)
        else {
            throw RecordFailure("applied numbers without their client or their versions")
        }
        var runs: [AppliedNumbers.Run] = []
        for index in stride(from: 0, to: numbers.count, by: 4) {
            guard numbers[index] <= numbers[index + 1], numbers[index + 2] <= numbers[index + 3] else {
                throw RecordFailure("sequence numbers that do not ascend")
            }
            lastVersion = max(lastVersion, numbers[index + 3])
            runs.append(
                .init(
                    seqs: numbers[index]...numbers[index + 1],
                    versions: numbers[index + 2]...numbers[index + 3]))
        }
        var evicted: (seq: Int, version: Int)?
        if let seq = row["forgotten"]?.int { evicted = (seq, try version(row["version"])) }
        retries.restore(try AppliedNumbers(runs, evicted: evicted), of: try Self.client(client))
    }

    private mutating func readLine(_ row: JSONNode, _ commit: Int) throws(RecordFailure) {
        guard let at = row["at"]?.string.flatMap(Timestamp.init), let user = row["user"]?.string,
            let kind = row["method"]?.string.flatMap(EditLog.Kind.init(word:))
        else { throw RecordFailure("a line of history without at, user or method") }
        let editor = try row["editor"].map(Self.client)
        lines.append(
            (.init(at: at, user: user, editor: editor, kind: kind), commit, try Self.int(row["origin"])))
    }

    /// Completes the commit that was read last.
    mutating func closeCommit() throws(RecordFailure) {
        guard let open = commit else { return }
        guard commits[open.version] == nil else {
            throw RecordFailure("the history contains version \(open.version) twice")
        }
        let read = Commit(version: open.version, changes: changes, shifts: shifts, header: open.header)
        commits[open.version] = (read, open.states)
        commit = nil
        changes = []
        shifts = []
        changed = []
    }

    // MARK: Values

    private mutating func version(
        _ node: JSONNode?, ifMissing alternative: Int? = nil
    ) throws(RecordFailure) -> Int {
        if node == nil, let alternative { return alternative }
        let version = try Self.int(node)
        lastVersion = max(lastVersion, version)
        return version
    }

    private static func item(_ node: JSONNode) throws(RecordFailure) -> Item {
        try CommitRecord.item(node)
    }

    private static func header(_ node: JSONNode) throws(RecordFailure) -> TripHeader {
        do throws(WireError) { return try TripHeader(node) } catch { throw RecordFailure(error.message) }
    }

    /// A format below 3 has the whole header before and after the commit.
    private static func headerChange(_ row: JSONNode) throws(RecordFailure) -> HeaderChange? {
        guard let before = row["before"], let after = row["after"] else { return nil }
        if before["id"] != nil { return HeaderChange(from: try header(before), to: try header(after)) }
        do throws(WireError) {
            return HeaderChange(before: try HeaderValues(before), after: try HeaderValues(after))
        } catch { throw RecordFailure(error.message) }
    }

    private static func client(_ node: JSONNode) throws(RecordFailure) -> ClientID {
        guard let client = node.string.flatMap(ClientID.init) else { throw RecordFailure("no client id") }
        return client
    }

    private static func id(_ node: JSONNode) throws(RecordFailure) -> ItemID {
        guard let id = node.string.flatMap(ItemID.init) else { throw RecordFailure("no item id") }
        return id
    }

    private static func int(_ node: JSONNode?) throws(RecordFailure) -> Int {
        guard let number = node?.int else { throw RecordFailure("a number is missing") }
        return number
    }

    private static func fingerprint(_ row: JSONNode) throws(RecordFailure) -> UInt64 {
        guard let fingerprint = row["request"]?.string.flatMap({ UInt64($0, radix: 16) }) else {
            throw RecordFailure("a fingerprint is missing")
        }
        return fingerprint
    }

    private static func versions(_ node: JSONNode?) throws(RecordFailure) -> [Int] {
        let numbers = node?.elements.compactMap(\.int) ?? []
        guard let node, numbers.count == node.count, numbers.count.isMultiple(of: 2) else {
            throw RecordFailure("an undo stack without its entries")
        }
        return numbers
    }

    // MARK: The log

    /// The log of edits.
    ///
    /// - Throws: `RecordFailure` if a referenced commit is missing.
    func edits(of trip: Trip) throws(RecordFailure) -> EditLog {
        var edits = EditLog()
        var known: [ClientID: EditStacks] = [:]
        for (editor, lastVersion, undo, redo) in stacks {
            var stacks = EditStacks()
            stacks.undo = try stack(undo)
            stacks.redo = try stack(redo)
            stacks.lastVersion = lastVersion
            known[editor] = stacks
        }
        for (by, commit, origin) in lines {
            edits.add(EditLog.Line(by: by, entry: try entry(commit, origin)))
        }
        edits.restore(known, state: state, lastEdits, header: lastHeaderEdit, of: trip)
        return edits
    }

    private func stack(_ versions: [Int]) throws(RecordFailure) -> EditStack {
        var stack = EditStack()
        for index in stride(from: 0, to: versions.count, by: 2) {
            stack.append(try entry(versions[index], versions[index + 1]))
        }
        return stack
    }

    private func entry(_ version: Int, _ origin: Int) throws(RecordFailure) -> EditLog.Entry {
        let (commit, states) = try commit(version)
        return EditLog.Entry(commit, origin: try self.commit(origin).commit, states: states)
    }

    private func commit(_ version: Int) throws(RecordFailure) -> (commit: Commit, states: EditLog.States?) {
        guard let known = commits[version] else {
            throw RecordFailure("version \(version) is referred to and does not exist")
        }
        return known
    }
}

extension TripSnapshot {
    /// The same snapshot under another id and slug.
    package func renamed(_ id: TripID, _ slug: String) -> TripSnapshot {
        var copy = self
        copy.trip.rename(id, slug)
        // The copy was not created by a request, and has no idempotency keys.
        if trip.header.id != id {
            copy.origin = nil
            copy.retries = RetryTable()
        }
        return copy
    }
}
