/// The events that a watch on a descriptor waits for.
package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Until a read would not block, or would end or fail.
    package static let read = Interest(rawValue: 1)
    /// Until a write would not block, or would fail.
    package static let write = Interest(rawValue: 2)
}

/// The readiness of a watched descriptor.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A read returns bytes, the end or an error; only reported if requested.
    package static let readable = Readiness(rawValue: 1)
    /// A write succeeds or fails; only reported if requested.
    package static let writable = Readiness(rawValue: 2)
    /// The other end is gone or the descriptor failed. Reported together with the requested events, so that the next
    /// read or write returns the reason; there may still be bytes to read. Reported even for an empty interest.
    package static let hangup = Readiness(rawValue: 4)

    /// The readiness that a watch with this interest reports.
    func limited(to interest: Interest) -> Readiness {
        let asked = Readiness(rawValue: interest.rawValue)
        return contains(.hangup) ? asked.union(.hangup) : intersection(asked)
    }
}
