import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `todo TRIP`: the things to do of a trip, and its ideas.
enum TodoCommand {
    static let command = Command(
        name: "todo", summary: "list the things to do and the ideas, or change them",
        forms: [
            "TRIP [--person NAME] [--group GROUP]", "TRIP add TEXT…", "TRIP done ENTRY…",
            "TRIP undone ENTRY…", "TRIP remove ENTRY…", "TRIP aside ITEM…", "TRIP plan IDEA… --day DAY",
        ],
        words: [
            .trip, WordRow("ACTION", .oneOf(Action.allCases.map(\.rawValue)), isRequired: false),
            WordRow("ENTRY", .text, isRequired: false, repeats: true),
        ],
        options: [person, group, PlaceWords.day],
        examples: [
            .init("todo japan", "open entries first, sorted by due date"),
            .init(
                "todo japan add \"Book hotel @ann #before due:2027-03-01\"",
                "with an assignee, a group and a due date"
            ),
            .init("todo japan add \"Buy rail passes\" Visa", "two entries"),
            .init("todo japan done visa", "an entry by its text, its first letters or its id"),
            .init("todo japan remove visa", "undo brings it back"),
            .init(
                "todo japan aside \"Tea ceremony\"",
                "from its day into the list, as an idea with all its fields"),
            .init("todo japan plan tea --day 3", "an idea to the place of its time on a day"),
        ],
        details: [
            "In the text of an entry @NAME is the assignee, #GROUP the group and due:2027-03-01 the due date.",
            "An idea is an item without a day; it is in no problem and no sum. add --idea adds one. Calendars show an",
            "entry as a task (VTODO).",
        ],
        exits: [.noInput: "no entry, or several, have this text"], run: run)

    private static let person = OptionRow.value(
        "--person", "NAME", "only entries assigned to this person or to nobody")
    private static let group = OptionRow.value("--group", "GROUP", "only entries of this group")

    /// The actions on entries.
    enum Action: String, CaseIterable {
        case add, done, undone, remove, aside, plan
    }

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let word = invocation.words.dropFirst().first
        let day = invocation.value(PlaceWords.day).map { DayWord(text: $0) }
        guard (word == Action.plan.rawValue) == (day != nil) else {
            throw .usage(day == nil ? "plan needs --day DAY" : "--day is only for plan")
        }
        guard let word else { return try await list(invocation) }
        guard let action = Action(rawValue: word) else {
            let names = Action.allCases.map(\.rawValue)
            let question = NearestSpelling.question(for: word, among: names)
            throw .usage(
                "todo has no \(PlainText.visible(word))\(question.isEmpty ? "; there are \(names.joined(separator: ", "))" : question)"
            )
        }
        let texts = Array(invocation.words.dropFirst(2))
        guard !texts.isEmpty else {
            throw .usage("say \(action == .add ? "a TEXT" : "an ENTRY"), as in: todo TRIP \(word) Visa")
        }
        let run = try await EditRun(invocation)
        let edits = try edits(action, texts, in: run.trip, onDay: try day?.ownDay(in: run.trip))
        if action == .aside || action == .plan { return try await run.make(edits) }
        let made = try await run.change(edits)
        if invocation.isJSON { Answer.print(made.answer) }
    }

    private static func list(_ invocation: Invocation) async throws(CommandFailure) {
        let client = try await invocation.reader()
        let trip = try await invocation.trip.snapshot(client).trip
        let (person, group) = (invocation.value(person), invocation.value(group)?.lowercased())
        let list = trip.header.todo.filter { entry in
            person.map(entry.concerns) ?? true && (group == nil || entry.parts.group?.lowercased() == group)
        }
        if invocation.isJSON { return Answer.print { encode(list, of: trip, to: &$0) } }
        let today = Today.date(in: trip)
        for entry in list.byUrgency {
            let isLate = entry.doneBy == nil && entry.parts.due.map { $0 < today } ?? false
            let state =
                entry.doneBy.map(PlainText.visible) ?? (isLate ? "overdue" : entry.item.map { _ in "idea" })
            let note = state.map { "  (\($0))" } ?? ""
            StandardStream.output.print(
                "\(entry.doneBy == nil ? "[ ]" : "[x]") \(PlainText.visible(entry.text))\(note)")
        }
        if list.isEmpty { invocation.note("there is nothing to do") }
    }

    /// Writes a list of the trip with its slug and version.
    static func encode(_ list: [TodoEntry], of trip: Trip, to json: inout JSONWriter) {
        json.member("trip", trip.header.slug)
        json.member("version", trip.version)
        json.key("todo")
        json.encode(list)
    }

    /// The edits of an action on the entries that texts or ids name.
    ///
    /// - Parameter day: the day for ideas to plan.
    static func edits(
        _ action: Action, _ texts: [String], in trip: Trip, onDay day: Int? = nil
    ) throws(CommandFailure) -> [Edit] {
        let list = trip.header.todo
        var edits: [Edit] = []
        func change(_ change: TodoChange) { edits.append(.trip(TripChange(todo: change))) }
        for text in texts {
            switch action {
            case .add: change(TodoChange(.random(), text: text))
            case .done, .undone: change(TodoChange(try entry(text, in: list).id, isDone: action == .done))
            case .remove: change(TodoChange(try entry(text, in: list).id, isRemoval: true))
            case .aside:
                let item = try ItemName(text).item(in: trip)
                guard !item.isGame else {
                    throw CommandFailure(
                        "\(PlainText.visible(item.content.title)) is an event; its schedule says when it is",
                        exitCode: .refused)
                }
                edits += item.puttingAside
            case .plan:
                let ideas = list.filter { $0.item != nil }
                let idea = try entry(text, in: ideas, missing: "no idea is called")
                guard let day, let item = idea.item,
                    let planned = idea.planning(at: trip.placement(ofNew: item, onDay: day))
                else { throw .usage("an idea needs a day") }
                edits += planned
            }
        }
        return edits
    }

    private static func entry(
        _ text: String, in list: [TodoEntry], missing: String = "no thing to do is called"
    ) throws(CommandFailure) -> TodoEntry {
        try NameMatcher.only(
            text, in: list, by: { [$0.id.description, $0.text] }, shown: \.text, detail: \.id.description,
            missing: missing, reason: "entry_not_found")
    }
}
