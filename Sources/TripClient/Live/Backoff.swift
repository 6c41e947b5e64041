/// The pauses between attempts to connect: they double up to a maximum, each shortened randomly by up to a
/// half, so that the clients of a restarted daemon do not all connect at once.
struct Backoff: Sendable {
    /// The first pause, before it is shortened.
    static let first = Duration.milliseconds(100)
    /// The maximum pause.
    static let cap = Duration.seconds(5)

    private var next = Self.first
    private var random: UInt64

    init(seed: UInt64) { random = seed }

    /// The next pause.
    mutating func pause() -> Duration {
        defer { next = min(next * 2, Self.cap) }
        return next - next * fraction() / 2
    }

    /// Starts again with the first pause.
    mutating func reset() { next = Self.first }

    /// A random number from 0 to below 1, by the generator of Steele, Lea and Flood (2014).
    private mutating func fraction() -> Double {
        random &+= 0x9E37_79B9_7F4A_7C15
        var word = random
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        word ^= word >> 31
        return Double(word >> 11) * 0x1p-53
    }
}
