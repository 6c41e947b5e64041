import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The service manager that started this process: systemd, by the protocols of `sd_listen_fds(3)` and `sd_notify(3)`.
package struct ServiceManager: Sendable {
    /// The address of its notification socket; nil for none.
    private let address: String?
    /// The interval of watchdog notifications; nil for none.
    package let watchdogInterval: Duration?
    /// Whether it has passed a listening socket.
    private let hasSocket: Bool

    /// The first passed descriptor.
    private static let firstSocket: Int32 = 3

    /// The service manager of this process.
    package init(environment: ProcessEnvironment = .current, processID: Int32 = CurrentUser.processID) {
        address = environment.nonEmpty("NOTIFY_SOCKET")
        hasSocket =
            environment.nonEmpty("LISTEN_PID") == "\(processID)"
            && (environment.nonEmpty("LISTEN_FDS").flatMap { Int($0) } ?? 0) >= 1
        let isForUs = environment.nonEmpty("WATCHDOG_PID").map { $0 == "\(processID)" } ?? true
        let microseconds = environment.nonEmpty("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
        // Half the interval that the manager requires.
        watchdogInterval = isForUs && microseconds > 0 ? .microseconds(microseconds / 2) : nil
    }

    /// The passed listening socket, once; nil if this process opens its own.
    ///
    /// - Throws: `SystemError` if the passed descriptor is not a listening socket.
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

    /// Reports that this process is ready to serve.
    package func reportReady() { report("READY=1\nMAINPID=\(CurrentUser.processID)") }

    /// Reports that this process is alive.
    package func reportAlive() { report("WATCHDOG=1") }

    /// Reports that this process is about to end.
    package func reportStopping() { report("STOPPING=1") }

    /// Sends a notification; a failure is ignored.
    private func report(_ text: String) {
        guard let address, address.hasPrefix("/") || address.hasPrefix("@") else { return }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
        // An abstract socket name begins with a zero.
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
