import TripModel

/// What the printed numbers stand for. A number is a name that was told to the user, never a place: it means the
/// item that it was printed for until a whole list gives new ones.
struct PlainNumbers: Sendable {
    /// An item as it was when it got its number.
    struct Entry: Sendable {
        let id: ItemID
        let title: String
    }

    private var entries: [Entry] = []
    private var numbers: [ItemID: Int] = [:]

    /// How many have been given; they begin with 1.
    var count: Int { entries.count }

    /// What a number was printed for, if it was.
    subscript(number: Int) -> Entry? {
        (1...max(entries.count, 1)).contains(number) && !entries.isEmpty ? entries[number - 1] : nil
    }

    /// The item's number; the next one if it has none yet.
    mutating func number(of item: Item) -> Int {
        if let number = numbers[item.id] { return number }
        entries.append(Entry(id: item.id, title: item.content.title))
        numbers[item.id] = entries.count
        return entries.count
    }

    /// Begins again with 1.
    mutating func restart() {
        entries = []
        numbers = [:]
    }
}
