/// How many colours the terminal is to be sent.
package enum ColorDepth: Hashable, Sendable, CaseIterable {
    /// No colour at all (`NO_COLOR`): attributes only.
    case none
    /// The 16 of the user's theme.
    case ansi16
    /// The 256-colour palette.
    case indexed256
    /// 24 bits.
    case trueColor
}
