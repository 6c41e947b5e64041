/// The number of colours that are sent to the terminal.
package enum ColorDepth: Hashable, Sendable, CaseIterable {
    /// No colour at all (`NO_COLOR`): attributes only.
    case none
    /// The 16 colours of the user's theme.
    case ansi16
    /// The 256-colour palette.
    case indexed256
    /// 24 bits.
    case trueColor
}
