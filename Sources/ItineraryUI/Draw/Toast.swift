import TerminalCore

/// A short message that stays for some seconds, independent of keys.
struct Toast: Sendable {
    enum Kind: Equatable, Sendable {
        /// The last change can be undone, with the key; also after the toast has disappeared.
        case undo(key: KeyStroke)
        /// The reason for a refusal.
        case reason(String)
    }

    let kind: Kind
    let steps: StepAnimation

    private static let time = Duration.seconds(5)

    init(_ kind: Kind, now: Duration) {
        self.kind = kind
        steps = StepAnimation(start: now, interval: Self.time, count: 1)
    }

    var text: String {
        switch kind {
        case .undo(let key): "\(key) undo"
        case .reason(let text): text
        }
    }
}
