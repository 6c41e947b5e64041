/// A file's bytes as checked UTF-8. UTF-16 is converted, and other encodings if they are named or unambiguous.
package struct FileText: Sendable {
    /// All bytes, including a byte-order mark.
    let bytes: [UInt8]
    /// The index after a byte-order mark.
    let start: Int
    /// The encoding from which the text was converted without being asked to; nil if there is none.
    private(set) var guessed: TextEncoding?

    /// The text after a byte-order mark.
    package var text: String { String(decoding: bytes[start...], as: UTF8.self) }

    /// The maximum size of a file.
    package static let maximumBytes = 64 * 1024 * 1024
    /// The maximum number of entries.
    package static let maximumEntries = 100_000

    /// Checks the size and the encoding of a file.
    ///
    /// - Parameters:
    ///   - isFolded: whether lines may be folded within a character, as in calendars.
    ///   - encoding: the encoding; nil for UTF-8, or to find it out.
    package init(
        _ bytes: [UInt8], isFolded: Bool = false, encoding: TextEncoding? = nil
    ) throws(FileError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
        if let encoding {
            guard let text = encoding.text(of: bytes) else { throw .notEncoded(encoding) }
            self.bytes = Array(text.utf8)
            start = text.hasPrefix("\u{FEFF}") ? 3 : 0
            return
        }
        if let isBigEndian = Self.isBigEndianUTF16(bytes) {
            guard let text = Self.utf8(ofUTF16: bytes, isBigEndian: isBigEndian) else { throw .utf16 }
            self.bytes = text
            start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            return
        }
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // A file may contain only zeros after a system crash.
        if bytes.first == 0 { throw .binary }
        if let index = Self.firstFault(in: bytes, from: start, isFolded: isFolded) {
            if bytes.contains(where: { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }) {
                throw .binary
            }
            let guess = EncodingGuess(bytes)
            guard let reading = guess.readings.first else {
                throw .notUTF8(line: Self.line(of: index, in: bytes))
            }
            guard guess.readings.count == 1 else {
                throw .ambiguousEncoding(line: Self.line(of: index, in: bytes), guess.differingWords)
            }
            // Latin-1 is better known, and is the same where Windows-1252 has no letters and no marks.
            guessed = bytes.contains { (0x80...0x9F).contains($0) } ? reading.encoding : .latin1
            self.bytes = Array(reading.text.utf8)
            return
        }
        self.bytes = bytes
    }

    /// The byte order of UTF-16, found by its mark or, because the text begins with ASCII, by its zero bytes;
    /// nil for other encodings.
    private static func isBigEndianUTF16(_ bytes: [UInt8]) -> Bool? {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        guard bytes.count >= 4 else { return nil }
        switch bytes.prefix(4).map({ $0 == 0 }) {
        case [true, false, true, false]: return true
        case [false, true, false, true]: return false
        default: return nil
        }
    }

    /// The text as UTF-8; nil if it is not valid UTF-16.
    private static func utf8(ofUTF16 bytes: [UInt8], isBigEndian: Bool) -> [UInt8]? {
        guard bytes.count % 2 == 0 else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }

    /// Notes about the encoding.
    var notes: [FileNote] {
        guard let guessed else { return [] }
        let name = guessed == .latin1 ? "Latin-1" : guessed.rawValue
        return [FileNote(text: "the file is not UTF-8; it is read as \(name)")]
    }

    private static func line(of index: Int, in bytes: [UInt8]) -> Int {
        var line = 1
        for position in 0..<index {
            let isPair = bytes[position] == 0x0D && bytes[position + 1] == 0x0A
            if bytes[position] == 0x0A || bytes[position] == 0x0D, !isPair { line += 1 }
        }
        return line
    }

    /// The index of the first invalid UTF-8 sequence; nil if there is none.
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
        // The second byte excludes overlong forms, surrogates and values beyond Unicode.
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

    /// The index of the first byte from `index` on that ends no line.
    static func skippingLineEnds<Bytes: Collection<UInt8>>(from index: Int, in bytes: Bytes) -> Int
    where Bytes.Index == Int {
        bytes[index...].firstIndex { $0 != 0x0D && $0 != 0x0A } ?? bytes.endIndex
    }

    private static func skipFold(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let next = skippingLineEnds(from: index, in: bytes)
        guard next > index, next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 else {
            return index
        }
        return next + 1
    }
}
