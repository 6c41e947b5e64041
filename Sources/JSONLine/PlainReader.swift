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
        let count = text.utf8CodeUnitCount
        guard bytes.count - position >= count else { return false }
        let next = UnsafeRawBufferPointer(
            rebasing: UnsafeRawBufferPointer(bytes)[position..<position + count])
        let isNext = text.withUTF8Buffer { text in
            let text = UnsafeRawBufferPointer(text)
            var index = 0
            while index + 8 <= count {
                guard
                    text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                        == next.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                else { return false }
                index += 8
            }
            while index < count, text[index] == next[index] { index += 1 }
            return index == count
        }
        if isNext { position += count }
        return isNext
    }

    /// The bytes of a string of a known length, which may not be valid.
    package mutating func quoted(_ count: Int) -> UnsafeBufferPointer<UInt8>? {
        let quote = UInt8(ascii: "\"")
        guard bytes.count - position >= count + 2, bytes[position] == quote,
            bytes[position + count + 1] == quote
        else { return nil }
        let start = position + 1
        position += count + 2
        return UnsafeBufferPointer(rebasing: bytes[start..<start + count])
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
