import TerminalCore

extension KeyMap {
    /// The standard keys.
    package static let standard = KeyMap(
        list + drag + line(.prompt) + form + menu(.menu) + trips + problems + todo + line(.search) + search
            + confirmation
            + notice + help
            + everywhere)

    private static let list: [Binding] = [
        Binding(.list, .up, [KeyStroke(.up), "k"], "one row up"),
        Binding(.list, .down, [KeyStroke(.down), "j"], "one row down"),
        Binding(.list, .previousDay, [KeyStroke(.pageUp)], "to the day's heading, then to the day before"),
        Binding(.list, .nextDay, [KeyStroke(.pageDown)], "to the next day"),
        Binding(.list, .first, [KeyStroke(.home), "g"], "to the first row"),
        Binding(.list, .last, [KeyStroke(.end), "G"], "to the last row, or with a number to that day"),
        Binding(.list, .halfUp, [control("u")], "half a screen up"),
        Binding(.list, .halfDown, [control("d")], "half a screen down"),
        Binding(.list, .goTo, [":"], "to a day: a number, a date, today, +2 or fri"),
        Binding(.list, .today, ["."], "to today, while the trip lasts"),
        Binding(.list, .fold, ["z"], "fold days without items, or open them"),
        Binding(
            .list, .lift, [" ", KeyStroke(.enter)], "lift the item, to move it",
            bar: .ranked(1, "lift")),
        Binding(.list, .nudgeUp, ["K", KeyStroke(.up, .alt)], "move it to the next allowed place above"),
        Binding(.list, .nudgeDown, ["J", KeyStroke(.down, .alt)], "move it to the next allowed place below"),
        Binding(.list, .moveTo, ["m"], "move it to a place from a list", bar: .ranked(8, "move to")),
        Binding(.list, .add, ["a"], "add an item below", bar: .ranked(2, "add")),
        Binding(.list, .addKind, ["A"], "add travel, an event or another item, with all its fields"),
        Binding(.list, .copy, ["c"], "lift a copy of the item", bar: .ranked(10, "copy")),
        Binding(.list, .edit, ["e"], "edit the item's fields", bar: .ranked(6, "edit")),
        Binding(.list, .remove, ["d", KeyStroke(.delete)], "remove the item", bar: .ranked(7, "remove")),
        Binding(.list, .dayOn, [">"], "move it one day later"),
        Binding(.list, .dayBack, ["<"], "move it one day earlier"),
        Binding(.list, .mark, ["x"], "mark it; the next command is for all marked items"),
        Binding(.list, .markRange, ["X"], "mark all from the last mark to here"),
        Binding(.list, .attend, ["y"], "mark the event as attended, or as not attended"),
        Binding(.list, .putInOrder, ["="], "sort the day by time"),
        Binding(
            .list, .details, ["i"], "show or hide the details of the item",
            bar: .ranked(12, "details")),
        Binding(.list, .open, ["o"], "open its link, or its place on a map"),
        Binding(
            .list, .history, ["H"], "list the changes of the trip and their authors",
            bar: .ranked(13, "history")),
        Binding(.list, .follow, ["F"], "follow the cursor of another person, the next, nobody"),
        Binding(.list, .undo, ["u"], "undo your last change", bar: .ranked(5, "undo")),
        Binding(.list, .redo, ["U"], "redo what you undid"),
        Binding(.list, .search, ["/"], "search", bar: .ranked(9, "search")),
        Binding(.list, .nextMatch, ["n"], "to the next match"),
        Binding(.list, .previousMatch, ["N"], "to the previous match"),
        Binding(.list, .cancel, [KeyStroke(.escape)], "unmark all, then clear the search"),
        Binding(.list, .problems, ["!"], "list the problems"),
        Binding(.list, .todo, ["T"], "list the things to do"),
        Binding(
            .list, .trips, ["t"], "the trips: open, make, copy, delete or restore one",
            bar: .ranked(11, "trips")),
        Binding(.list, .editTrip, ["r"], "the trip's name, first day, days and zone"),
        Binding(.list, .insertDay, ["+"], "insert a day below this one"),
        Binding(.list, .removeDay, ["-"], "remove this day"),
        Binding(.list, .notDone, ["E"], "list the changes that were not saved"),
        Binding(.list, .startDaemon, ["S"], "start the daemon that was stopped"),
        Binding(.list, .mouse, ["M"], "give the mouse to the terminal, or back to the editor"),
        Binding(.list, .help, ["?"], "this help", bar: .ranked(3, "help")),
        Binding(.list, .quit, ["q"], "leave", bar: .ranked(4, "quit")),
    ]

