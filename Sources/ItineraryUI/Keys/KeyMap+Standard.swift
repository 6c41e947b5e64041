import TerminalCore

extension KeyMap {
    /// The standard keys.
    package static let standard = KeyMap(
        list + drag + line(.prompt) + prompt + form + menu(.menu) + trips + problems + todo + filter
            + line(.search)
            + search
            + confirmation
            + notice + help
            + everywhere)

    private static let list: [Binding] = [
        Binding(.list, .up, [.up, "k"], "one row up", .cursor, do: .repeated { $0.step(-$1) }),
        Binding(.list, .down, [.down, "j"], "one row down", .cursor, do: .repeated { $0.step($1) }),
        Binding(
            .list, .previousDay, [.pageUp], "to the day's heading, then to the day before", .cursor,
            do: .repeated { $0.stepDays(-1, times: $1) }),
        Binding(
            .list, .nextDay, [.pageDown], "to the next day", .cursor,
            do: .repeated { $0.stepDays(1, times: $1) }),
        Binding(.list, .first, [.home, "g"], "to the first row", .cursor, do: .once { $0.focus(row: 0) }),
        Binding(
            .list, .last, [.end, "G"], "to the last row, or with a number to that day", .cursor,
            do: .numbered { $0.focusLast(orDay: $1) }),
        Binding(
            .list, .halfUp, [control("u")], "half a screen up", .cursor,
            do: .repeated { $0.scrollHalf(-1, times: $1) }),
        Binding(
            .list, .halfDown, [control("d")], "half a screen down", .cursor,
            do: .repeated { $0.scrollHalf(1, times: $1) }),
        Binding(
            .list, .goTo, [":"], "to a day: a number, a date, today, +2 or fri",
            bar: .ranked(12, "go to", on: [.day]), do: .once { $0.beginGoTo() }),
        Binding(
            .list, .today, ["."], "to today, while the trip lasts", .cursor, do: .once { $0.focusToday() }),
        Binding(
            .list, .fold, ["z"], "fold days without items, or open them", do: .once { $0.toggleFolding() }),
        Binding(
            .list, .lift, [" ", .enter], "lift the item, to move it", .item,
            bar: .ranked(1, "lift", on: [.item, .marks]), do: .once { $0.lift() }),
        Binding(
            .list, .nudgeUp, ["K", alt(.up)], "move it to the next allowed place above", .item,
            do: .repeated { $0.nudge(step: -1, times: $1) }),
        Binding(
            .list, .nudgeDown, ["J", alt(.down)], "move it to the next allowed place below", .item,
            do: .repeated { $0.nudge(step: 1, times: $1) }),
        Binding(
            .list, .moveTo, ["m"], "move it to a place from a list", .item,
            bar: .ranked(10, "move", on: [.item, .marks]), do: .once { $0.chooseMove() }),
        Binding(
            .list, .add, ["a"], "add an item below", .trip,
            bar: .ranked(2, "add", on: [.day, .event, .item]), do: .once { $0.promptForAdd() }),
        Binding(
            .list, .addKind, ["A"], "add travel, an event or another item, with all its fields", .trip,
            bar: .ranked(3, "travel", on: [.day, .event, .item]), do: .once { $0.chooseKind() }),
        Binding(
            .list, .copy, ["c"], "lift a copy of the item", .item,
            bar: .ranked(17, "copy", on: [.item, .marks]), do: .once { $0.liftCopy() }),
        Binding(
            .list, .repeatItem, ["R"], "repeat the item on other days", .item, do: .once { $0.beginRepeat() }),
        Binding(
            .list, .putAside, ["I"], "put the item aside, as an idea without a day", .item,
            do: .once { $0.putAside() }),
        Binding(
            .list, .edit, ["e"], "edit the item's fields", .item,
            bar: .ranked(8, "edit", on: [.event, .item]), do: .once { $0.beginForm() }),
        Binding(
            .list, .remove, ["d", .delete], "remove the item", .item,
            bar: .ranked(9, "remove", on: [.event, .item, .marks]), do: .once { $0.removeFocused() }),
        Binding(
            .list, .dayOn, [">"], "move it one day later", .item, bar: .ranked(11, "day on", on: [.marks]),
            do: .repeated { $0.shift(byDays: $1) }),
        Binding(
            .list, .dayBack, ["<"], "move it one day earlier", .item, do: .repeated { $0.shift(byDays: -$1) }),
        Binding(
            .list, .mark, ["x"], "mark it, or the items of a day; the next command is for all marked items",
            .item, do: .repeated { $0.toggleMarks($1) }),
        Binding(
            .list, .markRange, ["X"], "mark all from the last mark to here", .trip,
            do: .once { $0.markRange() }),
        Binding(
            .list, .attend, ["y"], "mark the event as attended, or as not attended", .item,
            bar: .ranked(4, "attend", on: [.event]), do: .once { $0.toggleAttendance() }),
        Binding(
            .list, .putInOrder, ["="], "sort the day by time", .trip, bar: .ranked(12, "sort", on: [.day]),
            do: .once { $0.putInOrder() }),
        Binding(
            .list, .details, ["i"], "show or hide the details of the item", bar: .ranked(22, "details"),
            do: .once { $0.toggleDetails() }),
        Binding(
            .list, .open, ["o"], "open its link, or its place on a map",
            bar: .ranked(13, "open", on: [.event, .item]), do: .once { $0.openLink() }),
        Binding(
            .list, .history, ["H"], "list the changes of the trip and their authors",
            bar: .ranked(23, "history"), do: .once { $0.askForHistory() }),
        Binding(
            .list, .follow, ["F"], "follow the cursor of another person, the next, nobody",
            do: .once { $0.followNext() }),
        Binding(
            .list, .undo, ["u"], "undo your last change", .trip,
            bar: .ranked(14, "undo", on: [.day, .event, .item]), do: .repeated { $0.undo($1) }),
        Binding(.list, .redo, ["U"], "redo what you undid", .trip, do: .repeated { $0.redo($1) }),
        Binding(.list, .search, ["/"], "search", bar: .ranked(18, "search"), do: .once { $0.beginSearch() }),
        Binding(
            .list, .nextMatch, ["n"], "to the next match", .cursor,
            do: .repeated { $0.focusMatch(step: 1, times: $1) }),
        Binding(
            .list, .previousMatch, ["N"], "to the previous match", .cursor,
            do: .repeated { $0.focusMatch(step: -1, times: $1) }),
        Binding(
            .list, .cancel, [.escape], "unmark all, then clear the search",
            bar: .ranked(13, "unmark", on: [.marks]), do: .once { $0.clearMarksOrSearch() }),
        Binding(
            .list, .problems, ["!"], "list the problems", bar: .ranked(20, "problems"),
            do: .once { $0.chooseProblem() }),
        Binding(
            .list, .todo, ["T"], "list the things to do and the ideas", bar: .ranked(19, "to do"),
            do: .once { $0.showTodo() }),
        Binding(.list, .costs, ["$"], "list the costs and debts", do: .once { $0.showCosts() }),
        Binding(
            .list, .trips, ["t"], "the trips: open, make, copy, delete or restore one",
            bar: .ranked(21, "trips"), do: .once { $0.askForTrips() }),
        Binding(
            .list, .editTrip, ["r"], "the trip's name, first day, days, zone and rates", .trip,
            do: .once { $0.editOpenTrip() }),
        Binding(
            .list, .insertDay, ["+"], "insert a day below this one", .trip,
            bar: .ranked(5, "insert day", on: [.day]), do: .once { $0.insertDay() }),
        Binding(
            .list, .removeDay, ["-"], "remove this day", .trip, bar: .ranked(6, "remove day", on: [.day]),
            do: .once { $0.removeDay() }),
        Binding(
            .list, .swapDays, ["s"], "swap the items of this day with another", .trip,
            bar: .ranked(15, "swap", on: [.day]), do: .once { $0.beginSwap() }),
        Binding(
            .list, .notDone, ["E"], "list the changes that were not saved", do: .once { $0.showNotDone() }),
        Binding(
            .list, .startDaemon, ["S"], "start the daemon that was stopped", do: .once { $0.startDaemon() }),
        Binding(
            .list, .mouse, ["M"], "give the mouse to the terminal, or back to the editor",
            do: .once { $0.toggleMouse() }),
        Binding(
            .list, .help, ["?"], "this help", bar: .ranked(7, "help"),
            do: .once { $0.begin(.helping(HelpPage())) }),
        Binding(.list, .quit, ["q"], "leave", bar: .ranked(16, "quit")),
    ]

