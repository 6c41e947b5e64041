import JSONLine
import TripModel
import TripProtocol

/// A trip in our own JSON format: `{"format":"itineraryd/1","trip":{…},"items":[…]}`.
package struct TripFile: Equatable, Sendable {
    /// The trip's own fields.
    package let header: TripHeader
    /// Its items as entries.
    package private(set) var entries = FileEntries()

    /// The value of the member `format`.
    static let format = "itineraryd/1"

    /// Parses a trip.
    ///
    /// - Throws: `FileError` if it is not a trip of this format; a single invalid item is skipped.
    package init(_ text: FileText) throws(FileError) {
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONDocument(parsing: text.bytes[text.start...]).root
        } catch {
            let line = Self.line(at: text.start + error.offset, in: text.bytes)
            throw .json("line \(line): it is not JSON: \(error.reason)")
        }
        guard root.kind == .object else { throw .json("it is not an object with format, trip and items") }
        guard let format = root["format"]?.string else {
            throw .json("it has no format; \"format\":\"\(Self.format)\" is needed")
        }
        guard format == Self.format else {
            throw .json("its format is \(shown(format)); only \(Self.format) is supported")
        }
        guard let trip = root["trip"] else { throw .json("it has no trip") }
        guard let items = root["items"], items.kind == .array else { throw .json("it has no list of items") }
        do throws(WireError) {
            header = try TripHeader(trip)
        } catch {
            throw .json(TextRule.visible("the trip: \(error.message)"))
        }
        entries.rates = header.rates
        entries.acceptedProblems = header.acceptedProblems.sorted()
        entries.todo = header.todo.compactMap { entry in
            EntryText.line(entry.text, most: TripLimits.textBytes).text.map {
                FileTodo(
                    own: entry.id, id: entry.id.description, text: $0, isDone: entry.doneBy != nil,
                    item: entry.item)
            }
        }
        guard items.count <= FileText.maximumEntries else { throw .tooManyEntries }
        var line = 1
        var counted = text.start
        for node in items.elements {
            // Elements come in the order of the bytes, so each byte is scanned once.
            let start = node.rawBytes.startIndex + text.start
            line += text.bytes[counted..<max(start, counted)].count { $0 == UInt8(ascii: "\n") }
            counted = max(start, counted)
            read(node, line)
        }
    }

    private static func line(at offset: Int, in bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }

    private mutating func read(_ node: JSONNode, _ line: Int) {
        let id = node["id"]?.string
        if let id { entries.present.insert(TextKey(id)) }
        let content: ItemContent
        do throws(WireError) {
            content = try ItemContent(node)
        } catch {
            entries.skipped.append(SkippedEntry(line: line, id: id, reason: TextRule.visible(error.message)))
            if id == nil { entries.hasUnknown = true }
            return
        }
        guard let when = when(node, content) else {
            if id == nil { entries.hasUnknown = true }
            entries.skipped.append(
                SkippedEntry(line: line, id: id, field: "day", reason: "its day is missing or less than 1"))
            return
        }
        var builder = EntryBuilder(
            FileEntry(line: line, id: id ?? "line \(line)", kind: content.kind, when: when))
        if let item = id.flatMap(ItemID.init) {
            var own = OwnMark()
            own.item = item
            own.sortOrder = node["sortOrder"]?.double.flatMap {
                $0.magnitude <= Position.maximumOrder ? $0 : nil
            }
            builder.entry.own = own
        }
        for field in content.kind.fields {
            guard let value = content[field] else { continue }
            switch (field, value) {
            case (.startsAt, _): break
            case (.timeZone, _) where content.kind == .game: break
            case (_, .text(let text)): builder.set(field, text)
            default: builder.entry[field] = value
            }
        }
        entries.notes += builder.notes
        entries.entries.append(builder.entry)
    }

    private func when(_ node: JSONNode, _ content: ItemContent) -> FileEntry.When? {
        if case .game(let game) = content { return .moment(game.startsAt, zone: game.timeZone) }
        guard let day = node["day"]?.int, day.magnitude <= 1_000_000 else { return nil }
        return header.date(ofDay: day).map(FileEntry.When.date) ?? .day(day)
    }
}

extension TripFile {
    /// Writes a trip with an item per line.
    package static func text(of trip: Trip) -> [UInt8] {
        var writer = JSONWriter(reserving: 512 * (trip.itemCount + 1))
        writer.beginObject()
        writer.member("format", format)
        writer.key("trip")
        writer.encode(trip.header)
        writer.array("items", trip.items) { item, writer in writer.encode(item) }
        writer.endObject()
        writer.endLine()
        return writer.take()
    }
}
