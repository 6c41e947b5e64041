import CommandLineKit
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `add`: a custom item, travel, a game, or an item per line of standard input.
enum AddCommand {
    private static let from = OptionRow.value("--from", "CITY", "travel: the departure city")
    private static let to = OptionRow.value("--to", "CITY", "travel: the arrival city")
    private static let afterGame = OptionRow.value(
        "--after-game", "ITEM", "travel: leave after this event, or none", .item)
    private static let beforeGame = OptionRow.value(
        "--before-game", "ITEM", "travel: arrive before this event, or none", .item)
    private static let game = OptionRow.value("--game", "ID", "an event, with the id that its schedule uses")
    private static let starts = OptionRow.value(
        "--starts", "MOMENT", "an event's start, such as \"3 Apr 18:00\" or 2027-04-03T18:00:00+09:00")

    private static let idea = OptionRow.flag(
        "--idea", "an idea: keep it in the list of things to do, without a day")

    static let command = Command(
        name: "add", summary: "add an item to a trip",
        forms: [
            "TRIP TITLE [FIELD=VALUE…] [PLACE]",
            "TRIP --from CITY --to CITY [--after-game ITEM] [--before-game ITEM] [FIELD=VALUE…] [PLACE]",
            "TRIP [TITLE] [--game ID] --starts MOMENT [FIELD=VALUE…]",
            "[TRIP] - [PLACE]",
        ],
        words: [
            .trip, WordRow("TITLE", .text, isRequired: false),
            WordRow("FIELD=VALUE", .field, isRequired: false, repeats: true),
        ],
        options: [from, to, afterGame, beforeGame, game, starts, idea] + PlaceWords.options,
        examples: [
            .init(
                "add japan \"Dinner at Gonpachi\" time=19:30 cost=\"45 EUR\" --day 2",
                "an item with a time and a cost"),
            .init("add japan \"19:30 Ramen 1h 12 EUR @Tokyo\"", "with a time, a duration, a cost and a city"),
            .init("add japan Tea --after Dinner", "directly after another item"),
            .init("add japan --from Tokyo --to Kyoto mode=train", "travel, at the first valid place"),
            .init(
                "add cup --from Toronto --to Boston --after-game \"Canada v\" --before-game \"England v\"",
                "travel between two of several events"),
            .init("add cup \"USA v Paraguay\" --starts \"12 Jun 18:00\" city=Inglewood", "an event"),
            .init("add japan - --day 3 < sights.txt", "one item per line"),
            .init(
                "add japan --idea \"Tea ceremony 2h 30 EUR @Kyoto\"",
                "without a day; todo plan puts it on one"),
        ],
        details: [
            "PLACE is --day N, --after ITEM or --before ITEM; --day N may have --at start or --at end.",
            "Without --at, --after or --before an item goes where its time belongs on the day, or to the day's end, and "
                + "travel to its first valid place. Without a day that is day 1, and for travel any day.",
            "A TITLE may have a time before it, and behind it a duration, a cost and @CITY; title=TEXT or -- TEXT is "
                + "only a title.",
            "Travel home, whose games are all earlier, gets beforeGame=none: no event constrains its arrival.",
            "Prints the id of the new item. FIELD is one of:",
        ] + FieldExamples.lines + [
            "itinerary-client help items explains the fields and the rules for places."
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let place = try PlaceWords(invocation)
        let words = try AddWords(invocation, starting: invocation.value(starts))
        var notes: [String] = []
        let options = (
            from: invocation.value(from), to: invocation.value(to), game: invocation.value(game),
            starts: words.names(ItemField.startsAt.name) ? "" : nil
        )
        if options.from == nil, options.to == nil,
            invocation.value(afterGame) != nil || invocation.value(beforeGame) != nil
        {
            throw .usage("--after-game and --before-game are for travel, with --from CITY and --to CITY")
        }
        if invocation.has(idea), words.readsLines || options.starts != nil || hasPlace(invocation) {
            throw .usage("--idea is for an item or travel without a PLACE")
        }
        if words.readsLines {
            let trip: TripName? = invocation.words[0] == "-" ? nil : invocation.trip
            return try await AddLines.run(invocation, trip, at: place)
        }
        switch options {
        case (let from?, let to?, nil, nil):
            guard words.title == nil else {
                throw .usage("travel has no title of its own; its cities are the title")
            }
            try await addTravel(invocation, Travel(fromCity: from, toCity: to), words, place)
        case (nil, nil, let game, _?):
            guard let title = words.title ?? game else { throw .usage("the title is missing") }
            guard !hasPlace(invocation) else {
                throw .usage("an event has no place option; its start decides its place")
            }
            let run = try await EditRun(invocation)
            let event = Game(gameID: game ?? "", title: title, startsAt: .epoch)
            var content = try words.filled(.game(event), run.trip, onDay: nil, &notes)
            if game == nil, case .game(var event) = content {
                event.gameID = "own-\(ItemID(derivedFrom: [event.title, event.startsAt.text]))"
                content = .game(event)
                let isThere = run.trip.items.contains { $0.content[.gameID] == .text(event.gameID) }
                guard !isThere else {
                    throw CommandFailure(
                        "the trip has \(PlainText.visible(title)) with this start already",
                        exitCode: .refused)
                }
            }
            if !invocation.isJSON { Self.say(notes) }
            try await run.make([.add(.random(), content, to: nil)])
        case (nil, nil, nil, nil):
            guard words.title != nil || words.names("title") else { throw .usage("the title is missing") }
            let run = try await EditRun(invocation)
            let entry = words.quickEntry
            if let entry { notes.append("read as \(entry.summary()); title=… keeps a text as the title") }
            let content = try words.filled(
                entry?.content ?? .custom(CustomItem(title: words.title ?? "")), run.trip, onDay: nil, &notes)
            if !invocation.isJSON { Self.say(notes) }
            if invocation.has(idea) { return try await add(idea: content, run) }
            try await run.make([.add(.random(), content, to: try placement(place, of: content, run.trip))])
        case (_?, _, _?, _), (_, _?, _?, _), (_?, _, _, _?), (_, _?, _, _?):
            throw .usage("an item is travel or an event, not both")
        case (nil, nil, _?, nil): throw .usage("--game needs --starts MOMENT")
        default: throw .usage("travel needs --from CITY and --to CITY")
        }
    }

    private static func hasPlace(_ invocation: Invocation) -> Bool {
        PlaceWords.options.contains { invocation.value($0) != nil }
    }

    private static func add(idea: ItemContent, _ run: EditRun) async throws(CommandFailure) {
        let change = TodoChange(.random(), item: idea)
        let made = try await run.change([.trip(TripChange(todo: change))])
        if run.invocation.isJSON { return Answer.print(made.answer) }
        StandardStream.output.print("\(change.id)")
        run.invocation.confirm("idea  \(PlainText.visible(idea.title))")
    }

    /// The place that the words name, or by default that of the item's time.
    private static func placement(
        _ place: PlaceWords, of content: ItemContent, _ trip: Trip
    ) throws(CommandFailure) -> Placement? {
        let named = try place.placement(in: trip)
        return place.leavesPlaceOpen ? trip.placement(ofNew: content, onDay: named?.day) : named
    }

    /// Prints notes on the values that were read.
    static func say(_ notes: [String]) {
        for note in notes { StandardStream.error.print(PlainText.visible(note)) }
    }

    private static func addTravel(
        _ invocation: Invocation, _ travel: Travel, _ words: AddWords, _ place: PlaceWords
    ) async throws(CommandFailure) {
        let run = try await EditRun(invocation)
        var travel = travel
        if let name = invocation.value(afterGame) {
            travel.afterGame = try FieldWord.side(name, in: run.trip)
        }
        if let name = invocation.value(beforeGame) {
            travel.beforeGame = try FieldWord.side(name, in: run.trip)
        }
        let day = try place.placement(in: run.trip)?.day
        var notes: [String] = []
        var content = try words.filled(.travel(travel), run.trip, onDay: day, &notes)
        var borrowed: [BorrowedZone] = []
        if case .travel(let written) = content {
            let day = run.trip.day(ofNew: content, named: day)
            borrowed = run.trip.borrowedZones(
                of: written.withZones(named: words.names), onDay: day,
                isByArrival: words.names(ArrivalText.name))
            content = content.with(run.trip.zones(for: written, onDay: day, isByArrival: false))
        }
        if case .travel(let asked) = content, let open = run.trip.openingSide(of: asked, onDay: day) {
            content = .travel(open.travel)
            if !invocation.isJSON {
                StandardStream.error.print(
                    PlainText.visible(run.trip.openedSentence(for: open.travel, open.side)))
            }
        }
        if invocation.has(idea) { return try await add(idea: content, run) }
        let edit = Edit.add(.random(), content, to: try placement(place, of: content, run.trip))
        if !invocation.isJSON {
            let hints = TravelAdvice.cityHints(for: travel, in: run.trip)
            for hint in hints { StandardStream.error.print(hint) }
            say(notes + borrowed.map(\.sentence))
        }
        do throws(CommandFailure) {
            try await run.make([edit])
        } catch {
            guard let advice = TravelAdvice.sentence(for: content, in: run.trip, after: error) else {
                throw error
            }
            throw error.saying(advice)
        }
    }
}

/// The words of `add` after the trip.
struct AddWords {
    let title: String?
    /// The title's fields, if it is written as one line; nil for a title after `--`.
    let quickEntry: QuickEntry?
    let readsLines: Bool
    private let fields: [FieldWord]

