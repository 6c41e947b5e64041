/// JSON text in reserved capacity of an array. Each function traps if the capacity is too small.
extension OutputSpan<UInt8> {
    /// The length of the longest integer, with its sign.
    @inline(__always) static var integerBytes: Int { 20 }

    /// The length of the longest shortest text of a double, `-2.2250738585072014e-308`.
    @inline(__always) static var doubleBytes: Int { 24 }

    /// Copies bytes without inspecting them.
    @inline(__always)
    mutating func append(copying text: UnsafeBufferPointer<UInt8>) {
        withUnsafeMutableBufferPointer { buffer, count in
            precondition(text.count <= buffer.count - count, "there is room for the text")
            _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).update(fromContentsOf: text)
            count += text.count
        }
    }

    /// Writes a key that needs no escape, with its quotes, colon and comma: four bytes more than the key.
    @inline(__always)
    mutating func appendKey(_ name: StaticString, after comma: Bool) {
        if comma { append(UInt8(ascii: ",")) }
        append(UInt8(ascii: "\""))
        name.withUTF8Buffer { append(copying: $0) }
        append(UInt8(ascii: "\""))
        append(UInt8(ascii: ":"))
    }

    /// Writes the contents of a string, without its quotes.
    @inline(__always)
    mutating func appendQuoted(_ body: (inout OutputSpan<UInt8>) -> Void) {
        append(UInt8(ascii: "\""))
        body(&self)
        append(UInt8(ascii: "\""))
    }

    /// Writes a member after the first one of its object.
    package mutating func appendMember(_ name: StaticString, _ integer: Int) {
        appendKey(name, after: true)
        appendDecimal(integer)
    }

    /// Writes a member after the first one of its object: a finite number.
    package mutating func appendMember(_ name: StaticString, _ double: Double) {
        appendKey(name, after: true)
        appendShortest(double)
    }

    /// Writes a member after the first one of its object: a string that needs no escapes.
    package mutating func appendMember(
        _ name: StaticString, plain body: (inout OutputSpan<UInt8>) -> Void
    ) {
        appendKey(name, after: true)
        appendQuoted(body)
    }

    /// Writes a finite number in the shortest text that gives the same double: at most `doubleBytes`.
    mutating func appendShortest(_ double: Double) {
        precondition(double.isFinite, "JSON has no text for infinity or NaN")
        if double.magnitude < 0x1p53, case let integer = Int(double), Double(integer) == double,
            integer != 0 || double.sign == .plus
        {
            return appendDecimal(integer)
        }
        var text = double.isZero ? "-0" : double.description
        text.withUTF8 { append(copying: $0) }
    }

    /// Writes an integer: at most `integerBytes`.
    mutating func appendDecimal(_ integer: Int) {
        if integer < 0 { append(UInt8(ascii: "-")) }
        let magnitude = integer.magnitude
        var count = 1
        var bound: UInt = 10
        while count < Self.integerBytes - 1, magnitude >= bound {
            count += 1
            bound = bound &* 10
        }
        append(repeating: UInt8(ascii: "0"), count: count)
        var digits = mutableSpan
        var rest = magnitude
        var index = digits.count - 1
        while rest > 0 {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            digits[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
            index -= 1
        }
    }
}
