import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `today [TRIP]`: today's items.
enum TodayCommand {
    static let command = Command(
        name: "today", summary: "show what is planned for today", forms: ["[TRIP] [--person NAME]"],
        words: [WordRow("TRIP", .trip, isRequired: false)], options: [PersonFilter.option],
        examples: [
            .init("today", "today's items of every trip that is under way"),
            .init("today japan", "of one trip"),
        ],
        details: [
            "The date is that of where you are: in the zone of the last arrival or attended event.",
            "Travel under way comes first. show TRIP --day DAY shows another day.",
        ],
        run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let client = try await invocation.reader()
        let name = invocation.words.first.map { TripName($0) }
        var (trips, current) = try await current(name, client)
        for (index, trip) in try PersonFilter.trips(current.map(\.snapshot.trip), invocation).enumerated() {
            let whole = current[index].snapshot
            current[index].snapshot = Snapshot(trip: trip, epoch: whole.epoch, problems: whole.problems)
        }
        if invocation.isJSON { return Answer.print { encode(current, to: &$0) } }
        for (index, today) in current.enumerated() {
            if index > 0 { StandardStream.output.print("") }
            if name == nil { StandardStream.output.print(PlainText.visible(today.snapshot.trip.header.name)) }
            let lines = PlainText.underWay(in: today.snapshot.trip, at: Today.seconds)
            for line in lines { StandardStream.output.print(line) }
            StandardStream.output.print(PlainText.listing(of: today.snapshot, days: today.day...today.day))
        }
        if current.isEmpty { invocation.note(sentence(for: trips, isNamed: name != nil)) }
    }

    /// The trips with a day today, and that day.
    static func current(
        _ name: TripName?, _ client: TripClient
    ) async throws(CommandFailure) -> (trips: [TripSummary], current: [(snapshot: Snapshot, day: Int)]) {
        let trips = try await TripName.summaries(name, client)
        var current: [(snapshot: Snapshot, day: Int)] = []
        for trip in trips {
            // The date of another zone differs by a day at most.
            let near = trip.header.dayNumber(of: Today.date(in: trip.header.timeZone) ?? Today.date)
            guard (near - 1...near + 1).overlaps(trip.header.days) else { continue }
            let snapshot = try await asking(await client.snapshot(of: .id(trip.header.id)))
            let day = trip.header.dayNumber(of: Today.date(in: snapshot.trip))
            if trip.header.days.contains(day) { current.append((snapshot, day)) }
        }
        return (trips, current)
    }

    /// Writes `trips`: each with its header, day, date and items.
    static func encode(_ current: [(snapshot: Snapshot, day: Int)], to json: inout JSONWriter) {
        json.objects("trips", current) { current, json in
            let (snapshot, day) = current
            json.key("trip")
            json.encode(snapshot.trip.header)
            json.member("day", day)
            json.member("date", snapshot.trip.header.date(ofDay: day)?.description)
            json.array("items", snapshot.trip.items(onDay: day)) { item, json in json.encode(item) }
            encode(underWay: snapshot.trip, to: &json)
        }
    }

    /// Writes `underWay` if there is any: the travel that is under way now, with the local time of its arrival.
    private static func encode(underWay trip: Trip, to json: inout JSONWriter) {
        let underWay = TripTimes(trip).underWay(at: Today.seconds)
        if underWay.isEmpty { return }
        json.objects("underWay", underWay) { travel, json in
            json.member("until", travel.until.description)
            json.key("item")
            json.encode(travel.item)
        }
    }

    /// The message if no trip is under way: when it begins, or that it is over.
    private static func sentence(for trips: [TripSummary], isNamed: Bool) -> String {
        let today = Today.date
        guard
            let next = trips.filter({ $0.header.startDate > today }).min(by: {
                $0.header.startDate < $1.header.startDate
            })
        else {
            return isNamed
                ? "\(PlainText.visible(trips.first?.header.name ?? "")) is over" : "no trip is under way"
        }
        let days = next.header.startDate.daysSince1970 - today.daysSince1970
        return (isNamed ? "" : "no trip is under way; ")
            + "\(PlainText.visible(next.header.name)) begins on \(DateText.text(of: next.header.startDate)), "
            + "in \(counted(days, "day"))"
    }
}

