import LocalSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct LogWriterTests {
    private static func received(_ end: borrowing Descriptor) throws -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case .bytes(let count) = try end.read(into: &buffer) { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func `all accepted lines arrive in order before the end`() throws {
        let pair = try UnixSocket.pair()
        let log = try LogWriter(pair.first.rawValue)
        for number in 0..<100 { log.write("line \(number)") }
        log.close(within: .seconds(10))
        log.write("too late")
        #expect(try Self.received(pair.second) == (0..<100).map { "line \($0)\n" }.joined())
    }

    @Test func `a slow reader of the log blocks no thread and gets the count of dropped lines`() throws {
        let pair = try UnixSocket.pair()
        let log = try LogWriter(pair.first.rawValue)
        let line = String(repeating: "x", count: 1000)
        // Far more than the socket and the buffer hold.
        for _ in 0..<3000 { log.write(line) }
        var text = ""
        let end = ContinuousClock.now + .seconds(60)
        while !text.contains("dropped") {
            try #require(ContinuousClock.now < end, "the count of dropped lines does not come")
            text += try Self.received(pair.second)
            log.write("again")
        }
        let lines = text.split(separator: "\n")
        let note = try #require(lines.firstIndex { $0.contains("dropped") })
        #expect(lines[..<note].allSatisfy { $0 == line })
        let missed = lines[note].split(separator: " ").first.flatMap { Int($0) } ?? 0
        #expect(missed > 0)
        for _ in 0..<3000 { log.write(line) }
        // There is no reader any more, but `close` must still end.
        log.close(within: .zero)
    }
}
