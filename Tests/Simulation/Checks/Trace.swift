/// The events of a run: a hash, and on request a readable text.
package struct Trace: Sendable {
    /// Equal runs have equal hashes (FNV-1a).
    package private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    package private(set) var lines: [String] = []
    let isKept: Bool

    init(isKept: Bool) { self.isKept = isKept }

    mutating func note(_ words: StaticString, _ numbers: Int...) {
        words.withUTF8Buffer { for byte in $0 { mix(UInt64(byte)) } }
        for number in numbers { mix(UInt64(bitPattern: Int64(number))) }
        if isKept { lines.append("\(words) \(numbers.map(String.init).joined(separator: " "))") }
    }

    /// Adds bytes that were received.
    mutating func note(_ bytes: [UInt8]) { for byte in bytes { mix(UInt64(byte)) } }

    /// Adds text that is not hashed and may differ from run to run.
    mutating func say(_ text: @autoclosure () -> String) {
        if isKept { lines.append(text()) }
    }

    private mutating func mix(_ word: UInt64) { hash = (hash ^ word) &* 0x100_0000_01B3 }
}
