import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What starts this process as a service and wants to hear of it: systemd, by the protocols of `sd_listen_fds(3)` and
/// `sd_notify(3)`.
package struct ServiceManager: Sendable {
    /// Where it listens for words; nil where nobody does.
    private let address: String?
    /// How often it wants a sign of life; nil for never.
    package let watchdogInterval: Duration?
    /// Whether it has opened the socket to listen on.
    private let hasSocket: Bool

    /// The first descriptor that is handed over.
    private static let firstSocket: Int32 = 3

    /// The one that has started this process.
    package init(environment: ProcessEnvironment = .current, processID: Int32 = CurrentUser.processID) {
        address = environment.nonEmpty("NOTIFY_SOCKET")
        hasSocket =
            environment.nonEmpty("LISTEN_PID") == "\(processID)"
            && (environment.nonEmpty("LISTEN_FDS").flatMap { Int($0) } ?? 0) >= 1
        let isForUs = environment.nonEmpty("WATCHDOG_PID").map { $0 == "\(processID)" } ?? true
        let microseconds = environment.nonEmpty("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
        // Twice as often as it must be.
        watchdogInterval = isForUs && microseconds > 0 ? .microseconds(microseconds / 2) : nil
    }

    /// The socket to listen on, once; nil where this process opens its own.
    ///
    /// - Throws: `SystemError` where what was handed over is no listening socket.
    package func takeSocket() throws(SystemError) -> Descriptor? {
        guard hasSocket else { return nil }
        let socket = Descriptor(owning: Self.firstSocket, kind: .socket)
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let number = socket.rawValue
        try systemCall("getsockopt") { getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) }
        guard listens != 0 else { throw SystemError(call: "accept", code: EINVAL) }
        try systemCall("fcntl") { fcntl(number, F_SETFD, FD_CLOEXEC) }
        try socket.setNonBlocking(true)
        return socket
    }

    /// Tells that this process is ready to serve.
    package func reportReady() { report("READY=1\nMAINPID=\(CurrentUser.processID)") }

    /// Gives a sign of life.
    package func reportAlive() { report("WATCHDOG=1") }

    /// Tells that this process is about to end.
    package func reportStopping() { report("STOPPING=1") }

    /// Sends a word; one that cannot be sent is nobody's loss.
    private func report(_ text: String) {
        guard let address, address.hasPrefix("/") || address.hasPrefix("@") else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
        // A name that stands in no file system begins with a zero.
        if address.hasPrefix("@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let number = socket(AF_UNIX, Self.datagram, 0)
        guard number >= 0 else { return }
        let descriptor = Descriptor(owning: number, kind: .socket)
        let words = Array(text.utf8)
        withUnsafePointer(to: &name) { pointer in
            UnsafeRawPointer(pointer).withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor.rawValue, words, words.count, 0, address, length)
            }
        }
    }

    #if canImport(Darwin)
    private static let datagram = SOCK_DGRAM
    #else
    private static let datagram = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    #endif
}
