#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How long a test waits for an event that is sure to come. Only a test that fails ever waits that long.
struct Patience {
    /// The event did not come.
    struct Exhausted: Error, CustomStringConvertible {
        let description: String
    }

    private let end = ContinuousClock.now + .seconds(120)

    /// Waits until one of these descriptors can be read or has ended.
    ///
    /// - Throws: `Exhausted` with what was waited for.
    func waitToRead(_ descriptors: [Int32], for what: @autoclosure () -> String) throws {
        try wait(descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }, what)
    }

    /// Waits until a descriptor can be written to.
    func waitToWrite(_ descriptor: Int32, for what: @autoclosure () -> String) throws {
        try wait([pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)], what)
    }

    /// Throws when it has lasted too long.
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
