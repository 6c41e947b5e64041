import TripModel

/// The items of printed numbers. A number refers to the item for which it was printed, wherever that is now,
/// until a new list assigns other numbers.
struct PlainNumbers: Sendable {
    /// An item in its state when it got its number.
    struct Entry: Sendable {
        let id: ItemID
        let title: String
    }

    private var entries: [Entry] = []
    private var numbers: [ItemID: Int] = [:]

    /// The number of assigned numbers, which begin with 1.
    var count: Int { entries.count }

    /// The item of a number, if it is assigned.
    subscript(number: Int) -> Entry? {
        (1...max(entries.count, 1)).contains(number) && !entries.isEmpty ? entries[number - 1] : nil
    }

    /// The item's number; assigns the next one if it has none.
    mutating func number(of item: Item) -> Int {
        if let number = numbers[item.id] { return number }
        entries.append(Entry(id: item.id, title: item.content.title))
        numbers[item.id] = entries.count
        return entries.count
    }

    /// Removes all numbers.
    mutating func restart() {
        entries = []
        numbers = [:]
    }
}
