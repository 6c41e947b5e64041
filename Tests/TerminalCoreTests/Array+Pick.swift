import TestSupport

extension Array {
    /// A random element; the array must not be empty.
    func pick(_ generator: inout SplitMix64) -> Element {
        self[Int.random(in: indices, using: &generator)]
    }
}
