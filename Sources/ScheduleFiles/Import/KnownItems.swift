import TripModel

/// The items of a trip as a file may know them.
struct KnownItems {
    /// Those that came from the file's source, by what that calls them.
    private(set) var ofSource: [TextKey: ItemID] = [:]
    private var games: [TextKey: ItemID] = [:]
    private let trip: Trip

    init(_ trip: Trip, source: String) {
        self.trip = trip
        for item in trip.items {
            if case .source(let source_)? = item.content[.source], String.isVerbatim(source_.name, source) {
                ofSource[TextKey(source_.id)] = item.id
            }
            if case .game(let game) = item.content { games[TextKey(game.gameID)] = item.id }
        }
    }

    /// The items that an entry may be, the likeliest first: the one of that id in a file of ours, of that id in the
    /// source, and of that gameId.
    func items(of entry: FileEntry) -> [ItemID] {
        var items: [ItemID] = []
        if let own = entry.own?.item, let kind = trip[own]?.content.kind, Self.may(entry, be: kind) {
            items.append(own)
        }
        if let item = ofSource[TextKey(ImportPlaces.sourceID(of: entry))] { items.append(item) }
        if entry.kind == .game, let item = games[TextKey(entry.text(.gameID) ?? entry.id)] {
            items.append(item)
        }
        return items
    }

    /// Whether an entry may have become an item of a kind: what is played may have been wanted as something free.
    private static func may(_ entry: FileEntry, be kind: ItemKind) -> Bool {
        kind == entry.kind || (kind == .custom && entry.kind == .game)
    }
}
