import TripModel

/// Finds the items of a trip by a file's ids.
struct KnownItems {
    /// Items of the file's source, by their ids there.
    private(set) var ofSource: [TextKey: ItemID] = [:]
    private var idsOfSource: [ItemID: TextKey] = [:]
    private var games: [TextKey: ItemID] = [:]
    private let trip: Trip

    init(_ trip: Trip, source: String) {
        self.trip = trip
        for item in trip.items {
            if case .source(let source_)? = item.content[.source], String.isVerbatim(source_.name, source) {
                ofSource[TextKey(source_.id)] = item.id
                idsOfSource[item.id] = TextKey(source_.id)
            }
            if case .game(let game) = item.content { games[TextKey(game.gameID)] = item.id }
        }
    }

    /// The item with an entry's id in the source.
    func item(ofSource entry: FileEntry) -> ItemID? { ofSource[TextKey(ImportPlaces.sourceID(of: entry))] }

    /// The items of the file's source as instances of events.
    var candidates: [SeriesMatch.Candidate] {
        ofSource.compactMap { key, id in
            trip[id].map { .init(item: id, key: key, content: $0.content, day: $0.position.day) }
        }
    }

    /// Whether an item has another id in this source than an entry, because its series was moved.
    func hasOtherID(_ id: ItemID, than entry: FileEntry) -> Bool {
        guard let key = idsOfSource[id] else { return false }
        return key != TextKey(ImportPlaces.sourceID(of: entry))
    }

    /// The candidates for an entry, best first: by its id in our exports, by its id in the source, and by
    /// gameId.
    func items(of entry: FileEntry) -> [ItemID] {
        var items: [ItemID] = []
        if let own = entry.own?.item, let kind = trip[own]?.content.kind, Self.may(entry, be: kind) {
            items.append(own)
        }
        if let item = item(ofSource: entry) { items.append(item) }
        if entry.kind == .game, let item = games[TextKey(entry.text(.gameID) ?? entry.id)],
            entry.occurrence == nil || !hasOtherID(item, than: entry)
        {
            items.append(item)
        }
        return items
    }

    /// Whether an entry can match an item of a kind. A game's entry may have been imported as a custom item.
    private static func may(_ entry: FileEntry, be kind: ItemKind) -> Bool {
        kind == entry.kind || (kind == .custom && entry.kind == .game)
    }
}
