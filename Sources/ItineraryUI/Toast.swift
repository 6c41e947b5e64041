import TerminalCore

/// A few words that stay for some seconds, whatever the user does meanwhile.
struct Toast: Sendable {
    enum Kind: Equatable, Sendable {
        /// The last change can be taken back, and by which key: not only while this is shown.
        case undo(key: KeyStroke)
        /// Why something was refused.
        case reason(String)
    }

    let kind: Kind
    let steps: Steps

    private static let time = Duration.seconds(5)

    init(_ kind: Kind, now: Duration) {
        self.kind = kind
        steps = Steps(start: now, interval: Self.time, count: 1)
    }

    var text: String {
        switch kind {
        case .undo(let key): "\(key) undo"
        case .reason(let text): text
        }
    }
}
