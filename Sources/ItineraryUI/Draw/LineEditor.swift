import TripModel

/// A line of text being edited, with a cursor.
struct LineEditor: Equatable, Sendable {
    private(set) var before: String
    private(set) var after = ""
    /// Whether it is an untouched suggestion, which the first written character replaces.
    private(set) var isSuggestion = false
    /// The maximum number of UTF-8 bytes.
    let limit: Int

    init(_ text: String = "", limit: Int = TripLimits.textBytes) {
        before = text
        self.limit = limit
    }

    init(suggesting text: String, limit: Int = TripLimits.textBytes) {
        self.init(text, limit: limit)
        isSuggestion = !text.isEmpty
    }

    var text: String { before + after }

    /// The text to be stored; nil if it is blank.
    var trimmed: String? {
        let start = text.drop { $0 == " " }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(start[...last])
    }

    /// Performs an editing key; ignores others.
    mutating func perform(_ action: Action) {
        if isSuggestion, action == .eraseBackward || action == .eraseForward { before = "" }
        isSuggestion = false
        switch action {
        case .left: moveLeft()
        case .right: moveRight()
        case .first: moveToStart()
        case .last: moveToEnd()
        case .wordLeft: moveWordLeft()
        case .wordRight: moveWordRight()
        case .eraseBackward: eraseBackward()
        case .eraseForward: eraseForward()
        case .eraseWord: eraseWord()
        case .eraseToStart: before = ""
        case .eraseToEnd: after = ""
        default: break
        }
    }

    /// Inserts text at the cursor without characters that a line may not contain. False if the line is full.
    mutating func insert(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        for scalar in scalars where Self.isAllowed(scalar) {
            if isSuggestion {
                before = ""
                isSuggestion = false
            }
            guard before.utf8.count + after.utf8.count + String(scalar).utf8.count <= limit
            else { return false }
            before.unicodeScalars.append(scalar)
        }
        return true
    }

    private mutating func eraseBackward() {
        if !before.isEmpty { before.removeLast() }
    }

    private mutating func eraseForward() {
        if !after.isEmpty { after.removeFirst() }
    }

    /// Deletes the word before the cursor, and the spaces after it.
    private mutating func eraseWord() {
        while before.last == " " { before.removeLast() }
        while let last = before.last, last != " " { before.removeLast() }
    }

    private mutating func moveLeft() {
        guard let character = before.popLast() else { return }
        after = String(character) + after
    }

    private mutating func moveRight() {
        if !after.isEmpty { before.append(after.removeFirst()) }
    }

    private mutating func moveWordLeft() {
        while before.last == " " { moveLeft() }
        while let last = before.last, last != " " { moveLeft() }
    }

    private mutating func moveWordRight() {
        while after.first == " " { moveRight() }
        while let first = after.first, first != " " { moveRight() }
    }

    private mutating func moveToStart() {
        after = before + after
        before = ""
    }

    private mutating func moveToEnd() {
        before += after
        after = ""
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        do throws(Rejection) {
            try TextRule.line(.textBytes).check(String(scalar), field: "title")
            return true
        } catch {
            return false
        }
    }
}
