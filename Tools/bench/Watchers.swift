import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The form of a watcher's updates.
enum WatchMode: String {
    /// The whole trip; versions may be skipped.
    case snapshot
    /// Only the changes.
    case delta
}

/// Subscribers of the trip that read everything they are sent, on a separate thread.
final class Watchers {
    /// The timeout for the last version in microseconds.
    private static let timeout = 20_000_000

    private struct Progress {
        /// The last version that each watcher has received.
        var versions: [Int]
        /// The bytes that all have read.
        var bytes = 0
        var failure: BenchFailure?
    }

    /// The state shared by the thread and its owner.
    private final class Shared: Sendable {
        let progress: Guarded<Progress>

        init(count: Int) { progress = Guarded(Progress(versions: Array(repeating: 0, count: count))) }
    }

    private let shared: Shared
    private let bell: Descriptor
    private var thread: WorkerThread?

    /// Connects and subscribes a number of watchers; returns when each has the trip at `version`.
    init(
        count: Int, mode: WatchMode, path: String, version: Int
    ) throws(BenchFailure) {
        let shared = Shared(count: count)
        self.shared = shared
        let pipe = try failing { () throws(SystemError) in try Pipe().release() }
        bell = Descriptor(owning: pipe.writing)
        let end = pipe.reading
        thread = try failing { () throws(SystemError) in
            try WorkerThread {
                let end = Descriptor(owning: end)
                do throws(BenchFailure) {
                    try Self.watch(count, mode, path, until: end.rawValue, shared)
                } catch {
                    shared.progress.withLock { $0.failure = error }
                }
            }
        }
        try waitForAll(upTo: version)
    }

    deinit {
        // Closing would do as well, but a descriptor is closed at the end of its owner's life, which waits here.
        _ = try? bell.write([0])
        thread = nil
    }

    /// Waits until every watcher has this version or a later one.
    func waitForAll(upTo version: Int) throws(BenchFailure) {
        for _ in 0..<Self.timeout / 100 {
            let (slowest, failure) = shared.progress.withLock { ($0.versions.min() ?? version, $0.failure) }
            if let failure { throw failure }
            if slowest >= version { return }
            usleep(100)
        }
        let slowest = shared.progress.withLock { $0.versions.min() ?? 0 }
        throw .watchersBehind(wanted: version, slowest: slowest)
    }

    /// The bytes that all have read so far.
    var bytes: Int { shared.progress.withLock { $0.bytes } }

    /// The thread's work: reads until `end` is readable.
    private static func watch(
        _ count: Int, _ mode: WatchMode, _ path: String, until end: Int32, _ shared: Shared
    ) throws(BenchFailure) {
        var readers: [WatchReader] = []
        for number in 0..<count {
            readers.append(try WatchReader(path: path, user: "watcher-\(number)", mode: mode))
        }
        var polled = readers.map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
        polled.append(pollfd(fd: end, events: Int16(POLLIN), revents: 0))
        while true {
            guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
            if polled[count].revents != 0 { return }
            for number in 0..<count where polled[number].revents != 0 {
                let (version, bytes) = try readers[number].readOnce()
                shared.progress.withLock { progress in
                    progress.bytes += bytes
                    if let version { progress.versions[number] = version }
                }
            }
        }
    }
}

/// One watcher's connection. Reads all available bytes, and of each line only the trip's version.
private final class WatchReader {
    private let socket: BlockingSocket
    private var reader = LineReader()
    private var version = 0

    init(path: String, user: String, mode: WatchMode) throws(BenchFailure) {
        do throws(UnixSocketError) {
            socket = try BlockingSocket(connectingTo: path)
        } catch {
            throw .unreachable(error)
        }
        try socket.write(
            WireClient.line(id: 1, WireClient.hello(user: user))
                + WireClient.line(id: 2, TripScript.subscription(mode)))
    }

    var rawValue: Int32 { socket.rawValue }

    /// Reads once, after `poll` has reported input. Returns the newest received version, if any, and the
    /// number of bytes.
    func readOnce() throws(BenchFailure) -> (version: Int?, bytes: Int) {
        let bytes = try reader.fill(from: socket)
        var newest: Int?
        while let range = reader.next() {
            let line = LineScan(reader.bytes, range)
            if line.isError || line.isGoodbye { throw .unexpected(line: line.text, wanted: "the trip") }
            // Hello's answer and presence have none.
            guard let version = line.version else { continue }
            guard version > self.version else {
                throw .unexpected(line: line.text, wanted: "a version above \(self.version)")
            }
            self.version = version
            newest = version
        }
        return (newest, bytes)
    }
}
