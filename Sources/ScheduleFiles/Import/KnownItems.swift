import TripModel

/// Finds the items of a trip by a file's ids.
struct KnownItems {
    /// Items of the file's source, by their ids there.
    private(set) var ofSource: [TextKey: ItemID] = [:]
    private var idsOfSource: [ItemID: TextKey] = [:]
    private var games: [TextKey: ItemID] = [:]
    private let trip: Trip
    private let source: String

    init(_ trip: Trip, source: String) {
        (self.trip, self.source) = (trip, source)
        for item in trip.items {
            if let key = item.content.key(in: source) {
                ofSource[key] = item.id
                idsOfSource[item.id] = key
            }
            if case .game(let game) = item.content { games[TextKey(game.gameID)] = item.id }
        }
    }

    /// The item with an entry's id in the source.
    func item(ofSource entry: FileEntry) -> ItemID? { ofSource[entry.sourceKey] }

    /// The items of the file's source as instances of events.
    var candidates: [SeriesMatch.Candidate] {
        ofSource.values.compactMap { trip[$0].flatMap { .init($0, in: source) } }
    }

    /// Whether an item has another id in this source than an entry, because its series was moved.
    func hasOtherID(_ id: ItemID, than entry: FileEntry) -> Bool {
        guard let key = idsOfSource[id] else { return false }
        return key != entry.sourceKey
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

extension ItemContent {
    /// The id in a source; nil if it was not imported from there.
    func key(in name: String) -> TextKey? {
        source.flatMap { String.isVerbatim($0.name, name) ? TextKey($0.id) : nil }
    }
}

extension FileEntry {
    /// The id in its source, shortened if necessary.
    var sourceKey: TextKey { TextKey(EntryText.id(id, most: TripLimits.sourceIDBytes).text ?? id) }

    /// The source of its item.
    func source(named name: String) -> ItemSource { ItemSource(name: name, id: sourceKey.text) }
}
