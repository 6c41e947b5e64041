import JSONLine
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// What the tools of an assistant do. Names of trips and items are looked up; all else goes to the daemon as it is, so
/// that the assistant gets the daemon's own answers and refusals.
enum AssistantDeeds {
    static func list(_ desk: AssistantDesk, _: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        Array(try await desk.ask("trip.list", Array("{}".utf8)).rawBytes)
    }

    static func show(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let id = try await desk.snapshot(try trip(arguments)).trip.header.id
        return Array(try await desk.ask("trip.get", Answer.params { $0.member("trip", id) }).rawBytes)
    }

    static func check(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let snapshot = try await desk.snapshot(try trip(arguments))
        return Answer.params { json in
            json.member("version", snapshot.trip.version)
            json.key("problems")
            json.beginArray()
            for problem in snapshot.problems { json.encode(problem) }
            json.endArray()
        }
    }

    static func gaps(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        let id = try item(arguments, in: found)
        let params = Answer.params { json in
            json.member("trip", found.header.id)
            json.member("item", id)
        }
        return Array(try await desk.ask("item.gaps", params).rawBytes)
    }

    static func add(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let item = arguments?["item"], item.kind == .object else {
            throw .usage("item: an object with kind and fields is needed")
        }
        let kind = item["kind"]?.string.flatMap(ItemKind.init(rawValue:))
        if let kind { try AssistantTool.check(fields: item, of: kind, besides: ["kind", "id"], "item") }
        let place = try placement(arguments, in: found)
        return try await change(desk, "item.add") { json in
            json.member("trip", found.header.id)
            json.key("item")
            json.raw(item.rawBytes)
            if let place {
                json.key("to")
                json.encode(place)
            }
        }
    }

    static func edit(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let set = arguments?["set"], set.kind == .object else {
            throw .usage("set: an object is needed")
        }
        guard let name = arguments?["item"], !name.isNull else {
            try AssistantTool.check(fields: set, of: nil, "set")
            return try await change(desk, "trip.update") { json in
                json.member("trip", found.header.id)
                for (key, value) in set.members {
                    json.key(key)
                    json.raw(value.rawBytes)
                }
            }
        }
        let id = try item(arguments, in: found)
        try AssistantTool.check(fields: set, of: found[id]?.content.kind, "set")
        return try await change(desk, "item.update") { json in
            json.member("trip", found.header.id)
            json.member("item", id)
            json.key("set")
            json.raw(set.rawBytes)
        }
    }

    static func move(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard var place = try placement(arguments, in: found) else { throw .usage("to: a place is needed") }
        var names = arguments?["items"]?.elements.compactMap(\.string) ?? []
        if let one = arguments?["item"]?.string { names.insert(one, at: 0) }
        guard !names.isEmpty else { throw .usage("item: it is missing") }
        var edits: [Edit] = []
        for name in names {
            let id = try ItemName(name).item(in: found).id
            edits.append(.move(id, to: place))
            place = .after(id, day: place.day)
        }
        return Array(try await desk.client.change(.id(found.header.id), edits).answer.rawBytes)
    }

    static func shift(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let day = arguments?["fromDay"]?.int, let days = arguments?["days"]?.int, day >= 1,
            days.magnitude <= TripLimits.days
        else { throw .usage("fromDay (from 1 on) and days are needed, as integers") }
        let plan = try ShiftPlan(found, from: day, by: days)
        guard !plan.edits.isEmpty else {
            return Answer.params { json in
                json.member("version", found.version)
                json.member("noop", true)
            }
        }
        let made = try await desk.client.change(
            .id(found.header.id), plan.edits, ifVersion: found.version)
        return Array(made.answer.rawBytes)
    }

    static func undo(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let id = try await desk.snapshot(try trip(arguments)).trip.header.id
        let answer = try await desk.client.once { .undo(.id(id), ChangeOptions(seq: $0)) }
        return Array(answer.rawBytes)
    }

    static func importDryRun(
        _ desk: AssistantDesk, _ arguments: JSONNode?
    ) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let content = arguments?["content"]?.string else { throw .usage("content: it is missing") }
        let format = arguments?["format"]?.string.flatMap { FileFormat(rawValue: $0) }
        var schedule = try NamedSchedule("content", Array(content.utf8), as: format)
        if let source = arguments?["source"]?.string { schedule.options = ImportOptions(source: source) }
        schedule.options.removedItems = try await desk.removedItems(from: found)
        let plan = try ImportSource(path: "content", isStrict: false).plan(schedule, into: found)
        var json = JSONWriter()
        plan.report.encode(to: &json, trip: found.header.slug, version: found.version)
        return json.take()
    }

    // MARK: Arguments

    private static func trip(_ arguments: JSONNode?) throws(CommandFailure) -> String {
        guard let name = arguments?["trip"]?.string else { throw .usage("trip: it is missing") }
        return name
    }

    private static func item(_ arguments: JSONNode?, in trip: Trip) throws(CommandFailure) -> ItemID {
        guard let name = arguments?["item"]?.string else { throw .usage("item: it is missing") }
        return try ItemName(name).item(in: trip).id
    }

    /// A placement of the wire, whose anchors may be titles; nil where none is given.
    private static func placement(_ arguments: JSONNode?, in trip: Trip) throws(CommandFailure) -> Placement?
    {
        guard let to = arguments?["to"], !to.isNull else { return nil }
        func anchor(_ name: JSONNode?) throws(CommandFailure) -> Item? {
            guard let name = name?.string else { return nil }
            return try ItemName(name).item(in: trip)
        }
        let (above, below) = (try anchor(to["after"]), try anchor(to["before"]))
        guard let day = to["day"]?.int ?? (above ?? below)?.position.day else {
            throw .usage("to.day: it is missing")
        }
        switch (above, below) {
        case (let above?, let below?): return .between(above.id, below.id, day: day)
        case (let above?, nil): return .after(above.id, day: day)
        case (nil, let below?): return .before(below.id, day: day)
        case (nil, nil): return to["at"]?.string == "start" ? .start(day: day) : .end(day: day)
        }
    }

    /// Makes a change by a method of the wire.
    private static func change(
        _ desk: AssistantDesk, _ method: String, _ members: (inout JSONWriter) -> Void
    ) async throws(CommandFailure) -> [UInt8] {
        let answer = try await desk.client.once(method) { sequence in
            Answer.params { json in
                members(&json)
                json.member("seq", sequence)
            }
        }
        return Array(answer.rawBytes)
    }
}
