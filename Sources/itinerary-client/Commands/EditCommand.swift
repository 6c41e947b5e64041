import CommandLineKit
import LocalSystem
import TripModel
import TripProtocol

/// `edit TRIP FIELD=VALUE…` and `edit TRIP ITEM FIELD=VALUE…`.
enum EditCommand {
    static let command = Command(
        name: "edit", summary: "change fields of a trip or of items",
        forms: ["TRIP FIELD=VALUE…", "TRIP ITEM FIELD=VALUE…", "TRIP --all FIELD=VALUE FIELD=VALUE…"],
        words: [
            .trip, WordRow("FIELD=VALUE", .field),
            WordRow("FIELD=VALUE", .field, isRequired: false, repeats: true),
        ],
        options: [ItemFilter.option] + MoveQuestion.options,
        examples: [
            .init("edit japan \"name=Japan in spring\" days=+2", "rename a trip, and add two days"),
            .init("edit japan Dinner cost=\"12.50 EUR\" time=19:30", "an item"),
            .init("edit japan Dinner note=", "remove the note"),
            .init("edit japan Dinner note=@menu.txt", "a note from a file"),
            .init("edit japan --all mode=train paidBy=ann", "all trains, as one change"),
            .init("edit japan \"Tokyo → Kyoto\" afterGame=\"USA v\"", "travel that leaves after an event"),
        ],
        details: [
            "The fields of a trip are name, start, days, zone and slug; days=+2 and days=-1 change the",
            "number of days. An edit that moves other items names them and asks first, if it can.",
            "FIELD= clears a field of an item; note=@FILE reads the note, and note=@@x is @x. Prints the id of the trip or item. The fields of an item are:",
        ] + FieldExamples.lines + [
            "itinerary-client help items explains them."
        ],
        exits: [.refused: "not confirmed"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let rest = invocation.words.dropFirst()
        let literals = rest.count - min(invocation.literalCount, rest.count)
        let isField = rest.enumerated().map { $0.offset < literals && FieldWord($0.element) != nil }
        let fields = zip(rest, isField).filter(\.1).compactMap { FieldWord($0.0) }
        let others = zip(rest, isField).filter { !$0.1 }.map(\.0)
        guard let first = fields.first else {
            throw .usage("no field is given; use FIELD=VALUE, such as note=\"bring water\"")
        }
        if let other = others.dropFirst().first {
            throw .usage(
                "\(PlainText.visible(other)) is one word too many; a value of several words goes in quotes")
        }
        let names = Dictionary(grouping: fields, by: \.name)
        if let twice = names.first(where: { $0.value.count > 1 })?.key {
            throw .usage("\(twice) is given twice")
        }
        let filter = invocation.value(ItemFilter.option)
        guard filter != nil || !others.isEmpty else { return try await editTrip(invocation, fields, first) }
        guard filter == nil || others.isEmpty else { throw .usage("--all takes the place of the ITEM") }
        let run = try await EditRun(invocation)
        let items =
            if let filter { try ItemFilter(filter).items(of: run.trip) } else {
                [try ItemName(others[0]).item(in: run.trip)]
            }
        var notes: [String] = []
        var edits: [Edit] = []
        for item in items {
            let changes = try FieldWord.changes(
                fields, of: item.content, at: item, onDay: item.position.day, in: run.trip, &notes)
            edits.append(.update(item.id, changes))
        }
        if !invocation.isJSON { AddCommand.say(notes) }
        let answer = try MoveQuestion(edits, in: run.trip).answer(invocation)
        guard answer.isAgreed else { return MoveQuestion.printPlan(answer, invocation) }
        try await run.make(edits)
    }

    private static func editTrip(
        _ invocation: Invocation, _ fields: [FieldWord], _ first: FieldWord
    ) async throws(CommandFailure) {
        var wanted: [(TripField, FieldWord)] = []
        for field in fields {
            guard let known = TripField(word: field.name) else {
                let names = TripField.allCases.map(\.rawValue)
                let question = NearestSpelling.question(for: field.name, among: names)
                let hint =
                    ItemField(name: field.name) == nil
                    ? question : "; to change an item, name it before the fields"
                throw .usage("a trip has no field \(field.name)\(hint)")
            }
            wanted.append((known, field))
        }
        let run = try await EditRun(invocation)
        var change = TripChange()
        for (field, word) in wanted { try field.set(word.value, in: &change, of: run.trip.header) }
        let answer = try MoveQuestion([.trip(change)], in: run.trip).answer(invocation)
        guard answer.isAgreed else { return MoveQuestion.printPlan(answer, invocation) }
        let made = try await run.change([.trip(change)])
        if invocation.isJSON { return Answer.print(made.answer) }
        run.reportProblems(of: [.trip(change)])
        StandardStream.output.print("\(run.trip.header.id)")
    }
}

extension TripField {
    /// Sets a new value.
    fileprivate func set(
        _ value: String?, in change: inout TripChange, of header: TripHeader
    ) throws(CommandFailure) {
        guard let value = value ?? (self == .rates ? "" : nil) else {
            throw .usage("\(rawValue) of a trip cannot be cleared; give it another value")
        }
        switch self {
        case .name: change.name = value
        case .slug: change.slug = value
        case .rates: change.rates = value
        case .start:
            change.startDate = try CreateCommand.date(
                value, today: Today.date(in: header.timeZone) ?? Today.date)
        case .days:
            guard let number = Int(value) else {
                throw .usage("days is a number from 1 on, or +2 or -1, not \(PlainText.visible(value))")
            }
            let isRelative = value.hasPrefix("+") || value.hasPrefix("-")
            let (count, overflow) = number.addingReportingOverflow(isRelative ? header.dayCount : 0)
            guard count > 0, !overflow else {
                throw .usage("days=\(value): a trip has at least 1 day, and this one has \(header.dayCount)")
            }
            change.dayCount = count
        case .zone:
            guard TimeZoneName.isKnown(value) else {
                let meant = TimeZoneName.suggestion(for: value).map { "; did you mean \($0)?" } ?? ""
                throw .usage("no IANA time zone is called \(PlainText.visible(value))\(meant)")
            }
            change.timeZone = value
        }
    }
}
