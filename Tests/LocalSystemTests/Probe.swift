import LocalSystem

/// A list that handlers on any thread append to.
final class Probe<Element: Sendable>: Sendable {
    private let list = Guarded<[Element]>([])

    func note(_ element: Element) { list.withLock { $0.append(element) } }

    var all: [Element] { list.withLock { $0 } }
}

/// Runs a new loop around `body` on its own thread.
func withRunningLoop(_ body: (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop()
    let thread = try WorkerThread { loop.run() }
    do {
        try await body(loop)
    } catch {
        loop.stop()
        thread.join()
        throw error
    }
    loop.stop()
    thread.join()
}

extension EventLoop {
    /// Returns when the loop has reached work queued now.
    func ping() async {
        await withCheckedContinuation { continuation in execute { continuation.resume() } }
    }
}

extension Descriptor {
    /// Writes bytes that fit into the buffer.
    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard try write(bytes) == .wrote(bytes.count) else { throw SystemError(call: "write", code: 0) }
    }

    /// Reads once.
    func receive() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        guard case .bytes(let count) = try read(into: &buffer) else { return "" }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
