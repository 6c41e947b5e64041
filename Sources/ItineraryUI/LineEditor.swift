import TripModel

/// One line of text being written, and the place in it where the next character goes.
struct LineEditor: Equatable, Sendable {
    private(set) var before: String
    private(set) var after = ""
    /// The most UTF-8 bytes it takes.
    let limit: Int

    init(_ text: String = "", limit: Int = TripLimits.textBytes) {
        before = text
        self.limit = limit
    }

    var text: String { before + after }

    /// The text as it would be kept; nil if there is none.
    var trimmed: String? {
        let start = text.drop { $0 == " " }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(start[...last])
    }

    /// Does what an editing key means; all other keys mean nothing here.
    mutating func perform(_ action: Action) {
        switch action {
        case .left: moveLeft()
        case .right: moveRight()
        case .first: moveToStart()
        case .last: moveToEnd()
        case .eraseBackward: eraseBackward()
        case .eraseForward: eraseForward()
        case .eraseWord: eraseWord()
        case .eraseToStart: eraseToStart()
        default: break
        }
    }

    /// Writes text at the place; what may not stand in a line is left out. False if the line is full.
    mutating func insert(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        for scalar in scalars where Self.isAllowed(scalar) {
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

    /// Erases everything in front of the place.
    private mutating func eraseToStart() {
        before = ""
    }

    /// Erases the word in front of the place, and the spaces after it.
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