    private static let drag: [Binding] = [
        Binding(.drag, .up, [.up, "k"], "one place up", do: .repeated { $0.hover(by: -$1) }),
        Binding(
            .drag, .down, [.down, "j"], "one place down", bar: .ranked(4, "move"),
            do: .repeated { $0.hover(by: $1) }),
        Binding(
            .drag, .nudgeUp, ["K", alt(.up)], "the next allowed place above",
            do: .repeated { $0.hoverAtValidGap(step: -1, $1) }),
        Binding(
            .drag, .nudgeDown, ["J", alt(.down)], "the next allowed place below",
            bar: .ranked(3, "next valid"), do: .repeated { $0.hoverAtValidGap(step: 1, $1) }),
        Binding(
            .drag, .previousDay, [.pageUp], "the previous day",
            do: .repeated { $0.hover(byDays: -1, times: $1) }),
        Binding(
            .drag, .nextDay, [.pageDown], "the next day", do: .repeated { $0.hover(byDays: 1, times: $1) }),
        Binding(.drag, .first, [.home, "g"], "the first place", do: .once { $0.hover(at: 0) }),
        Binding(.drag, .last, [.end, "G"], "the last place", do: .once { $0.hover(at: .max) }),
        Binding(
            .drag, .drop, [" ", .enter], "put it here", bar: .ranked(1, "drop"), do: .once { $0.drop() }),
        Binding(
            .drag, .cancel, [.escape], "leave it where it was", bar: .ranked(2, "cancel"),
            do: .once { $0.cancelDrag() }),
        Binding(.drag, .quit, ["q"], "leave the item where it was, and quit"),
    ]

