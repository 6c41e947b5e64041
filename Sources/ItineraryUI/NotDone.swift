import TripModel

/// The user's changes that were not made, or may not have been: kept until the user has read them.
struct NotDone: Sendable {
    /// The most sentences that are kept; of what is beyond only the number.
    static let limit = 200

    /// One change.
    struct Entry: Sendable {
        /// What was not done, and why.
        var sentence: String
        /// The texts that it would have written, a line each.
        let written: [String]
        /// The trip that it was for; nil for the one that is open.
        var trip: String?

        /// All of it.
        var text: String {
            (trip.map { "\($0): " } ?? "") + sentence
                + (written.isEmpty ? "" : " · " + written.joined(separator: " · "))
        }
    }

    private(set) var entries: [Entry] = []
    /// How many more there were.
    private(set) var moreCount = 0

    /// How many changes.
    var count: Int { entries.count + moreCount }

    /// Forgets the oldest, which have been read; what has come since stays.
    mutating func forget(_ read: NotDone) {
        entries.removeFirst(min(read.entries.count, entries.count))
        moreCount -= min(read.moreCount, moreCount)
    }

    /// - Parameter written: the texts that it would have written, a line each.
    mutating func note(_ sentence: String, written: [String] = []) {
        if entries.count < Self.limit {
            entries.append(Entry(sentence: sentence, written: written))
        } else {
            moreCount += 1
        }
    }

    /// The same when another trip is open: what is not said to be of another is of the one that was open before.
    func carried(from trip: String) -> NotDone {
        var carried = self
        for index in entries.indices where entries[index].trip == nil { carried.entries[index].trip = trip }
        return carried
    }
}

/// What items were called that have gone, so that nobody is told an id.
struct Departed: Sendable {
    private static let limit = 256
    private var titles: [ItemID: String] = [:]
    private var order: [ItemID] = []

    subscript(id: ItemID) -> String? { titles[id] }

    mutating func note(_ item: Item) {
        if titles.updateValue(item.content.title, forKey: item.id) == nil { order.append(item.id) }
        if order.count > Self.limit { titles[order.removeFirst()] = nil }
    }
}