    /// - Parameter start: the value of `--starts`.
    init(_ invocation: Invocation, starting start: String?) throws(CommandFailure) {
        let words = invocation.words
        readsLines = words == ["-"] || words.count == 2 && words[1] == "-"
        var title: String?
        var isTitleLiteral = false
        var fields: [FieldWord] = []
        for (index, word) in words.enumerated().dropFirst() {
            let isLiteral = words.count - index <= invocation.literalCount
            if !isLiteral, let field = FieldWord(word), title != nil || Self.isMeantAsField(field) {
                fields.append(field)
            } else if title == nil {
                (title, isTitleLiteral) = (word, isLiteral)
            } else {
                throw .usage(
                    "\(PlainText.visible(word)) is one word too many; a title of several words goes in quotes"
                )
            }
        }
        if let start, let field = FieldWord("\(ItemField.startsAt.name)=\(start)") {
            if fields.contains(where: { $0.name == field.name }) {
                throw .usage("--starts and startsAt say the same; give one of them")
            }
            fields.append(field)
        }
        self.title = title
        quickEntry = isTitleLiteral ? nil : title.flatMap { QuickEntry($0) }
        self.fields = fields
    }

    /// Whether a word with `=` before the title is a field, perhaps misspelt; otherwise it belongs to the title.
    private static func isMeantAsField(_ field: FieldWord) -> Bool {
        NearestSpelling.word(for: field.name, among: ItemField.allCases.map(\.name) + [ArrivalText.name])
            != nil
    }