    /// The keys of a text line.
    private static func line(_ context: Context) -> [Binding] {
        [
            Binding(context, .accept, [.enter], "accept it", bar: .ranked(1, "done")),
            Binding(context, .cancel, [.escape], "cancel", bar: .ranked(3, "cancel")),
            Binding(context, .first, [.home, control("a")], "to the start"),
            Binding(context, .last, [.end, control("e")], "to the end"),
            Binding(
                context, .eraseToStart, [control("u")], "erase everything before the cursor",
                bar: .ranked(4, "erase")),
        ] + withinLine(context)
    }

    private static let prompt: [Binding] = [
        Binding(
            .prompt, .acceptTitle, [alt(.enter)], "add the text of a new item as its title",
            bar: .ranked(2, "as title"))
    ]

    private static func withinLine(_ context: Context) -> [Binding] {
        [
            Binding(context, .left, [.left], "one character left"),
            Binding(context, .right, [.right], "one character right"),
            Binding(context, .wordLeft, [KeyStroke(.left, .control), alt(.character("b"))], "one word left"),
            Binding(
                context, .wordRight, [KeyStroke(.right, .control), alt(.character("f"))], "one word right"),
            Binding(context, .eraseBackward, [.backspace], "erase the character before"),
            Binding(context, .eraseForward, [.delete], "erase the character after"),
            Binding(context, .eraseWord, [control("w")], "erase the word before"),
            Binding(context, .eraseToEnd, [control("k")], "erase everything after the cursor"),
        ]
    }

    private static let form: [Binding] =
        line(.form) + [
            Binding(.form, .down, [.tab, .down], "the next field", bar: .ranked(3, "next field")),
            Binding(.form, .up, [.backTab, .up], "the previous field"),
            Binding(.form, .lineBreak, [alt(.enter)], "a new line in a note"),
        ]

    private static let search: [Binding] = [
        Binding(.search, .nextMatch, [.down], "to the next match", bar: .ranked(3, "next")),
        Binding(.search, .previousMatch, [.up], "to the previous match"),
    ]

    /// The keys of a list in which letters are keys.
    private static func menu(_ context: Context) -> [Binding] {
        [
            Binding(context, .accept, [.enter], "choose this", bar: .ranked(1, "choose")),
            Binding(context, .cancel, [.escape, "q"], "close the list", bar: .ranked(2, "back")),
            Binding(context, .up, [.up, "k", .backTab], "one line up"),
            Binding(context, .down, [.down, "j", .tab], "one line down"),
            Binding(context, .previousDay, [.pageUp], "a screen up"),
            Binding(context, .nextDay, [.pageDown], "a screen down"),
            Binding(context, .first, [.home, "g"], "to the first line"),
            Binding(context, .last, [.end, "G"], "to the last line"),
            Binding(context, .search, ["/"], "filter the lines", bar: .ranked(9, "filter")),
        ]
    }

