import CommandLineKit
import JSONLine
import LocalSystem
import TripModel

extension AssistantTool {
    /// Checks arguments against the tool's schema. Silently ignored arguments would have an effect other than
    /// intended.
    ///
    /// - Throws: `CommandFailure` with the first invalid argument and what would be valid.
    func check(_ arguments: JSONNode?) throws(CommandFailure) {
        guard let root = try? JSONDocument(parsing: Array(schema.utf8)).root else {
            preconditionFailure("the schema of \(name) is JSON")
        }
        guard let arguments, !arguments.isNull else { return }
        try Self.check(arguments, root, "")
    }

    private static func check(
        _ value: JSONNode, _ schema: JSONNode, _ path: String
    ) throws(CommandFailure) {
        let name = path.isEmpty ? "arguments" : path
        if let words = schema["enum"]?.elements.compactMap(\.string) {
            guard let word = value.string, words.contains(word) else {
                throw .usage("\(name): one of \(words.joined(separator: ", ")) is needed")
            }
        }
        switch schema["type"]?.string {
        case "string"?: if value.string == nil { throw .usage("\(name): a text is needed") }
        case "integer"?: if value.int == nil { throw .usage("\(name): a whole number is needed") }
        case "boolean"?: if value.bool == nil { throw .usage("\(name): true or false is needed") }
        case "array"?:
            guard value.kind == .array else { throw .usage("\(name): a list is needed") }
            guard let items = schema["items"] else { return }
            for (index, element) in value.elements.enumerated() {
                try check(element, items, "\(name)[\(index)]")
            }
        case "object"?:
            guard value.kind == .object else { throw .usage("\(name): an object is needed") }
            try checkMembers(of: value, schema, path)
        default:
            guard let types = schema["type"]?.elements.compactMap(\.string), types == ["integer", "string"]
            else {
                return
            }
            if value.int == nil, value.string == nil { throw .usage("\(name): a number or a text is needed") }
        }
    }

    private static func checkMembers(
        of value: JSONNode, _ schema: JSONNode, _ path: String
    ) throws(CommandFailure) {
        let properties = schema["properties"]?.members.map { (key: $0.key, schema: $0.value) } ?? []
        for (key, member) in value.members {
            let place = path.isEmpty ? key : "\(path).\(key)"
            if let known = properties.first(where: { $0.key == key })?.schema {
                // Null counts as absent.
                if !member.isNull { try check(member, known, place) }
            } else if schema["additionalProperties"]?.bool == false {
                throw unknown(place, key, among: properties.map(\.key))
            }
        }
    }

    /// Checks that all names are fields of a kind, or of a trip if there is no kind.
    static func check(
        fields: JSONNode, of kind: ItemKind?, besides others: Set<String> = [], _ path: String
    ) throws(CommandFailure) {
        let known =
            kind.map { $0.fields.map(\.name) + ($0 == .travel ? [ArrivalText.name] : []) } ?? [
                "name", "startDate", "dayCount", "timeZone", "slug",
            ]
        for (key, _) in fields.members where !known.contains(key) && !others.contains(key) {
            // A field of another kind gets a more specific error.
            if kind != nil, ItemField(name: key) != nil || ["day", "sortOrder"].contains(key) { continue }
            throw unknown("\(path).\(key)", key, among: known)
        }
    }

    private static func unknown(_ place: String, _ name: String, among names: [String]) -> CommandFailure {
        let question = NearestSpelling.question(for: name, among: names)
        let right = question.isEmpty ? "; there are \(names.joined(separator: ", "))" : question
        return .usage("\(PlainText.visible(place)) is not known\(right)")
    }
}

extension AssistantActions {
    static func trip(_ arguments: JSONNode?) throws(CommandFailure) -> String {
        guard let name = arguments?["trip"]?.string else { throw .usage("trip: it is missing") }
        return name
    }

    static func item(_ arguments: JSONNode?, in trip: Trip) throws(CommandFailure) -> ItemID {
        guard let name = arguments?["item"]?.string else { throw .usage("item: it is missing") }
        return try ItemName(name).item(in: trip).id
    }

    /// The items of `item` and `items`, at least one.
    static func items(_ arguments: JSONNode?, in trip: Trip) throws(CommandFailure) -> [ItemID] {
        let names = itemNames(arguments)
        guard !names.isEmpty else { throw .usage("item: it is missing") }
        var items: [ItemID] = []
        for name in names {
            let id = try ItemName(name).item(in: trip).id
            if !items.contains(id) { items.append(id) }
        }
        return items
    }

