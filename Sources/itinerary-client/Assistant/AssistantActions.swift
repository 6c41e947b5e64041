import JSONLine
import ScheduleFiles
import TripClient
import TripModel
import TripProtocol

/// The assistant's tools. They look up names of trips and items; everything else is passed on, so that the
/// assistant gets the daemon's own answers and refusals.
enum AssistantActions {
    static func list(_ desk: AssistantDesk, _: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        Array(try await desk.ask("trip.list", Array("{}".utf8)).rawBytes)
    }

    static func show(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        let answer = try await desk.ask("trip.get", Answer.params { $0.member("trip", found.header.id) })
        let (from, to) = (arguments?["from"]?.string, arguments?["to"]?.string)
        guard let days = try ShowCommand.days(from: from, to: to, found) else {
            return Array(answer.rawBytes)
        }
        return Answer.params { ShowCommand.encode(answer, days: days, to: &$0) }
    }

    static func today(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let name = arguments?["trip"]?.string.map { TripName($0) }
        let (_, current) = try await desk.client.reading { client throws(CommandFailure) in
            try await TodayCommand.current(name, client)
        }
        return Answer.params { TodayCommand.encode(current, to: &$0) }
    }

    static func next(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let name = arguments?["trip"]?.string.map { TripName($0) }
        let count = arguments?["count"]?.int ?? 1
        guard count > 0 else { throw .usage("count: a number from 1 on is needed") }
        let coming = try await desk.client.reading { client throws(CommandFailure) in
            try await NextCommand.coming(name, count, client).items
        }
        return Answer.params { NextCommand.encode(coming, to: &$0) }
    }

    static func search(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8]
    {
        let text = arguments?["text"]?.string ?? ""
        let name = arguments?["trip"]?.string.map { TripName($0) }
        let found = try await desk.client.reading { client throws(CommandFailure) in
            try await SearchCommand.found(text, in: name, client).items
        }
        return Answer.params { SearchCommand.encode(found, to: &$0) }
    }

    static func log(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let id = try await desk.snapshot(try trip(arguments)).trip.header.id
        let limit = arguments?["limit"]?.int
        let params = Answer.params { json in
            json.member("trip", id)
            if let limit { json.member("limit", limit) }
        }
        return Array(try await desk.ask("trip.history", params).rawBytes)
    }

    static func export(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8]
    {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let format = arguments?["format"]?.string.flatMap({ FileFormat(rawValue: $0) }) else {
            throw .usage("format: it is missing")
        }
        return Answer.params { json in
            json.member("format", format.rawValue)
            json.member("content", String(decoding: format.text(of: found), as: UTF8.self))
        }
    }

    // MARK: Whole trips

    static func create(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8]
    {
        guard let name = arguments?["name"]?.string else { throw .usage("name: it is missing") }
        var draft = try CreateCommand.draft(
            named: name, start: arguments?["start"]?.string, days: arguments?["days"]?.int.map { "\($0)" },
            zone: arguments?["zone"]?.string, slug: arguments?["slug"]?.string)
        draft.id = .random()
        let request = Request.createTrip(draft)
        return Array(try await desk.client.once { _ in request }.rawBytes)
    }

    static func copy(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let original = try await desk.snapshot(try trip(arguments), includingSourceValues: true).trip
        let today = Today.date(in: original.header.timeZone) ?? Today.date
        let start = try CreateCommand.date(arguments?["start"]?.string ?? "", today: today)
        let made = try await CopyCommand.make(
            of: original, from: start, named: arguments?["name"]?.string,
            withoutGames: arguments?["withoutGames"]?.bool == true, desk.client)
        return Answer.params { json in
            json.key("trip")
            json.encode(made.trip.header)
            json.member("version", made.trip.version)
            json.member("eventsOutside", made.outside)
            json.member("left", made.left)
        }
    }

