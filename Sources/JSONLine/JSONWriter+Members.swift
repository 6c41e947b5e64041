extension JSONWriter {
    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ string: String) {
        var string = string
        string.withUTF8 { member(name, utf8: $0) }
    }

    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ integer: Int) {
        write(name, room: OutputSpan<UInt8>.integerBytes) { $0.appendDecimal(integer) }
    }

    /// Writes a key and its value, which must be finite.
    package mutating func member(_ name: StaticString, _ double: Double) {
        write(name, room: OutputSpan<UInt8>.doubleBytes) { $0.appendShortest(double) }
    }

    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ bool: Bool) {
        key(name)
        value(bool)
    }

    /// Writes a key and a string of characters that need no escape: ids, dates, numbers as text.
    ///
    /// - Parameter count: the characters that `body` writes at most.
    package mutating func member(
        _ name: StaticString, plain count: Int, _ body: (inout OutputSpan<UInt8>) -> Void
    ) {
        write(name, room: count + 2) { $0.appendQuoted(body) }
    }

    /// Writes a key and its value, or nothing for nil.
    package mutating func member(_ name: StaticString, _ string: String?) {
        if let string { member(name, string) }
    }

    /// Writes a key and its value, or nothing for nil.
    package mutating func member(_ name: StaticString, _ integer: Int?) {
        if let integer { member(name, integer) }
    }

    /// Writes a key and its value, which must be finite, or nothing for nil.
    package mutating func member(_ name: StaticString, _ double: Double?) {
        if let double { member(name, double) }
    }

    /// Writes a key and its value, or nothing for nil.
    package mutating func member(_ name: StaticString, _ bool: Bool?) {
        if let bool { member(name, bool) }
    }
}
