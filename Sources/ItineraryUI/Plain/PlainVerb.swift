/// The commands with arguments; other actions are available by `Action.names`.
enum PlainVerb: CaseIterable, Sendable {
    case list, show, go, whereTo, move, lift, copy, drop, add, edit, remove, search, importFile, problems,
        people, help

    /// The names; the first one is shown in the help.
    var names: [String] {
        switch self {
        case .list: ["list", "l"]
        case .show: ["show"]
        case .go: ["go"]
        case .whereTo: ["where"]
        case .move: ["move"]
        case .lift: ["lift", "grab"]
        case .drop: ["drop"]
        case .add: ["add"]
        case .edit: ["edit"]
        case .copy: ["copy"]
        case .search: ["search", "find", "/"]
        case .remove: ["remove", "delete"]
        case .importFile: ["import"]
        case .problems: ["problems"]
        case .people: ["people", "who"]
        case .help: ["help"]
        }
    }

    /// An example of its use.
    var usage: String {
        switch self {
        case .list: "list, list 3"
        case .show: "show 5"
        case .go: "go 5, go day 3, day 3"
        case .whereTo: "where 5, where 5 on day 3"
        case .move: "move 5 after 7, move 5 before 7, move 5 to day 3, move 5 to start of day 3"
        case .lift: "lift 5"
        case .drop: "drop, drop 2"
        case .add: "add TITLE, add TITLE to day 3"
        case .edit: "edit 5, edit 5 city Boston"
        case .copy: "copy 5"
        case .search: "search WORDS"
        case .remove: "remove 5, delete 5"
        case .importFile: "import FILE.csv"
        case .problems: "problems"
        case .people: "people"
        case .help: "help"
        }
    }

    /// The description.
    var purpose: String {
        switch self {
        case .list: "the trip with a number for every item, or only day 3"
        case .show: "the details of an item"
        case .go: "moves the focus to an item or a day; the number alone does the same"
        case .whereTo: "the places where an item may go, numbered for drop"
        case .move: "moves an item"
        case .lift: "lifts an item; then up, down, next valid, drop and cancel"
        case .drop: "puts the lifted item down, or the item of the last where to its place 2"
        case .add: "a new item below the focus, or at the end of a day"
        case .edit: "asks for the item's fields one by one, or changes one"
        case .copy: "lifts a copy of an item"
        case .search: "finds the first item with these words; next match finds the next"
        case .remove: "removes an item"
        case .importFile: "shows what a schedule would change, and asks before the import"
        case .problems: "the problems of the trip"
        case .people: "the people here, and the items that they have lifted"
        case .help: "this help"
        }
    }

    /// Whether it is allowed during a drag.
    var isForLifted: Bool {
        switch self {
        case .list, .show, .whereTo, .drop, .problems, .people, .help: true
        case .go, .move, .lift, .copy, .add, .edit, .remove, .search, .importFile: false
        }
    }
}
