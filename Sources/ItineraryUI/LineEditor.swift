import TripModel

/// One line of text being written, and the place in it where the next character goes.
struct LineEditor: Equatable, Sendable {
    private(set) var before: String
    private(set) var after = ""

    init(_ text: String = "") {
        before = text
    }

    var text: String { before + after }

    /// Writes text at the place; what may not stand in a line is left out. False if the line is full.
    mutating func insert(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        for scalar in scalars where Self.isAllowed(scalar) {
            guard before.utf8.count + after.utf8.count + String(scalar).utf8.count <= TripLimits.textBytes
            else { return false }
            before.unicodeScalars.append(scalar)
        }
        return true
    }

    mutating func eraseBackward() {
        if !before.isEmpty { before.removeLast() }
    }

    mutating func eraseForward() {
        if !after.isEmpty { after.removeFirst() }
    }

    /// Erases everything in front of the place.
    mutating func eraseToStart() {
        before = ""
    }

    /// Erases the word in front of the place, and the spaces after it.
    mutating func eraseWord() {
        while before.last == " " { before.removeLast() }
        while let last = before.last, last != " " { before.removeLast() }
    }

    mutating func moveLeft() {
        guard let character = before.popLast() else { return }
        after = String(character) + after
    }

    mutating func moveRight() {
        if !after.isEmpty { before.append(after.removeFirst()) }
    }

    mutating func moveToStart() {
        after = before + after
        before = ""
    }

    mutating func moveToEnd() {
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