    private static let filter: [Binding] =
        [
            Binding(.filter, .accept, [.enter], "choose this", bar: .ranked(1, "choose")),
            Binding(.filter, .cancel, [.escape], "end the line", bar: .ranked(2, "back")),
            Binding(.filter, .up, [.up, .backTab], "one line up"),
            Binding(.filter, .down, [.down, .tab], "one line down", bar: .ranked(3, "next")),
            Binding(.filter, .previousDay, [.pageUp], "a screen up"),
            Binding(.filter, .nextDay, [.pageDown], "a screen down"),
            Binding(.filter, .first, [.home], "to the first line"),
            Binding(.filter, .last, [.end], "to the last line"),
            Binding(.filter, .eraseToStart, [control("u")], "erase the words", bar: .ranked(4, "erase")),
        ] + withinLine(.filter)

    private static let problems: [Binding] =
        menu(.problems) + [
            Binding(
                .problems, .openSide, ["o", control("o")], "let a fitting event, or none, constrain travel",
                bar: .ranked(3, "fix travel")),
            Binding(
                .problems, .acceptProblem, ["y", control("y")], "mark it as intended, or count it again",
                bar: .ranked(4, "intended")),
        ]

    private static let todo: [Binding] =
        menu(.todo).map { binding in
            binding.action == .accept
                ? Binding(
                    .todo, .accept, [.enter, " "], "tick it off, or open it again",
                    bar: .ranked(1, "tick off"))
                : binding
        } + [
            Binding(
                .todo, .planIdea, ["p"], "put the idea on the day of the cursor", bar: .ranked(2, "plan")),
            Binding(.todo, .addTodo, ["a", control("n")], "add things to do", bar: .ranked(3, "add")),
            Binding(
                .todo, .removeTodo, ["d", control("x")], "remove it from the list", bar: .ranked(4, "remove")),
        ]

    private static let trips: [Binding] =
        menu(.trips) + [
            Binding(.trips, .newTrip, ["a", control("n")], "add a trip", bar: .ranked(3, "add")),
            Binding(
                .trips, .editTrip, ["e", control("e")], "edit its name, days, zone and rates",
                bar: .ranked(4, "edit")),
            Binding(.trips, .copyTrip, ["c", control("y")], "make a copy of it", bar: .ranked(5, "copy")),
            Binding(
                .trips, .deleteTrip, ["d", control("x")], "delete it; asks first", bar: .ranked(6, "delete")),
            Binding(.trips, .notDone, ["E", control("o")], "list the changes that were not saved"),
        ]

    private static func control(_ character: Unicode.Scalar) -> KeyStroke {
        KeyStroke(.character(character), .control)
    }

    private static func alt(_ key: Key) -> KeyStroke { KeyStroke(key, .alt) }

    private static let confirmation: [Binding] = [
        Binding(.confirmation, .accept, ["y", "Y"], "yes", bar: .ranked(1, "yes")),
        Binding(.confirmation, .cancel, ["n", "N", "q", .escape], "no", bar: .ranked(2, "no")),
    ]

    private static let notice: [Binding] = [
        Binding(.notice, .accept, [.enter, .escape], "go on", bar: .ranked(1, "go on"))
    ]

    private static let help: [Binding] =
        [
            Binding(.help, .cancel, [.escape, .enter, "q", "?"], "back", bar: .ranked(1, "back")),
            Binding(.help, .up, [.up, "k"], "up"),
            Binding(.help, .down, [.down, "j"], "down", bar: .ranked(2, "scroll")),
            Binding(.help, .previousDay, [.pageUp], "a screen up"),
            Binding(.help, .nextDay, [.pageDown, " "], "a screen down"),
            Binding(.help, .first, [.home, "g"], "to the first line"),
            Binding(.help, .last, [.end, "G"], "to the last line"),
            Binding(.help, .search, ["/"], "filter the lines", bar: .ranked(3, "filter")),
        ]

    private static let everywhere: [Binding] = Context.allCases.flatMap { context in
        [
            Binding(context, .quit, [control("c")], "leave at once"),
            Binding(context, .suspend, [control("z")], "suspend"),
        ]
    }
}
