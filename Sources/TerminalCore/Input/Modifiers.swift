/// Keys held down with another key or a mouse button.
package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift.
    package static let shift = Modifiers(rawValue: 1 << 0)
    /// Alt, or Option.
    package static let alt = Modifiers(rawValue: 1 << 1)
    /// Control.
    package static let control = Modifiers(rawValue: 1 << 2)
}
