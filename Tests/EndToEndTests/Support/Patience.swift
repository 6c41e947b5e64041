#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The timeout for an event that must come. Only a failing test waits that long.
struct Deadline {
    /// The event did not come.
    struct Exhausted: Error, CustomStringConvertible {
        let description: String
    }

    private let end = ContinuousClock.now + .seconds(120)

    /// Waits until one of these descriptors can be read or has ended.
    ///
    /// - Throws: `Exhausted` with a description of the event.
    func waitToRead(_ descriptors: [Int32], for what: @autoclosure () -> String) throws {
        try wait(descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }, what)
    }

    /// Waits until a descriptor can be written to.
    func waitToWrite(_ descriptor: Int32, for what: @autoclosure () -> String) throws {
        try wait([pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)], what)
    }

    /// Throws after the timeout.
    func check(for what: String) throws {
        if ContinuousClock.now >= end { throw Exhausted(description: "waited too long for \(what)") }
    }

    private func wait(_ wanted: [pollfd], _ what: () -> String) throws {
        var wanted = wanted
        while true {
            let rest = end - ContinuousClock.now
            let milliseconds = max(0, rest.components.seconds * 1000 + 1)
            if rest > .zero {
                if poll(&wanted, nfds_t(wanted.count), Int32(milliseconds)) > 0 { return }
            } else {
                throw Exhausted(description: "waited too long for \(what())")
            }
        }
    }
}
