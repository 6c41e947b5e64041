/// Reads a known sequence of JSON members in one pass, without building a document.
///
/// It accepts a subset of JSON: the form in which `JSONWriter` writes most values. It returns nil for any other form.
package struct PlainReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The number of bytes that were read.
    package private(set) var position = 0

    /// Reads from the beginning of some bytes.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Whether everything is read.
    package var isAtEnd: Bool { position == bytes.count }

    /// Steps over a text if it is next.
    package mutating func skip(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            guard bytes.count - position >= text.count else { return false }
            for index in 0..<text.count where bytes[position + index] != text[index] { return false }
            position += text.count
            return true
        }
    }

    /// The value of a string of a known length, every byte of which `parse` checks.
    package mutating func quoted<Value>(
        _ count: Int, _ parse: (UnsafeBufferPointer<UInt8>) -> Value?
    ) -> Value? {
        let start = position
        guard skip("\""), bytes.count - position > count,
            let value = parse(UnsafeBufferPointer(rebasing: bytes[position..<position + count]))
        else {
            position = start
            return nil
        }
        position += count
        guard skip("\"") else {
            position = start
            return nil
        }
        return value
    }

    /// A string of ASCII without escapes.
    package mutating func text() -> String? {
        guard skip("\"") else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard (0x20..<0x80).contains(bytes[position]), bytes[position] != UInt8(ascii: "\\") else {
                return nil
            }
            position += 1
        }
        let text = bytes[start..<position]
        return skip("\"") ? String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self) : nil
    }

    /// An integer within ±(2^53 − 1); nil also if it is followed by a fraction or an exponent.
    package mutating func integer() -> Int? {
        guard let number = number(), !number.contains(UInt8(ascii: ".")) else { return nil }
        return JSONNumber.integer(number)
    }

    /// A number without an exponent.
    package mutating func number() -> UnsafeBufferPointer<UInt8>? {
        let start = position
        _ = skip("-")
        guard skip("0") || skipDigits() else { return nil }
        if skip("."), !skipDigits() { return nil }
        guard position < bytes.count,
            bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "}")
        else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[start..<position])
    }

    /// Steps over digits; false if there is none.
    private mutating func skipDigits() -> Bool {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return position > start
    }
}
