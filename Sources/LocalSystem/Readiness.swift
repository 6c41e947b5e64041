/// What a watch on a descriptor waits for.
package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Until reading would not block (or ends, or fails).
    package static let read = Interest(rawValue: 1)
    /// Until writing would not block (or fails).
    package static let write = Interest(rawValue: 2)
}

/// What a watched descriptor is ready for.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Reading gives bytes, the end, or an error; only set where asked for.
    package static let readable = Readiness(rawValue: 1)
    /// Writing takes bytes or gives an error; only set where asked for.
    package static let writable = Readiness(rawValue: 2)
    /// The other end is gone or the descriptor failed. Comes together with whatever was asked for, so that the
    /// next read or write says which; there may still be bytes to read. Told even to a watch that asks for nothing.
    package static let hangup = Readiness(rawValue: 4)

    /// What a watch with this interest is told.
    func limited(to interest: Interest) -> Readiness {
        if PlantedBug.hangupUnheard.isPlanted, interest.isEmpty { return [] }
        let asked = Readiness(rawValue: interest.rawValue)
        return contains(.hangup) ? asked.union(.hangup) : intersection(asked)
    }
}