/// `next [TRIP]`: the next items, by their local clocks.
enum NextCommand {
    private static let count = OptionRow.value("-n", "N", "the number of items (1)")

    static let command = Command(
        name: "next", summary: "show what comes next",
        forms: ["[TRIP] [-n N] [--person NAME] [--format LINE]"],
        words: [WordRow("TRIP", .trip, isRequired: false)],
        options: [count, PersonFilter.option, LineFormat.option],
        examples: [
            .init("next", "the next item of all trips"),
            .init("next japan -n 3", "the next three items of a trip"),
            .init("next --format '{day} {time} {title}'", "a line for a status bar"),
        ],
        details: [
            "Times are local times of the place. An item without a time counts as next until the next",
            "timed item of its day begins, or until the day ends. Travel under way comes first, as in",
            "until 08:30  Berlin → Paris, and is not counted. Without a next item nothing is printed. The fields of LINE are those of show.",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let format = try invocation.lineFormat(LineFormat.itemFields)
        let count = try invocation.number(count) ?? 1
        guard count > 0 else { throw .usage("-n is a number from 1 on, not \(count)") }
        let client = try await invocation.reader()
        let (shown, isNamed, underWay) = try await coming(
            invocation.words.first.map { TripName($0) }, count, client
        ) { trip throws(CommandFailure) in try PersonFilter.trips(trip, invocation) }
        if invocation.isJSON { return Answer.print { encode(shown, to: &$0) } }
        if let format {
            for (trip, next) in shown { StandardStream.output.print(format.line(of: next.item, in: trip)) }
            return
        }
        for line in underWay { StandardStream.output.print(line) }
        if shown.isEmpty { return underWay.isEmpty ? invocation.note("there is no next item") : () }
        for (trip, next) in shown {
            let date = trip.header.date(ofDay: next.item.position.day).map(DateText.text(of:)) ?? ""
            let time = next.item.clockTime.map { " \($0)" } ?? ""
            let name = isNamed ? "  (\(PlainText.visible(trip.header.name)))" : ""
            StandardStream.output.print(
                "\(date)\(time)  \(PlainText.visible(next.item.content.title))\(name)")
        }
    }

    /// The next items of a trip, or of all.
    ///
    /// - Parameter filter: removes items from the trips.
    /// - Returns: the items, whether they may be of several trips, and lines for the travel that is under way.
    static func coming(
        _ name: TripName?, _ count: Int, _ client: TripClient,
        filter: ([Trip]) throws(CommandFailure) -> [Trip] = { trips throws(CommandFailure) in trips }
    ) async throws(CommandFailure) -> (
        items: [(trip: Trip, next: TripTimes.Coming)], isNamed: Bool, underWay: [String]
    ) {
        var trips: [Trip] = []
        for summary in try await TripName.summaries(name, client) {
            trips.append(
                try await asking(await client.snapshot(of: .id(summary.header.id))).trip)
        }
        let now = Today.seconds
        var underWay: [String] = []
        var coming: [(trip: Trip, next: TripTimes.Coming)] = []
        for trip in try filter(trips) {
            underWay += PlainText.underWay(in: trip, at: now)
            coming += TripTimes(trip).coming(after: now).prefix(count).map { (trip, $0) }
        }
        // Items of one trip keep their shown order.
        if trips.count > 1 { coming = ordered(coming) }
        return (Array(coming.prefix(count)), trips.count > 1, underWay)
    }

    private static func ordered(
        _ coming: [(trip: Trip, next: TripTimes.Coming)]
    ) -> [(trip: Trip, next: TripTimes.Coming)] {
        coming.enumerated().sorted { left, right in
            (left.element.next.until, left.offset) < (right.element.next.until, right.offset)
        }.map(\.element)
    }

    /// Writes `items`: each with the trip's slug, the date and the item.
    static func encode(_ shown: [(trip: Trip, next: TripTimes.Coming)], to json: inout JSONWriter) {
        json.objects("items", shown) { shown, json in
            let (header, item) = (shown.trip.header, shown.next.item)
            json.member("trip", header.slug)
            json.member("date", header.date(ofDay: item.position.day)?.description)
            json.key("item")
            json.encode(item)
        }
    }
}