    static func delete(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8]
    {
        let header = try await desk.snapshot(try trip(arguments)).trip.header
        let kept = try await desk.client.delete(header.id)
        return Answer.params { json in
            json.key("trip")
            json.encode(header)
            json.member("keptUntil", kept?.description)
        }
    }

    static func restore(
        _ desk: AssistantDesk, _ arguments: JSONNode?
    ) async throws(CommandFailure) -> [UInt8] {
        let name = arguments?["trip"]?.string
        let names = itemNames(arguments)
        guard let name else {
            guard names.isEmpty else { throw .usage("trip: it is missing") }
            return try await desk.client.reading { client throws(CommandFailure) in
                let trash = try await Trash(client)
                return Answer.params { trash.encode(to: &$0) }
            }
        }
        if !names.isEmpty {
            let found = try await desk.snapshot(name).trip
            let edits = try await desk.client.reading { client throws(CommandFailure) in
                try await Trash.edits(restoring: names, in: found, client)
            }
            return try await change(desk, edits, of: found, arguments)
        }
        do throws(CommandFailure) {
            let deleted = try await desk.client.reading { client throws(CommandFailure) in
                try await Trash.trip(named: name, client)
            }
            return Array(try await desk.client.restore(deleted).rawBytes)
        } catch {
            guard error.exitCode == .noInput,
                let there = try? await desk.snapshot(name).trip.header
            else { throw error }
            let items = try await Trash.items(of: there.id, desk.client.client)
            return Answer.params { json in
                json.member("trip", there.slug)
                json.encodeMembers(of: items)
            }
        }
    }

    static func check(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let snapshot = try await desk.snapshot(try trip(arguments))
        return Answer.params { json in
            json.member("version", snapshot.trip.version)
            json.array("problems", snapshot.problems) { problem, json in json.encode(problem) }
        }
    }

    static func accept(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8]
    {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let key = arguments?["problem"]?.string else { throw .usage("problem: it is missing") }
        let isAccepted = arguments?["accepted"]?.bool ?? true
        let acceptance = TripChange.Acceptance(of: key, isAccepted)
        return try await change(desk, [.trip(TripChange(acceptance: acceptance))], of: found, arguments)
    }

    static func todo(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let action = arguments?["action"]?.string.flatMap(TodoCommand.Action.init) else {
            return Answer.params { TodoCommand.encode(found.header.todo, of: found, to: &$0) }
        }
        guard let entry = arguments?["entry"]?.string else { throw .usage("entry: it is missing") }
        let edits = try TodoCommand.edits(
            action, [entry], in: found, onDay: try day(arguments?["day"], in: found))
        return try await change(desk, edits, of: found, arguments)
    }

    static func costs(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        let rates = try CostsCommand.rates(of: found, written: arguments?["rates"]?.string)
        let shares = try CostsCommand.shares(of: found, by: arguments?["by"]?.string, in: rates)
        return Answer.params { CostsCommand.encode(shares, of: found, to: &$0) }
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
        guard let given = arguments?["item"], given.kind == .object else {
            throw .usage("item: an object with kind and fields is needed")
        }
        var notes: [String] = []
        let item = try reading(given, "item", in: found, &notes)
        let kind = item["kind"]?.string.flatMap(ItemKind.init(rawValue:))
        if let kind { try AssistantTool.check(fields: item, of: kind, besides: ["kind", "id"], "item") }
        var place = try placement(arguments, in: found)
        let to = arguments?["to"]
        let isOpen = ["at", "after", "before"].allSatisfy { to?[$0]?.isNull ?? true }
        // Invalid content is passed on, so that the daemon reports the error.
        var content = try? ItemContent(item)
        if let given = content {
            let minutes = try arrival(item, of: given, at: nil, onDay: place?.day ?? 1, in: found)
            content = given.with(minutes)
            try FieldWord.checkCities(of: given)
            if case .travel(let travel)? = content {
                let day = found.day(ofNew: .travel(travel), named: place?.day)
                if case .travel(var asGiven) = given {
                    asGiven.durationMinutes = travel.durationMinutes
                    notes += found.borrowedZones(
                        of: asGiven, onDay: day,
                        isByArrival: item.member(named: ArrivalText.name) != nil
                    ).map(\.sentence)
                }
                let zones = found.zones(for: travel, onDay: day, isByArrival: false)
                content = content?.with(zones)
            }
        }
        if let given = content, let sharing = found.sharing(of: given) {
            content = given.with([.sharedBy(sharing.names)])
            notes.append(sharing.note)
        }
        if case .travel(let travel)? = content, let open = found.openingSide(of: travel, onDay: place?.day) {
            content = .travel(open.travel)
        }
        if let content, isOpen { place = found.placement(ofNew: content, onDay: place?.day) }
        let answer = try await change(desk, "item.add", arguments) { json in
            json.member("trip", found.header.id)
            json.key("item")
            if let content {
                json.beginObject()
                json.member("id", item["id"]?.string)
                json.encodeMembers(of: content)
                json.endObject()
            } else {
                json.raw(item.rawBytes)
            }
            if let place {
                json.key("to")
                json.encode(place)
            }
        }
        return adding(notes, to: answer)
    }

