/// Automatic scrolling while a dragged item is held at the list's edge, where a resting mouse sends no
/// events.
struct EdgeScroll: Equatable, Sendable {
    /// 1 down, −1 up.
    let direction: Int
    /// The time of the next line.
    private(set) var next: Duration
    private var interval = Self.slowest

    /// How long the pointer must rest at the edge before the first line.
    static let delay = Duration.milliseconds(250)
    static let slowest = Duration.milliseconds(150)
    static let fastest = Duration.milliseconds(40)
    /// The number of lines at each end of the list that count as its edge.
    static let lines = 2

    init(direction: Int, now: Duration) {
        self.direction = direction
        next = now + Self.delay
    }

    /// Schedules the next line, a little sooner than the last.
    mutating func advance(now: Duration) {
        next = now + interval
        interval = max(Self.fastest, interval * 7 / 8)
    }
}
