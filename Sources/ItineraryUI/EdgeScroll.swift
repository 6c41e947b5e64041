/// The list scrolling by itself while a lifted item is held at its edge: a mouse that rests sends nothing.
struct EdgeScroll: Equatable, Sendable {
    /// 1 down, −1 up.
    let direction: Int
    /// When the next line comes.
    private(set) var next: Duration
    private var interval = Self.slowest

    /// How long the pointer rests at the edge before the first line.
    static let patience = Duration.milliseconds(250)
    static let slowest = Duration.milliseconds(150)
    static let fastest = Duration.milliseconds(40)
    /// How many lines at each end of the list count as its edge.
    static let lines = 2

    init(direction: Int, now: Duration) {
        self.direction = direction
        next = now + Self.patience
    }

    /// A line has come: the next one a little sooner.
    mutating func advance(now: Duration) {
        next = now + interval
        interval = max(Self.fastest, interval * 7 / 8)
    }
}
