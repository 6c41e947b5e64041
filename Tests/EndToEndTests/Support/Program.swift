import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A program under test with its output. It is killed with its home.
final class Program: Ending {
    /// The end of a program, and its whole output.
    struct Outcome {
        let status: ChildProcess.ExitStatus
        let output: String
        let errors: String
    }

    /// The output streams of a program.
    enum Stream {
        case output
        case errors
    }

    /// A program's standard input.
    enum Input {
        case nothing
        /// Typed by the test.
        case typed
        case file(String)
        /// A descriptor that the program then owns, such as a socket.
        case descriptor(Int32)
    }

    private final class Reader {
        private let descriptor: Descriptor
        private(set) var text: [UInt8] = []
        private(set) var isAtEnd = false
        private var taken = 0

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

        var number: Int32 { descriptor.rawValue }

        func read() throws {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            switch try descriptor.read(into: &buffer) {
            case .bytes(let count): text += buffer[..<count]
            case .wouldBlock: break
            case .end: isAtEnd = true
            }
        }

        /// Removes the next complete line.
        func takeLine() -> String? {
            guard let newline = text[taken...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { taken = newline + 1 }
            return String(decoding: text[taken..<newline], as: UTF8.self)
        }
    }

    private let child: ChildProcess
    /// The test's end of its standard input; −1 if there is none, or it is closed.
    private var inputEnd: Int32 = -1
    private let output: Reader
    private let errors: Reader

    init(
        _ executable: String, _ arguments: [String], environment: [String: String], input: Input = .nothing
    ) throws {
        let (readingOutput, writingOutput) = try Pipe().release()
        let (readingErrors, writingErrors) = try Pipe().release()
        output = Reader(Descriptor(owning: readingOutput))
        errors = Reader(Descriptor(owning: readingErrors))
        let ends = [writingOutput, writingErrors]
        var childEnds = ends
        switch input {
        case .nothing: break
        case .typed:
            let (readingInput, writingInput) = try Pipe().release()
            inputEnd = writingInput
            childEnds.append(readingInput)
        case .file(let path): childEnds.append(open(path, O_RDONLY | O_CLOEXEC))
        case .descriptor(let number): childEnds.append(number)
        }
        // The child has a copy; with this one open there would be no end of file.
        defer { for end in childEnds { close(end) } }
        var plan = ChildProcess.Plan(executable, arguments)
        plan.environment = environment
        plan.isInNewSession = true
        plan.input = childEnds.count > ends.count ? .descriptor(childEnds[ends.count]) : .null
        plan.output = .descriptor(ends[0])
        plan.error = .descriptor(ends[1])
        child = try ChildProcess(plan)
    }

    func end() {
        child.kill(SIGKILL)
        _ = try? child.wait()
        endInput()
    }

    // MARK: Typing

    /// Types a line.
    func type(_ line: String) throws { try type(bytes: Array((line + "\n").utf8)) }

    /// Types bytes; few enough that a pipe accepts them at once.
    func type(bytes: [UInt8]) throws {
        let count = write(inputEnd, bytes, bytes.count)
        guard count == bytes.count else { throw Deadline.Exhausted(description: "it does not read: \(said)") }
    }

    /// Closes its standard input.
    func endInput() {
        if inputEnd >= 0 { close(inputEnd) }
        inputEnd = -1
    }

    /// Whether it has ended.
    var hasEnded: Bool { (try? child.poll()) != nil }

    var processID: Int32 { child.processID }

    func send(_ signal: Int32) { child.kill(signal) }

    /// The next line that it prints; nil at the end of its output.
    func nextLine(of stream: Stream = .output) throws -> String? {
        let reader = stream == .output ? output : errors
        let timeout = Deadline()
        while true {
            if let line = reader.takeLine() { return line }
            if reader.isAtEnd { return nil }
            try readMore(timeout)
        }
    }

    /// Waits until it prints a line with this text, and returns that line.
    @discardableResult
    func waitForLine(with text: String, of stream: Stream = .output) throws -> String {
        while let line = try nextLine(of: stream) {
            if line.contains(text) { return line }
        }
        throw Deadline.Exhausted(description: "it ended without saying “\(text)”: \(said)")
    }

    /// Waits until it has ended.
    func finish() throws -> Outcome {
        let timeout = Deadline()
        while !output.isAtEnd || !errors.isAtEnd { try readMore(timeout) }
        return Outcome(
            status: try child.wait(), output: String(decoding: output.text, as: UTF8.self),
            errors: String(decoding: errors.text, as: UTF8.self))
    }

    private func readMore(_ timeout: Deadline) throws {
        let open = [output, errors].filter { !$0.isAtEnd }
        try timeout.waitToRead(open.map(\.number), for: "a program that has said: \(said)")
        for reader in open {
            var state = pollfd(fd: reader.number, events: Int16(POLLIN), revents: 0)
            if poll(&state, 1, 0) > 0 { try reader.read() }
        }
    }

    private var said: String { String(decoding: output.text + errors.text, as: UTF8.self) }
}
