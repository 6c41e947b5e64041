import TripModel

/// The selected items, and remote changes that affect the selection. The next key that uses the selection is
/// held until the user has read about them.
struct Marks: Sendable {
    private(set) var items: Set<ItemID> = []
    /// The item selected last, at which a range begins.
    private(set) var rangeStart: ItemID?
    /// The message that others have moved that item.
    private var lostRange: String?
    /// The message that others have removed selected items.
    private var loss: String?

    var isEmpty: Bool { items.isEmpty }
    var count: Int { items.count }

    func contains(_ item: ItemID) -> Bool { items.contains(item) }

    /// Selects an item, at which a range may begin, or deselects it.
    mutating func toggle(_ item: ItemID) {
        guard items.remove(item) == nil else { return }
        items.insert(item)
        (rangeStart, lostRange) = (item, nil)
    }

    mutating func add(_ more: [ItemID]) { items.formUnion(more) }

    mutating func clear() { self = Marks() }

    /// Deselects removed items.
    mutating func forget(_ gone: Set<ItemID>) { items.subtract(gone) }

    /// Records that others have removed selected items.
    mutating func noteLoss(_ sentence: String) { loss = sentence }

    /// The message about removed items, once; it is shown before the next key for the selection applies.
    mutating func takeLoss() -> String? {
        defer { loss = nil }
        return loss
    }

    /// Forgets that message, because another one was shown.
    mutating func forgetLoss() { loss = nil }

    /// Records that others have moved the start of the range.
    mutating func noteLostRange(_ sentence: String) { lostRange = sentence }

    /// The message about a moved start, once; it also resets the range.
    mutating func takeLostRange() -> String? {
        guard let sentence = lostRange else { return nil }
        (lostRange, rangeStart) = (nil, nil)
        return sentence
    }
}
