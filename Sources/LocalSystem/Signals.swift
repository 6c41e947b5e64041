import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Signals of this process, as events of a loop.
///
/// A signal that is watched interrupts nothing: the C handler writes one byte to that signal's pipe, and the loop
/// reads it. Several arrivals before that count as one.
package enum Signals {
    /// What asks this process to end: SIGTERM, SIGINT, SIGHUP.
    package static let termination = [SIGTERM, SIGINT, SIGHUP]
    /// What a terminal that goes tells its programs.
    package static let hangUp = SIGHUP
    /// What asks a daemon to read its settings again.
    package static let reload = SIGHUP
    /// What Ctrl-C sends.
    package static let interrupt = SIGINT
    /// What asks a process politely to end.
    package static let terminate = SIGTERM
    /// What asks this process to stop for a while.
    package static let stop = SIGTSTP
    /// What tells it that it goes on.
    package static let goesOn = SIGCONT
    /// What tells that a child has ended.
    package static let childEnded = SIGCHLD
    /// What tells that the terminal has another size.
    package static let windowChange = SIGWINCH

    /// A signal's pipe. It lives as long as the process, since a handler may be about to write to it at any time.
    private struct Channel {
        let reading: Int32
        let writing: Int32
        var loop: EventLoop?
    }

    private static let channels = Guarded<[Int32: Channel]>([:])

    /// Makes a write to a pipe without a reader fail with `EPIPE` instead of ending the process. Sockets do so anyway.
    package static func ignoreBrokenPipe() {
        let result = shim_ignore_signal(SIGPIPE)
        precondition(result == 0, "SIGPIPE can always be ignored")
    }

    /// Makes a write past the limit for files fail with `EFBIG` instead of ending the process.
    package static func ignoreFileSizeLimit() {
        let result = shim_ignore_signal(SIGXFSZ)
        precondition(result == 0, "SIGXFSZ can always be ignored")
    }

    /// Calls `handler` with the signal's number whenever one of `signals` arrives, instead of what it did so far.
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

    /// Ends the watches of these signals; from now on they do what they do by default. On the loop's thread.
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

    /// Stops this process and the others of its group, as Ctrl-Z would; returns when somebody continues it. Where nobody
    /// could, as without a shell that controls jobs, the system does not stop it and this returns at once. `stop` must
    /// not be watched.
    package static func stopGroup() {
        // First the others: this process is stopped by its own thread, so that it is when the call returns.
        _ = shim_ignore_signal(SIGTSTP)
        kill(0, SIGTSTP)
        _ = shim_default_signal(SIGTSTP)
        // A thread that the runtime made blocks the signal, and one that is blocked stops nobody.
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