    private static let drag: [Binding] = [
        Binding(.drag, .up, [KeyStroke(.up), "k"], "one place up"),
        Binding(.drag, .down, [KeyStroke(.down), "j"], "one place down", bar: .ranked(4, "move")),
        Binding(.drag, .nudgeUp, ["K", KeyStroke(.up, .alt)], "the next allowed place above"),
        Binding(
            .drag, .nudgeDown, ["J", KeyStroke(.down, .alt)], "the next allowed place below",
            bar: .ranked(3, "next valid")),
        Binding(.drag, .previousDay, [KeyStroke(.pageUp)], "the previous day"),
        Binding(.drag, .nextDay, [KeyStroke(.pageDown)], "the next day"),
        Binding(.drag, .first, [KeyStroke(.home), "g"], "the first place"),
        Binding(.drag, .last, [KeyStroke(.end), "G"], "the last place"),
        Binding(.drag, .drop, [" ", KeyStroke(.enter)], "put it here", bar: .ranked(1, "drop")),
        Binding(.drag, .cancel, [KeyStroke(.escape)], "leave it where it was", bar: .ranked(2, "cancel")),
        Binding(.drag, .quit, ["q"], "leave the item where it was, and quit"),
    ]

    /// The keys of a text line.
    private static func line(_ context: Context) -> [Binding] {
        [
            Binding(context, .accept, [KeyStroke(.enter)], "accept it", bar: .ranked(1, "done")),
            Binding(context, .cancel, [KeyStroke(.escape)], "cancel", bar: .ranked(2, "cancel")),
            Binding(
                context, .first, [KeyStroke(.home), KeyStroke(.character("a"), .control)], "to the start"),
            Binding(context, .last, [KeyStroke(.end), KeyStroke(.character("e"), .control)], "to the end"),
            Binding(
                context, .eraseToStart, [KeyStroke(.character("u"), .control)],
                "erase everything before the cursor",
                bar: .ranked(4, "erase")),
        ] + withinLine(context)
    }

    private static func withinLine(_ context: Context) -> [Binding] {
        [
            Binding(context, .left, [KeyStroke(.left)], "one character left"),
            Binding(context, .right, [KeyStroke(.right)], "one character right"),
            Binding(
                context, .wordLeft, [KeyStroke(.left, .control), KeyStroke(.character("b"), .alt)],
                "one word left"),
            Binding(
                context, .wordRight, [KeyStroke(.right, .control), KeyStroke(.character("f"), .alt)],
                "one word right"),
            Binding(context, .eraseBackward, [KeyStroke(.backspace)], "erase the character before"),
            Binding(context, .eraseForward, [KeyStroke(.delete)], "erase the character after"),
            Binding(context, .eraseWord, [control("w")], "erase the word before"),
            Binding(context, .eraseToEnd, [control("k")], "erase everything after the cursor"),
        ]
    }

    private static let form: [Binding] =
        line(.form) + [
            Binding(
                .form, .down, [KeyStroke(.tab), KeyStroke(.down)], "the next field",
                bar: .ranked(3, "next field")),
            Binding(.form, .up, [KeyStroke(.backTab), KeyStroke(.up)], "the previous field"),
            Binding(.form, .lineBreak, [KeyStroke(.enter, .alt)], "a new line in a note"),
        ]

    private static let search: [Binding] = [
        Binding(.search, .nextMatch, [KeyStroke(.down)], "to the next match", bar: .ranked(3, "next")),
        Binding(.search, .previousMatch, [KeyStroke(.up)], "to the previous match"),
    ]

