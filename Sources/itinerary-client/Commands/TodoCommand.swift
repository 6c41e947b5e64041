import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `todo TRIP`: the things to do of a trip.
enum TodoCommand {
    static let command = Command(
        name: "todo", summary: "list the things to do, or tick them off",
        forms: [
            "TRIP [--person NAME] [--group GROUP]", "TRIP add TEXT…", "TRIP done ENTRY…",
            "TRIP undone ENTRY…", "TRIP remove ENTRY…",
        ],
        words: [
            .trip, WordRow("ACTION", .oneOf(Action.allCases.map(\.rawValue)), isRequired: false),
            WordRow("ENTRY", .text, isRequired: false, repeats: true),
        ],
        options: [person, group],
        examples: [
            .init("todo japan", "open entries first, sorted by due date"),
            .init(
                "todo japan add \"Book hotel @ann #before due:2027-03-01\"",
                "with an assignee, a group and a due date"
            ),
            .init("todo japan add \"Buy rail passes\" Visa", "two entries"),
            .init("todo japan done visa", "an entry by its text, its first letters or its id"),
            .init("todo japan remove visa", "undo brings it back"),
        ],
        details: [
            "In the text of an entry @NAME is the assignee, #GROUP the group and due:2027-03-01 the due date.",
            "Calendars show an entry as a task (VTODO).",
        ],
        exits: [.noInput: "no entry, or several, have this text"], run: run)

    private static let person = OptionRow.value(
        "--person", "NAME", "only entries assigned to this person or to nobody")
    private static let group = OptionRow.value("--group", "GROUP", "only entries of this group")

    /// The actions on entries.
    enum Action: String, CaseIterable {
        case add, done, undone, remove
    }

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        guard let word = invocation.words.dropFirst().first else { return try await list(invocation) }
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
        let made = try await run.change(try edits(action, texts, in: run.trip.header.todo))
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
            let note = entry.doneBy.map { "  (\(PlainText.visible($0)))" } ?? (isLate ? "  (overdue)" : "")
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
    static func edits(
        _ action: Action, _ texts: [String], in list: [TodoEntry]
    ) throws(CommandFailure) -> [Edit] {
        var changes: [TodoChange] = []
        for text in texts {
            switch action {
            case .add: changes.append(TodoChange(.random(), text: text))
            case .done, .undone:
                changes.append(TodoChange(try entry(text, in: list).id, isDone: action == .done))
            case .remove: changes.append(TodoChange(try entry(text, in: list).id, isRemoval: true))
            }
        }
        return changes.map { .trip(TripChange(todo: $0)) }
    }

    private static func entry(_ text: String, in list: [TodoEntry]) throws(CommandFailure) -> TodoEntry {
        try NameMatcher.only(
            text, in: list, by: { [$0.id.description, $0.text] }, shown: \.text, detail: \.id.description,
            missing: "no thing to do is called", reason: "entry_not_found")
    }
}
