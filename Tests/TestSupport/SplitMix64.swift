/// A small seeded generator (Steele, Lea and Flood 2014) for repeatable runs.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// A number from 0 to bound − 1.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// True with this probability in percent.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// A random value; nil if there are none.
    package mutating func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &self) }
}
