import TripModel

/// The items that the next key is for together, and what others have done since to what was marked: the next key that
/// builds on it waits until that has been read, as it was meant for more, or for something else.
struct Marks: Sendable {
    private(set) var items: Set<ItemID> = []
    /// The item that was marked last, where a range begins.
    private(set) var rangeStart: ItemID?
    /// What is said of that item before a range: others have moved it.
    private var lostRange: String?
    /// What is said before the next key for marked items: others have taken some away.
    private var loss: String?

    var isEmpty: Bool { items.isEmpty }
    var count: Int { items.count }

    func contains(_ item: ItemID) -> Bool { items.contains(item) }

    /// Marks an item, where a range may begin then, or unmarks it.
    mutating func toggle(_ item: ItemID) {
        guard items.remove(item) == nil else { return }
        items.insert(item)
        (rangeStart, lostRange) = (item, nil)
    }

    mutating func add(_ more: [ItemID]) { items.formUnion(more) }

    mutating func clear() { self = Marks() }

    /// Unmarks items that are gone.
    mutating func forget(_ gone: Set<ItemID>) { items.subtract(gone) }

    /// Others have taken away what was marked.
    mutating func noteLoss(_ sentence: String) { loss = sentence }

    /// What is to be read of a loss before the next key for marked items counts, once.
    mutating func takeLoss() -> String? {
        defer { loss = nil }
        return loss
    }

    /// It has been said otherwise.
    mutating func forgetLoss() { loss = nil }

    /// Others have moved the item that a range would begin at: it would be another range.
    mutating func noteLostRange(_ sentence: String) { lostRange = sentence }

    /// What is to be read before a range is marked, once; then no range has begun.
    mutating func takeLostRange() -> String? {
        guard let sentence = lostRange else { return nil }
        (lostRange, rangeStart) = (nil, nil)
        return sentence
    }
}
