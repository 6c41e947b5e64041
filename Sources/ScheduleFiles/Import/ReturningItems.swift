import TripModel

/// The items that earlier imports have removed, to restore users' values when their entries are in the file again.
package struct ReturningItems {
    private let contents: [ItemID: ItemContent]
    private var bySourceID: [TextKey: ItemID] = [:]
    private var series = SeriesMatch()

    /// Whether the content of a removed item must be stored: it has users' values, or it is an instance of a series,
    /// by which the other instances are identified if the series returns on other dates.
    package static func needContent(of item: Item) -> Bool {
        guard OwnWords.changes(of: item.content).isEmpty else { return true }
        return item.content.source.flatMap { SeriesMatch.parts(of: TextKey($0.id)) } != nil
    }

    /// - Parameters:
    ///   - known: the items of the source that the trip has.
    ///   - ids: the ids that the item of an entry has, or had when it was removed.
    init(
        _ file: FileEntries, _ known: KnownItems, _ header: TripHeader, _ options: ImportOptions,
        ids: (Int) -> [ItemID]
    ) {
        contents = options.prunedContents
        guard !contents.isEmpty else { return }
        for (id, content) in contents {
            if let key = content.key(in: options.source) { bySourceID[key] = id }
        }
        // If the trip still has items of a series, these show where it has moved.
        let present = Set(known.ofSource.keys.map { SeriesMatch.uid(of: $0) ?? $0 })
        let candidates = bySourceID.compactMap { key, id -> SeriesMatch.Candidate? in
            guard !present.contains(SeriesMatch.uid(of: key) ?? key) else { return nil }
            return contents[id].map { .init(id, key: key, $0) }
        }
        series = SeriesMatch(file, candidates, header) { [self] index in
            item(of: file.entries[index], ids(index))
        }
    }

    /// The content of the removed item of an entry; nil if it has none.
    func content(of index: Int, _ entry: FileEntry, ids: [ItemID]) -> ItemContent? {
        (item(of: entry, ids) ?? series.items[index]).flatMap { contents[$0] }
    }

    private func item(of entry: FileEntry, _ ids: [ItemID]) -> ItemID? {
        ids.first { contents[$0] != nil } ?? bySourceID[entry.sourceKey]
    }
}
