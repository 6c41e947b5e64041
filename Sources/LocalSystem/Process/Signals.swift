import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Signals of this process, as events of a loop.
///
/// A watched signal interrupts nothing: the C handler writes one byte to that signal's pipe, and the loop
/// reads it. Several arrivals before that count as one.
package enum Signals {
    /// The signals that request the end of this process: SIGTERM, SIGINT, SIGHUP.
    package static let termination = [SIGTERM, SIGINT, SIGHUP]
    /// The terminal has closed.
    package static let hangUp = SIGHUP
    /// Requests that a daemon reads its settings again.
    package static let reload = SIGHUP
    /// Ctrl-C.
    package static let interrupt = SIGINT
    /// Requests the end of a process.
    package static let terminate = SIGTERM
    /// Requests that this process stops for a while.
    package static let stop = SIGTSTP
    /// The process continues.
    package static let continued = SIGCONT
    /// A child process has ended.
    package static let childEnded = SIGCHLD
    /// The terminal's size has changed.
    package static let windowChange = SIGWINCH

    /// A signal's pipe. It lives as long as the process, because a handler may be about to write to it at any time.
    private struct Channel {
        let reading: Int32
        let writing: Int32
        var loop: EventLoop?
    }

    private static let channels = Guarded<[Int32: Channel]>([:])

    /// Makes a write to a pipe without a reader fail with `EPIPE` instead of ending the process. Sockets
    /// always do this.
    package static func ignoreBrokenPipe() {
        let result = shim_ignore_signal(SIGPIPE)
        precondition(result == 0, "SIGPIPE can always be ignored")
    }

    /// Makes a write past the limit for files fail with `EFBIG` instead of ending the process.
    package static func ignoreFileSizeLimit() {
        let result = shim_ignore_signal(SIGXFSZ)
        precondition(result == 0, "SIGXFSZ can always be ignored")
    }

    /// Calls `handler` with the signal's number for each arrival, instead of the previous action.
    ///
    /// A signal has one watch at a time. On the loop's thread, or before it runs.
    package static func watch(
        _ signals: [Int32], on loop: EventLoop, handler: @escaping @Sendable (Int32) -> Void
    ) throws(SystemError) {
        for signal in signals {
            let channel = try takeChannel(of: signal, for: loop)
            empty(channel.reading)
            try loop.watch(channel.reading, for: .read) { _ in
                empty(channel.reading)
                handler(signal)
            }
            try systemCall("sigaction") { shim_catch_signal(signal, channel.writing) }
        }
    }

    /// Ends the watches of these signals, and restores their default actions. On the loop's thread.
    package static func unwatch(_ signals: [Int32]) {
        for signal in signals {
            _ = shim_default_signal(signal)
            let channel = channels.withLock { channels in
                defer { channels[signal]?.loop = nil }
                return channels[signal]
            }
            if let channel { channel.loop?.unwatch(channel.reading) }
        }
    }

    /// Restores the default action of a signal, on any thread, shortly before the process ends. A watch of it stays.
    static func restoreDefault(of signal: Int32) { _ = shim_default_signal(signal) }

    /// Stops this process and its process group, as Ctrl-Z does; returns when it is continued. Without a
    /// job-control shell the system does not stop it, and this returns at once. `stop` must not be watched.
    package static func stopGroup() {
        // The others first: this thread stops this process, so that the call returns only after it was continued.
        _ = shim_ignore_signal(SIGTSTP)
        kill(0, SIGTSTP)
        _ = shim_default_signal(SIGTSTP)
        // The runtime's threads block the signal, which would then have no effect.
        var stopping = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stopping, &blocked)
        raise(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
    }

    private static func takeChannel(of signal: Int32, for loop: EventLoop) throws(SystemError) -> Channel {
        try channels.withLock { channels throws(SystemError) in
            var channel: Channel
            if let known = channels[signal] {
                precondition(known.loop == nil, "signal \(signal) is watched already")
                channel = known
            } else {
                channel = try makeChannel()
            }
            channel.loop = loop
            channels[signal] = channel
            return channel
        }
    }

    private static func makeChannel() throws(SystemError) -> Channel {
        let pipe = try Pipe()
        try pipe.reading.setNonBlocking(true)
        try pipe.writing.setNonBlocking(true)
        let (reading, writing) = pipe.release()
        return Channel(reading: reading, writing: writing)
    }

    private static func empty(_ descriptor: Int32) {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) == buffer.count {}
        }
    }
}
