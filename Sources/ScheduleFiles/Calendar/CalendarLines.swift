/// The content lines of an iCalendar text (RFC 5545, 3.1), with folded lines joined.
///
/// A line is a range of the text, which is not copied until it is needed. Lines end with CRLF, LF or CR;
/// blank ones are skipped, also within a folded line, because some programs double the line ends.
struct CalendarLines {
    /// The range of one content line.
    struct Line {
        /// The 1-based line on which it begins.
        let number: Int
        fileprivate let start: Int
        /// The end of its first piece.
        fileprivate let firstEnd: Int
        /// The end of its last piece.
        fileprivate let end: Int
    }

    private let bytes: [UInt8]
    /// The start of the next line of the file.
    private var position: Int
    private var nextNumber = 1

    /// Makes a reader before the first line.
    ///
    /// - Parameter start: the start of the text, after a byte-order mark.
    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// The number of the last line read, or 1.
    var number: Int { max(nextNumber - 1, 1) }

    /// The next line; nil at the end.
    mutating func next() -> Line? {
        while position < bytes.count {
            let start = position
            let number = nextNumber
            let firstEnd = skipPiece()
            if bytes[start..<firstEnd].allSatisfy(Self.marksFold) { continue }
            var end = firstEnd
            while let fold = startOfFold(at: position) {
                while position < fold { _ = skipPiece() }
                end = skipPiece()
            }
            return Line(number: number, start: start, firstEnd: firstEnd, end: end)
        }
        return nil
    }

    /// The name of a line's property in upper case: the part before the first `;` or `:`.
    func name(of line: Line) -> String {
        // The first line of a file may be indented.
        let piece = bytes[line.start..<line.firstEnd].drop(while: Self.marksFold)
        if let end = piece.firstIndex(where: Self.endsName) { return upperCased(piece[..<end]) }
        guard line.firstEnd < line.end else { return upperCased(piece) }
        return upperCased(content(of: line).prefix { !Self.endsName($0) })
    }

    /// The whole line, with its pieces joined.
    func content(of line: Line) -> ArraySlice<UInt8> {
        guard line.firstEnd < line.end else { return bytes[line.start..<line.end] }
        var content = Array(bytes[line.start..<line.firstEnd])
        content.reserveCapacity(line.end - line.start)
        var index = line.firstEnd
        while index < line.end {
            index = (startOfFold(at: index) ?? index) + 1
            let piece = bytes[index..<endOfPiece(from: index)]
            content.append(contentsOf: piece)
            index = piece.endIndex
        }
        return content[...]
    }

    // MARK: Steps

    /// The index of the space or tab that continues a line, if only line ends stand before it.
    private func startOfFold(at index: Int) -> Int? {
        let next = FileText.skippingLineEnds(from: index, in: bytes)
        return next < bytes.count && Self.marksFold(bytes[next]) ? next : nil
    }

    private static func marksFold(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";")
    }

    /// Skips to the next line of the file.
    ///
    /// - Returns: the end of the skipped line, without its line end.
    private mutating func skipPiece() -> Int {
        let end = endOfPiece(from: position)
        position = end + lineEndLength(at: end)
        nextNumber += 1
        return end
    }

    private func endOfPiece(from start: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r")
            {
                index += 1
            }
            return index
        }
    }

    private func lineEndLength(at index: Int) -> Int {
        guard index < bytes.count else { return 0 }
        let isPair =
            bytes[index] == UInt8(ascii: "\r") && index + 1 < bytes.count
            && bytes[index + 1] == UInt8(ascii: "\n")
        return isPair ? 2 : 1
    }
}

/// Text with ASCII letters in upper case.
func upperCased(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.lazy.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
}
