/// Feedback for a grab, a drop and a refusal besides the message (`--feedback`).
package enum Feedback: String, Equatable, Sendable, CaseIterable {
    /// Flashes and fades.
    case visual
    /// The terminal's bell, at a refusal.
    case bell
    case both
    case off

    /// Whether anything flashes or fades.
    var isVisible: Bool { self == .visual || self == .both }
    /// Whether the bell rings.
    var isAudible: Bool { self == .bell || self == .both }
}
