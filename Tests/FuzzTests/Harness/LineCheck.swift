import JSONLine

/// Checks that a stream gives the expected lines, however it is split into reads.
struct LineCheck {
    private let stream: [UInt8]
    private let limit: Int
    private let chunk: Int

    init(_ stream: [UInt8], limit: Int, chunk: Int) {
        self.stream = stream
        self.limit = limit
        self.chunk = chunk
    }

    func run() throws(Finding) {
        let expected = frames
        var whole = LineFramer(limit: limit)
        whole.append(stream)
        var frames = Self.take(&whole)
        try Finding.unless(frames == expected, "a line ends where its newline is", "\(frames)")
        var cut = LineFramer(limit: limit)
        frames = []
        for start in stride(from: 0, to: stream.count, by: chunk) {
            cut.append(stream[start..<min(start + chunk, stream.count)])
            frames += Self.take(&cut)
            try Finding.unless(
                cut.pendingByteCount <= limit + 1, "no more is held than a line", "\(cut.pendingByteCount)")
        }
        try Finding.unless(frames == expected, "lines do not depend on where reads end", "\(frames)")
    }

    private static func take(_ framer: inout LineFramer) -> [LineFrame] {
        var frames: [LineFrame] = []
        while let frame = framer.next() { frames.append(frame) }
        return frames
    }

    /// The lines according to the protocol.
    private var frames: [LineFrame] {
        var lines = stream.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = lines.removeLast()
        var frames = lines.compactMap { line -> LineFrame? in
            let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if text.count > limit { return .tooLong }
            return text.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                ? nil : .line(Array(text))
        }
        let mayEnd = rest.count == limit + 1 && rest.last == UInt8(ascii: "\r")
        if rest.count > limit, !mayEnd { frames.append(.tooLong) }
        return frames
    }
}
