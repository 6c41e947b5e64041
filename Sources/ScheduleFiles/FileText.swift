/// The bytes of a file that is text in UTF-8, checked before anybody reads on.
package struct FileText: Sendable {
    /// All bytes, a byte-order mark included.
    let bytes: [UInt8]
    /// Where the text begins, behind a byte-order mark.
    let start: Int

    /// The most bytes of a file that are read.
    package static let maximumBytes = 64 * 1024 * 1024
    /// The most entries of a file.
    package static let maximumEntries = 100_000

    /// Checks the size and the encoding of a file.
    ///
    /// - Parameter isFolded: whether lines may be folded within a character, as calendars may.
    package init(_ bytes: [UInt8], isFolded: Bool = false) throws(FileError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { throw .utf16 }
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if Self.looksLikeUTF16(bytes) { throw .utf16 }
        // Such is left of a file that the system did not get to write.
        if bytes.first == 0 { throw .binary }
        if let index = Self.firstFault(in: bytes, from: start, isFolded: isFolded) {
            if bytes.contains(where: { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }) {
                throw .binary
            }
            throw .notUTF8(line: Self.line(of: index, in: bytes))
        }
        self.bytes = bytes
    }

    /// Without a byte-order mark UTF-16 shows by its zeros: text begins with ASCII here.
    private static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return false }
        let zeros = bytes.prefix(4).map { $0 == 0 }
        return zeros == [true, false, true, false] || zeros == [false, true, false, true]
    }

    private static func line(of index: Int, in bytes: [UInt8]) -> Int {
        var line = 1
        for position in 0..<index {
            let isPair = bytes[position] == 0x0D && bytes[position + 1] == 0x0A
            if bytes[position] == 0x0A || bytes[position] == 0x0D, !isPair { line += 1 }
        }
        return line
    }

    /// The first byte that begins no character of UTF-8; nil where there is none.
    private static func firstFault(in bytes: [UInt8], from start: Int, isFolded: Bool) -> Int? {
        bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                if bytes[index] < 0x80 {
                    index += 1
                    continue
                }
                guard let next = endOfCharacter(at: index, in: bytes, isFolded: isFolded) else {
                    return index
                }
                index = next
            }
            return nil
        }
    }

    private static func endOfCharacter(
        at start: Int, in bytes: UnsafeBufferPointer<UInt8>, isFolded: Bool
    ) -> Int? {
        let lead = bytes[start]
        let count: Int
        // The second byte tells forms that are too long, surrogates, and what is beyond Unicode.
        var allowed: ClosedRange<UInt8> = 0x80...0xBF
        switch lead {
        case 0xC2...0xDF: count = 1
        case 0xE0: (count, allowed) = (2, 0xA0...0xBF)
        case 0xED: (count, allowed) = (2, 0x80...0x9F)
        case 0xE1...0xEF: count = 2
        case 0xF0: (count, allowed) = (3, 0x90...0xBF)
        case 0xF1...0xF3: count = 3
        case 0xF4: (count, allowed) = (3, 0x80...0x8F)
        default: return nil
        }
        var index = start + 1
        for _ in 0..<count {
            if isFolded { index = skipFold(at: index, in: bytes) }
            guard index < bytes.count, allowed.contains(bytes[index]) else { return nil }
            allowed = 0x80...0xBF
            index += 1
        }
        return index
    }

    private static func skipFold(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var next = index
        if next < bytes.count, bytes[next] == 0x0D { next += 1 }
        if next < bytes.count, bytes[next] == 0x0A { next += 1 }
        guard next > index, next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 else {
            return index
        }
        return next + 1
    }
}