    static func edit(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let given = arguments?["set"], given.kind == .object else {
            throw .usage("set: an object is needed")
        }
        guard let name = arguments?["item"], !name.isNull else {
            let set = given
            try AssistantTool.check(fields: set, of: nil, "set")
            return try await change(desk, "trip.update", arguments) { json in
                json.member("trip", found.header.id)
                for (key, value) in set.members {
                    json.key(escaping: key)
                    json.raw(value.rawBytes)
                }
            }
        }
        let id = try item(arguments, in: found)
        try AssistantTool.check(fields: given, of: found[id]?.content.kind, "set")
        var notes: [String] = []
        let set = try reading(given, "set", for: found[id], in: found, &notes)
        let byArrival: [FieldChange] =
            if let item = found[id] {
                try arrival(set, of: item.content, at: item, onDay: item.position.day, in: found)
            } else { [] }
        let sharing = found[id].flatMap { Self.sharing(of: $0, set, in: found) }
        if let sharing { notes.append(sharing.note) }
        let answer = try await change(desk, "item.update", arguments) { json in
            json.member("trip", found.header.id)
            json.member("item", id)
            json.key("set")
            json.beginObject()
            for (key, value) in set.members where key != ArrivalText.name {
                json.key(escaping: key)
                json.raw(value.rawBytes)
            }
            if let sharing { json.member("for", sharing.names) }
            for change in byArrival {
                switch change.value {
                case .minutes(let minutes): json.member("durationMinutes", minutes)
                case .text(let zone):
                    json.key(escaping: change.field.name)
                    json.value(zone)
                default: continue
                }
            }
            json.endObject()
        }
        return adding(notes, to: answer)
    }

    static func move(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard var place = try placement(arguments, in: found) else { throw .usage("to: a place is needed") }
        var edits: [Edit] = []
        for id in try items(arguments, in: found) {
            edits.append(.move(id, to: place))
            place = .after(id, day: place.day)
        }
        return try await change(desk, edits, of: found, arguments)
    }

    static func remove(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8]
    {
        let found = try await desk.snapshot(try trip(arguments)).trip
        let ids = try items(arguments, in: found)
        let answer = try await change(desk, ids.map { Edit.remove($0) }, of: found, arguments)
        guard arguments?["dryRun"]?.bool == true else { return answer }
        return Answer.params { json in
            json.member("version", found.version)
            json.array("removed", ids.compactMap({ found[$0] })) { item, json in json.encode(item) }
        }
    }

