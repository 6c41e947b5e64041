/// Finds the few values of a line that the benchmark needs without parsing it, because measuring must cost
/// less than the measured work.
struct LineScan {
    private let bytes: [UInt8]
    private let range: Range<Int>

    /// Maximum length of the head of a reply.
    private static let headLength = 64

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// The id of a reply; nil in a notification.
    var id: Int? { integer(after: "\"id\":", before: headEnd) }

    /// True for a reply with a result.
    var isResult: Bool { end(of: "\"result\":", before: headEnd) != nil }

    /// True for a reply with an error.
    var isError: Bool { end(of: "\"error\":", before: headEnd) != nil }

    /// True for the last line of a connection.
    var isGoodbye: Bool { end(of: "\"method\":\"goodbye\"", before: headEnd) != nil }

    /// The trip's version, which the daemon writes before any item.
    var version: Int? { integer(after: "\"version\":", before: range.upperBound) }

    /// The line for a message, truncated.
    var text: String { String(decoding: bytes[range].prefix(400), as: UTF8.self) }

    /// The integer that follows the first occurrence of `key` in the line.
    func integer(after key: StaticString) -> Int? { integer(after: key, before: range.upperBound) }

    private var headEnd: Int { min(range.upperBound, range.lowerBound + Self.headLength) }

    private func integer(after key: StaticString, before limit: Int) -> Int? {
        guard var index = end(of: key, before: limit) else { return nil }
        var value: Int?
        while index < range.upperBound, case let digit = Int(bytes[index]) - 0x30, (0...9).contains(digit) {
            value = (value ?? 0) * 10 + digit
            index += 1
        }
        return value
    }

    /// The end of the first occurrence of `key` that begins before `limit`.
    private func end(of key: StaticString, before limit: Int) -> Int? {
        let length = key.utf8CodeUnitCount
        let last = min(limit, range.upperBound - length + 1)
        guard range.lowerBound < last else { return nil }
        return key.withUTF8Buffer { key in
            bytes.withUnsafeBufferPointer { bytes in
                for start in range.lowerBound..<last where bytes[start] == key[0] {
                    if (1..<length).allSatisfy({ bytes[start + $0] == key[$0] }) { return start + length }
                }
                return nil
            }
        }
    }
}
