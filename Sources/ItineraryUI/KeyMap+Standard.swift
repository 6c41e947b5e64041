import TerminalCore

extension KeyMap {
    /// The keys as they come.
    package static let standard = KeyMap(list + drag + prompt + confirmation + help + everywhere)

    private static let list: [Binding] = [
        Binding(.list, .up, [KeyStroke(.up), "k"], "one row up"),
        Binding(.list, .down, [KeyStroke(.down), "j"], "one row down"),
        Binding(.list, .previousDay, [KeyStroke(.pageUp)], "to the day before"),
        Binding(.list, .nextDay, [KeyStroke(.pageDown)], "to the next day"),
        Binding(.list, .first, [KeyStroke(.home), "g"], "to the first row"),
        Binding(.list, .last, [KeyStroke(.end), "G"], "to the last row"),
        Binding(
            .list, .lift, [" ", KeyStroke(.enter)], "lift the item, to put it elsewhere",
            bar: .ranked(1, "lift")),
        Binding(.list, .nudgeUp, ["K", KeyStroke(.up, .alt)], "move it to the next allowed place above"),
        Binding(.list, .nudgeDown, ["J", KeyStroke(.down, .alt)], "move it to the next allowed place below"),
        Binding(.list, .add, ["a"], "add an item below", bar: .ranked(2, "add")),
        Binding(.list, .rename, ["e"], "edit the item's title", bar: .ranked(6, "edit")),
        Binding(.list, .remove, ["d", KeyStroke(.delete)], "remove the item", bar: .ranked(7, "remove")),
        Binding(.list, .undo, ["u"], "take back your last change", bar: .ranked(5, "undo")),
        Binding(.list, .redo, ["U"], "make it again"),
        Binding(.list, .nextProblem, ["!"], "to the next problem"),
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
        Binding(.drag, .previousDay, [KeyStroke(.pageUp)], "the day before"),
        Binding(.drag, .nextDay, [KeyStroke(.pageDown)], "the next day"),
        Binding(.drag, .first, [KeyStroke(.home), "g"], "the first place"),
        Binding(.drag, .last, [KeyStroke(.end), "G"], "the last place"),
        Binding(.drag, .drop, [" ", KeyStroke(.enter)], "put it here", bar: .ranked(1, "drop")),
        Binding(.drag, .cancel, [KeyStroke(.escape)], "leave it where it was", bar: .ranked(2, "cancel")),
        Binding(.drag, .quit, ["q"], "leave the item where it was, and quit"),
    ]

    private static let prompt: [Binding] = [
        Binding(.prompt, .accept, [KeyStroke(.enter)], "take it", bar: .ranked(1, "done")),
        Binding(.prompt, .cancel, [KeyStroke(.escape)], "leave it", bar: .ranked(2, "cancel")),
        Binding(.prompt, .left, [KeyStroke(.left)], "one character left"),
        Binding(.prompt, .right, [KeyStroke(.right)], "one character right"),
        Binding(.prompt, .first, [KeyStroke(.home), KeyStroke(.character("a"), .control)], "to the start"),
        Binding(.prompt, .last, [KeyStroke(.end), KeyStroke(.character("e"), .control)], "to the end"),
        Binding(.prompt, .eraseBackward, [KeyStroke(.backspace)], "erase the character before"),
        Binding(.prompt, .eraseForward, [KeyStroke(.delete)], "erase the character after"),
        Binding(.prompt, .eraseWord, [KeyStroke(.character("w"), .control)], "erase the word before"),
        Binding(
            .prompt, .eraseToStart, [KeyStroke(.character("u"), .control)], "erase all before",
            bar: .ranked(3, "erase")),
    ]

    private static let confirmation: [Binding] = [
        Binding(.confirmation, .accept, ["y", "Y"], "yes", bar: .ranked(1, "yes")),
        Binding(.confirmation, .cancel, ["n", "N", "q", KeyStroke(.escape)], "no", bar: .ranked(2, "no")),
    ]

    private static let help: [Binding] = [
        Binding(
            .help, .cancel, [KeyStroke(.escape), "?", "q", " ", KeyStroke(.enter)], "back",
            bar: .ranked(1, "back")),
        Binding(.help, .up, [KeyStroke(.up), "k"], "up"),
        Binding(.help, .down, [KeyStroke(.down), "j"], "down", bar: .ranked(2, "scroll")),
        Binding(.help, .previousDay, [KeyStroke(.pageUp)], "a screen up"),
        Binding(.help, .nextDay, [KeyStroke(.pageDown)], "a screen down"),
    ]

    private static let everywhere: [Binding] = Context.allCases.flatMap { context in
        [
            Binding(context, .quit, [KeyStroke(.character("c"), .control)], "leave at once"),
            Binding(context, .suspend, [KeyStroke(.character("z"), .control)], "suspend"),
        ]
    }
}
