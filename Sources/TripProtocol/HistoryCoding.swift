import JSONLine
import TripModel

// The lines of trip.history.

/// One line of the history, whose operations are encoded from the commit.
package struct HistoryLine: Sendable {
    let at: Timestamp
    let user: String
    let summary: String
    let commit: Commit
    /// The header before and after the commit, if it changed.
    let headers: (before: TripHeader, after: TripHeader)?

    package init(
        at: Timestamp, user: String, summary: String, commit: Commit,
        headers: (before: TripHeader, after: TripHeader)?
    ) {
        self.at = at
        self.user = user
        self.summary = summary
        self.commit = commit
        self.headers = headers
    }
}

extension HistoryOperation {
    /// The operation on an item.
    ///
    /// - Parameter isBrief: omits everything but the kind and the item.
    fileprivate init(_ change: ItemChange, isBrief: Bool) {
        let (kind, fields): (Kind, [HistoryField]) =
            switch (change.before?.content, change.after?.content) {
            case (nil, _): (.add, [])
            case (_, nil): (.remove, [])
            case (let before?, let after?) where before == after: (.move, [])
            case (let before?, let after?):
                (.update, isBrief ? [] : HistoryField.list(from: before, to: after))
            }
        let title = isBrief ? nil : (change.after ?? change.before)?.content.title
        self.init(kind: kind, item: change.id, title: title, fields: fields)
    }

    /// The operation on the trip itself.
    fileprivate init(from before: TripHeader, to after: TripHeader) {
        func field(_ name: String, _ before: HistoryField.Value?, _ after: HistoryField.Value?)
            -> HistoryField?
        {
            before == after ? nil : HistoryField(field: name, before: before, after: after)
        }
        let fields = [
            field("name", .text(before.name), .text(after.name)),
            field("slug", .text(before.slug), .text(after.slug)),
            field("startDate", .text(before.startDate.description), .text(after.startDate.description)),
            field("timeZone", .text(before.timeZone), .text(after.timeZone)),
            field("dayCount", .json("\(before.dayCount)"), .json("\(after.dayCount)")),
            field("rates", before.ratesText, after.ratesText),
            field("acceptedProblems", before.acceptedList, after.acceptedList),
            field("todo", before.todoList, after.todoList),
        ]
        self.init(kind: .trip, item: nil, title: nil, fields: fields.compactMap(\.self))
    }
}

extension TripHeader {
    /// Its exchange rates; nil if there are none.
    fileprivate var ratesText: HistoryField.Value? { rates.isEmpty ? nil : .text(rates) }

    /// The keys of its accepted problems as a JSON array, nil if there are none; they need no escapes.
    fileprivate var acceptedList: HistoryField.Value? {
        if acceptedProblems.isEmpty { return nil }
        return .json("[\(acceptedProblems.sorted().map { "\"\($0)\"" }.joined(separator: ","))]")
    }

    /// Its things to do as a JSON array, nil if there are none.
    fileprivate var todoList: HistoryField.Value? {
        if todo.isEmpty { return nil }
        var json = JSONWriter()
        json.encode(todo)
        return .json(String(decoding: json.take(), as: UTF8.self))
    }
}

extension HistoryField {
    fileprivate static func list(from before: ItemContent, to after: ItemContent) -> [HistoryField] {
        after.kind.fields.compactMap { field in
            let (old, new) = (before[field], after[field])
            guard old != new, new.map({ !FieldChange(field, $0).isOnlySaid(of: before) }) ?? true else {
                return nil
            }
            return HistoryField(field: field.name, before: old.map(Value.init), after: new.map(Value.init))
        }
    }
}

extension HistoryField.Value {
    fileprivate init(_ value: FieldValue) {
        switch value {
        case .text(let text): self = .text(text)
        case .moment(let moment): self = .text(moment.text)
        case .time(let time): self = .text(time.description)
        case .side(let side): self = .text(side.text)
        case .minutes, .nights, .flag, .cost, .coordinate, .source:
            var json = JSONWriter(reserving: 64)
            json.encode(value)
            self = .json(String(decoding: json.take(), as: UTF8.self))
        }
    }
}

extension ServerLine {
    /// The size of an answer in bytes after which no further line is added, and the last line's operations
    /// are abbreviated. A client requests older lines by the last version.
    fileprivate static let historyBytes = 1 << 20
}

extension HistoryLine {
    /// The members of the answer to trip.history, with as many lines as fit, at least one. The other lines are not
    /// encoded.
    package static func encodedMembers(of lines: [HistoryLine]) -> [UInt8] {
        JSONWriter.members(reserving: 64 + 256 * lines.count) { json in
            json.key("entries")
            json.beginArray()
            for line in lines {
                json.encode(line)
                if json.byteCount >= ServerLine.historyBytes { break }
            }
            json.endArray()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func encode(_ line: HistoryLine) {
        let commit = line.commit
        beginObject()
        member("version", commit.version)
        member("at", line.at.description)
        member("user", line.user)
        member("summary", line.summary)
        key("items")
        encode(commit.changes.compactMap { $0.isEdit ? $0.id : nil })
        key("ops")
        beginArray()
        var isBrief = false
        for change in commit.changes where change.isEdit {
            isBrief = isBrief || byteCount >= ServerLine.historyBytes
            HistoryOperation(change, isBrief: isBrief).encode(into: &self)
        }
        if let (before, after) = line.headers {
            HistoryOperation(from: before, to: after).encode(into: &self)
        }
        endArray()
        if isBrief { member("brief", true) }
        endObject()
    }
}

extension HistoryOperation: WireObject {
    init<Coder: MemberCoder>(
        _ coder: inout Coder, encoding operation: HistoryOperation?
    ) throws(Coder.Failure) {
        self.init(
            kind: Kind(rawValue: try coder.required("op", operation?.kind.rawValue)) ?? .unknown,
            item: try coder.optional("item", operation?.item),
            title: try coder.optional("title", operation?.title),
            fields: try coder.unlessEmpty("fields", operation?.fields))
    }
}

extension HistoryField: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding field: HistoryField?) throws(Coder.Failure) {
        self.init(
            field: try coder.required("field", field?.field),
            before: try coder.nullable("before", field?.before),
            after: try coder.nullable("after", field?.after))
    }
}

extension HistoryField.Value: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        self = node.string.map(Self.text) ?? .json(String(decoding: node.rawBytes, as: UTF8.self))
    }

    func encode(into json: inout JSONWriter) {
        switch self {
        case .text(let text): json.value(text)
        case .json(let text): json.raw(Array(text.utf8))
        }
    }
}

extension HistoryEntry {
    /// Decodes the answer to trip.history.
    package static func list(result: JSONNode) throws(WireError) -> [HistoryEntry] {
        var entries: [HistoryEntry] = []
        for entry in try Fields(result).objects("entries") { entries.append(try HistoryEntry(entry)) }
        return entries
    }

    private init(_ fields: Fields) throws(WireError) {
        changedAt = try fields.required("at")
        version = try fields.required("version")
        user = try fields.required("user")
        summary = try fields.required("summary")
        operations = try fields.required("ops")
        // A daemon of 1.0 sends only this field.
        items = try fields.optional("items") ?? operations.compactMap(\.item)
    }
}