    static func itemNames(_ arguments: JSONNode?) -> [String] {
        (arguments?["item"]?.string.map { [$0] } ?? [])
            + (arguments?["items"]?.elements.compactMap(\.string) ?? [])
    }

    /// A day by its number or word; nil if none is given.
    static func day(_ value: JSONNode?, in trip: Trip) throws(CommandFailure) -> Int? {
        try value?.string.map { word throws(CommandFailure) in try DayWord(text: word).day(of: trip) }
            ?? value?.int
    }

    /// A placement in protocol form, whose anchors may be titles; nil if none is given.
    static func placement(_ arguments: JSONNode?, in trip: Trip) throws(CommandFailure) -> Placement? {
        guard let to = arguments?["to"], !to.isNull else { return nil }
        func anchor(_ name: JSONNode?) throws(CommandFailure) -> Item? {
            guard let name = name?.string else { return nil }
            return try ItemName(name).item(in: trip)
        }
        let (above, below) = (try anchor(to["after"]), try anchor(to["before"]))
        guard let day = try day(to["day"], in: trip) ?? (above ?? below)?.position.day else {
            throw .usage("to.day: it is missing")
        }
        switch (above, below) {
        case (let above?, let below?): return .between(above.id, below.id, day: day)
        case (let above?, nil): return .after(above.id, day: day)
        case (nil, let below?): return .before(below.id, day: day)
        case (nil, nil): return to["at"]?.string == "start" ? .start(day: day) : .end(day: day)
        }
    }

    /// The fields as the daemon reads them: a cost and times may be given as people write them, and the start of an event
    /// sets its zone if none is named.
    ///
    /// - Parameters:
    ///   - item: the item in the trip; nil if it is new.
    ///   - notes: gets a sentence if an event's times are not shown as they were written.
    static func reading(
        _ fields: JSONNode, _ path: String, for item: Item? = nil, in trip: Trip, _ notes: inout [String]
    ) throws(CommandFailure) -> JSONNode {
        var (cost, start): (Cost?, EventStart?)
        if let text = fields["cost"]?.string {
            do throws(CostText.Fault) { cost = try trip.cost(written: text) } catch {
                throw .usage("\(path).cost: \(error.reason)")
            }
        }
        if let text = fields["startsAt"]?.string {
            var game = Game(gameID: fields["gameId"]?.string ?? "", title: "", startsAt: .epoch)
            if case .game(let old)? = item?.content { game = old }
            if let city = fields["city"] { game.city = city.string }
            if let zone = fields["timeZone"] { game.timeZone = zone.string }
            let read = try FieldWord.start(text, of: .game(game), in: trip)
            start = read
            if let note = read.note { notes.append(note) }
        }
        let bytes = Answer.params { json in
            for (key, value) in fields.members {
                if key == "timeZone", start != nil { continue }
                json.key(escaping: key)
                if key == "cost", let cost {
                    json.beginObject()
                    json.member("amount", cost.amount)
                    json.member("currency", cost.currency)
                    json.endObject()
                } else if key == "startsAt", let start {
                    json.value(start.moment.text)
                } else if key == "time", let written = value.string.flatMap(StartTime.init(written:)) {
                    json.value(written.clock.description)
                    if fields["lateNight"] == nil,
                        written.isLateNight || item?.content[.lateNight] == .flag(true)
                    {
                        json.member("lateNight", written.isLateNight)
                    }
                } else if key == "endTime", let time = value.string.flatMap(TimeText.time) {
                    json.value(time.description)
                } else {
                    json.raw(value.rawBytes)
                }
            }
            if let zone = start?.zone { json.member("timeZone", zone) }
        }
        return (try? JSONDocument(parsing: bytes).root) ?? fields
    }

    /// The fields that an arrival among the fields sets; none if there is no arrival.
    static func arrival(
        _ fields: JSONNode, of content: ItemContent, at item: Item?, onDay day: Int, in trip: Trip
    ) throws(CommandFailure) -> [FieldChange] {
        guard let text = fields.member(named: ArrivalText.name)?.string else { return [] }
        let clocks = [
            fields["time"]?.string.flatMap { ClockTime($0) }.map { FieldChange.time($0) },
            fields["lateNight"]?.bool.map { .lateNight($0) },
            fields["timeZone"]?.string.map { .timeZone($0) },
            fields["arrivalTimeZone"]?.string.map { .arrivalTimeZone($0) },
        ]
        return try FieldWord.arrival(
            text, of: content.with(clocks.compactMap(\.self)), at: item, onDay: day, in: trip)
    }
}