    static func shift(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let day = try day(arguments?["fromDay"], in: found) else {
            throw .usage("fromDay: it is missing")
        }
        guard let days = arguments?["days"]?.int, day >= 1, days.magnitude <= TripLimits.days else {
            throw .usage("fromDay is from 1 on, and days at most \(TripLimits.days)")
        }
        let plan = try ShiftPlan(found, from: day, by: days)
        guard !plan.edits.isEmpty else {
            return Answer.params { json in
                json.member("version", found.version)
                json.member("noop", true)
            }
        }
        return try await change(desk, plan.edits, of: found, arguments, ifVersion: found.version)
    }

    static func swap(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let day = try day(arguments?["day"], in: found),
            let other = try self.day(arguments?["other"], in: found)
        else { throw .usage("day and other: two days of the trip are needed") }
        let edits = try SwapCommand.edits(day, other, of: found)
        return try await change(desk, edits, of: found, arguments, ifVersion: found.version)
    }

    static func `repeat`(
        _ desk: AssistantDesk, _ arguments: JSONNode?
    ) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments)).trip
        guard let item = found[try item(arguments, in: found)] else { throw .usage("item: it is missing") }
        let edits = try RepeatCommand.edits(item, on: arguments?["days"]?.string ?? "", of: found)
        return try await change(desk, edits, of: found, arguments)
    }

    static func undo(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        try await step(.undo, desk, arguments)
    }

    static func redo(_ desk: AssistantDesk, _ arguments: JSONNode?) async throws(CommandFailure) -> [UInt8] {
        try await step(.redo, desk, arguments)
    }

    private static func step(
        _ direction: StepBack.Direction, _ desk: AssistantDesk, _ arguments: JSONNode?
    ) async throws(CommandFailure) -> [UInt8] {
        let id = try await desk.snapshot(try trip(arguments)).trip.header.id
        let answer = try await StepBack.make(
            direction, .id(id), desk.client, isDryRun: arguments?["dryRun"]?.bool == true)
        return answer.map { Array($0.rawBytes) } ?? Answer.params { $0.member("noop", true) }
    }

    static func importFile(
        _ desk: AssistantDesk, _ arguments: JSONNode?
    ) async throws(CommandFailure) -> [UInt8] {
        let found = try await desk.snapshot(try trip(arguments), includingSourceValues: true).trip
        guard let content = arguments?["content"]?.string else { throw .usage("content: it is missing") }
        let format = arguments?["format"]?.string.flatMap { FileFormat(rawValue: $0) }
        var schedule = try NamedSchedule("content", Array(content.utf8), as: format)
        if let source = arguments?["source"]?.string {
            schedule.options = ImportOptions(source: source)
            schedule.options.isSourceNamed = true
        }
        if arguments?["restoreRemoved"]?.bool != true {
            schedule.options.removedItems = try await desk.removedItems(from: found)
        }
        schedule.options.prunedContents = PrunedItems().contents(of: found.header.id)
        schedule.options.pruning =
            switch arguments?["prune"]?.string {
            case "some"?: .some
            case "all"?: .all
            default: .none
            }
        if schedule.options.pruning != .none, !schedule.options.isSourceNamed,
            schedule.file.calendarName == nil
        {
            throw .usage("source: it is missing; prune needs the name of the source")
        }
        schedule.options.takesSource = arguments?["theirs"]?.bool == true
        schedule.options.extends = arguments?["extend"]?.bool == true
        schedule.options.attends = arguments?["notAttending"]?.bool != true
        schedule.options.city = arguments?["city"]?.string
        schedule.options.timed = arguments?["as"]?.string == "custom" ? .custom : .games
        let plan = try ImportSource(path: "content", isStrict: false).plan(schedule, into: found)
        var version = found.version
        if arguments?["dryRun"]?.bool == false, !plan.edits.isEmpty {
            let made = try await desk.client.change(
                .id(found.header.id), plan.edits, ifVersion: found.version)
            version = made.version
            try PrunedItems().add(of: plan, in: found, version: version)
        }
        var json = JSONWriter()
        plan.report.encode(to: &json, trip: found.header.slug, version: version)
        return json.take()
    }
}
