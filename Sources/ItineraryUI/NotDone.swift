import TripModel

/// The changes of the user's that were not made, or perhaps not: kept until the user has read them.
struct NotDone: Sendable {
    /// The most sentences that are kept; of what is beyond only the number.
    static let limit = 200

    private(set) var sentences: [String] = []
    /// How many more there were.
    private(set) var moreCount = 0

    /// How many changes.
    var count: Int { sentences.count + moreCount }

    /// Forgets the oldest, which have been read; what has come since stays.
    mutating func forget(_ read: NotDone) {
        sentences.removeFirst(min(read.sentences.count, sentences.count))
        moreCount -= min(read.moreCount, moreCount)
    }

    mutating func note(_ sentence: String) {
        if sentences.count < Self.limit { sentences.append(sentence) } else { moreCount += 1 }
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

/// The item in focus went away by itself, and something else is in focus since.
struct Displaced: Sendable {
    let sentence: String
    var until: Duration
    /// The list was not what the user looked at: it counts from when the user comes back to it.
    var isCovered: Bool
}

/// What is to be answered with yes or no.
struct Question: Sendable {
    enum Purpose: Sendable {
        case remove(ItemID)
        /// Make a change, which came to these edits when it was asked about.
        case change(Intention, [Edit])
        /// Delete a trip.
        case deleteTrip(TripID)
        /// Make a trip of that name.
        case makeTrip(String)
        /// Leave though changes cannot arrive.
        case quit
    }

    let purpose: Purpose
    let text: String
    /// What has happened to what the question is about.
    var news: String?
    /// What is in hand meanwhile, and is again where the answer is no.
    var inHand: Drag?
}