    /// Whether the words contain a field.
    func names(_ field: String) -> Bool { fields.contains { $0.name == field } }

    /// The item with the given fields.
    ///
    /// - Parameters:
    ///   - day: the requested day. Without it, an arrival refers to the item's default day.
    ///   - notes: gets a sentence if an event's times are not shown as they were written.
    func filled(
        _ content: ItemContent, _ trip: Trip, onDay day: Int?, _ notes: inout [String]
    ) throws(CommandFailure) -> ItemContent {
        let others = fields.filter { $0.name != ArrivalText.name }
        let before = notes
        let plain = content.with(
            try FieldWord.changes(others, of: content, at: nil, onDay: day ?? 1, in: trip, &notes))
        if others.count == fields.count { return plain }
        notes = before
        var asked = plain
        if case .travel(let travel) = plain, let open = trip.openingSide(of: travel, onDay: day) {
            asked = .travel(open.travel)
        }
        let start = trip.day(ofNew: asked, named: day)
        return content.with(
            try FieldWord.changes(fields, of: content, at: nil, onDay: start, in: trip, &notes))
    }
}

extension Travel {
    /// The travel with only the zones that a user has named.
    fileprivate func withZones(named isNamed: (String) -> Bool) -> Travel {
        var travel = self
        if !isNamed(ItemField.timeZone.name) { travel.timeZone = nil }
        if !isNamed(ItemField.arrivalTimeZone.name) { travel.arrivalTimeZone = nil }
        return travel
    }
}
