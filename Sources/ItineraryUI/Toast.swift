/// A few words that stay for some seconds, whatever the user does meanwhile.
struct Toast: Sendable {
    enum Kind: Equatable, Sendable {
        /// How to take the last change back, with the seconds left to read it.
        case undo(key: String)
        /// Why something was refused.
        case reason(String)
    }

    let kind: Kind
    let steps: Steps

    static let seconds = 5

    init(_ kind: Kind, now: Duration) {
        self.kind = kind
        steps = Steps(start: now, interval: .seconds(1), count: Self.seconds)
    }

    func text(at now: Duration) -> String {
        switch kind {
        case .undo(let key): "\(key) undo · \(Self.seconds - (steps.step(at: now) ?? 0)) s"
        case .reason(let text): text
        }
    }
}
