import TestSupport

extension Array {
    /// An element by the generator's choice; the array must not be empty.
    func pick(_ generator: inout SplitMix64) -> Element {
        self[Int.random(in: indices, using: &generator)]
    }
}