    private static func menu(_ context: Context) -> [Binding] {
        [
            Binding(context, .accept, [KeyStroke(.enter)], "choose this", bar: .ranked(1, "choose")),
            Binding(context, .cancel, [KeyStroke(.escape)], "cancel", bar: .ranked(2, "cancel")),
            Binding(context, .up, [KeyStroke(.up), KeyStroke(.backTab)], "one line up"),
            Binding(
                context, .down, [KeyStroke(.down), KeyStroke(.tab)], "one line down",
                bar: .ranked(3, "next")),
            Binding(context, .previousDay, [KeyStroke(.pageUp)], "a screen up"),
            Binding(context, .nextDay, [KeyStroke(.pageDown)], "a screen down"),
            Binding(context, .first, [KeyStroke(.home)], "to the first line"),
            Binding(context, .last, [KeyStroke(.end)], "to the last line"),
            Binding(context, .eraseToStart, [KeyStroke(.character("u"), .control)], "erase the words"),
        ] + withinLine(context)
    }

    private static let problems: [Binding] =
        menu(.problems) + [
            Binding(
                .problems, .openSide, [control("o")], "let a fitting event, or none, constrain travel",
                bar: .ranked(4, "fix travel")),
            Binding(
                .problems, .acceptProblem, [control("y")], "mark it as intended, or count it again",
                bar: .ranked(5, "intended")),
        ]

    private static let todo: [Binding] =
        menu(.todo).map { binding in
            binding.action == .accept
                ? Binding(
                    .todo, .accept, binding.keys, "tick it off, or open it again", bar: .ranked(1, "tick off")
                )
                : binding
        } + [
            Binding(.todo, .addTodo, [control("n")], "add the typed text", bar: .ranked(4, "add")),
            Binding(.todo, .removeTodo, [control("x")], "remove it from the list", bar: .ranked(5, "remove")),
        ]

    private static let trips: [Binding] =
        menu(.trips) + [
            Binding(.trips, .newTrip, [control("n")], "make a new trip", bar: .ranked(4, "new")),
            Binding(
                .trips, .editTrip, [control("e")], "change its name, days and zone", bar: .ranked(5, "edit")),
            Binding(.trips, .copyTrip, [control("y")], "make a copy of it", bar: .ranked(6, "copy")),
            Binding(
                .trips, .deleteTrip, [control("x")], "delete it; asks first", bar: .ranked(7, "delete")),
            Binding(.trips, .notDone, [control("o")], "list the changes that were not saved"),
        ]

    private static func control(_ character: Unicode.Scalar) -> KeyStroke {
        KeyStroke(.character(character), .control)
    }

    private static let confirmation: [Binding] = [
        Binding(.confirmation, .accept, ["y", "Y"], "yes", bar: .ranked(1, "yes")),
        Binding(.confirmation, .cancel, ["n", "N", "q", KeyStroke(.escape)], "no", bar: .ranked(2, "no")),
    ]

    private static let notice: [Binding] = [
        Binding(.notice, .accept, [KeyStroke(.enter), KeyStroke(.escape)], "go on", bar: .ranked(1, "go on"))
    ]

    private static let help: [Binding] =
        [
            Binding(
                .help, .cancel, [KeyStroke(.escape), KeyStroke(.enter), "q", "?"], "back",
                bar: .ranked(1, "back")),
            Binding(.help, .up, [KeyStroke(.up), "k"], "up"),
            Binding(.help, .down, [KeyStroke(.down), "j"], "down", bar: .ranked(2, "scroll")),
            Binding(.help, .previousDay, [KeyStroke(.pageUp)], "a screen up"),
            Binding(.help, .nextDay, [KeyStroke(.pageDown), " "], "a screen down"),
            Binding(.help, .first, [KeyStroke(.home), "g"], "to the first line"),
            Binding(.help, .last, [KeyStroke(.end), "G"], "to the last line"),
            Binding(.help, .search, ["/"], "filter the lines", bar: .ranked(3, "filter")),
        ]

    private static let everywhere: [Binding] = Context.allCases.flatMap { context in
        [
            Binding(context, .quit, [KeyStroke(.character("c"), .control)], "leave at once"),
            Binding(context, .suspend, [KeyStroke(.character("z"), .control)], "suspend"),
        ]
    }
}
