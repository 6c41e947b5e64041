import TripModel

/// Items that the file no longer has.
extension ImportMaker {
    /// Finds the items that the file no longer has, and prunes them.
    ///
    /// - Throws: `ImportPlan.Refusal` if that would remove too many.
    mutating func findVanished() throws(ImportPlan.Refusal) {
        let shown = vanishedItems
        let cancelled = Set(known.ofSource.filter { isCancelled($0.key) }.values).intersection(shown)
        if entries.isCut || entries.hasUnknown, !shown.isEmpty {
            cancel(shown.filter(cancelled.contains))
            // The item may be in the missing part or among the entries that could not be identified.
            let reason =
                entries.isCut
                ? "the file's end is missing"
                : "some entries of the file cannot be identified"
            report.notes.append(FileNote(text: "\(reason), so no item counts as vanished"))
            return
        }
        guard options.pruning != .none else {
            report.vanished = shown
            cancel(shown.filter(cancelled.contains))
            return
        }
        if !(options.isSourceNamed && options.pruning == .all), !shown.isEmpty,
            !entries.present.isEmpty, shown.count == known.ofSource.count
        {
            throw .sharesNothing(shown.count, source: options.source)
        }
        let withWords = shown.compactMap { id in trip[id].flatMap(OwnWords.init) }
        report.ownWords = withWords
        guard options.pruning == .some else {
            removals = shown
            report.nameCancelled(shown.filter(cancelled.contains), of: trip)
            return
        }
        let kept = Set(withWords.map(\.item))
        let total = known.ofSource.count - kept.count
        let removals = shown.filter { !kept.contains($0) }
        if !removals.isEmpty, removals.count == total || removals.count > 3 && removals.count * 3 > total {
            throw .prunesTooMany(removals.count, of: total, source: options.source)
        }
        self.removals = removals
        report.nameCancelled(removals.filter(cancelled.contains), of: trip)
        report.vanished = shown.filter(kept.contains)
        cancel(report.vanished.filter(cancelled.contains))
    }

    /// The source's items that no entry has claimed and whose ids the file does not have, in their order in the trip.
    var vanishedItems: [ItemID] {
        let vanished = known.ofSource.filter { key, id in
            !claimed.contains(id) && !entries.present.contains(key)
                && !entries.present.contains(TextKey(id.description)) && !isUnclearOrOnOtherDays(key)
                && (!entries.isCancellation || isCancelled(key))
        }
        return vanished.isEmpty ? [] : trip.shownIDs.filter(Set(vanished.values).contains)
    }

    /// Marks the events among kept items as cancelled.
    private mutating func cancel(_ kept: [ItemID]) {
        for item in kept.compactMap({ trip[$0] }) {
            guard item.isGame, let source = item.content.source else { continue }
            report.cancelled.insert(item.id)
            var comparison = SourceComparison(item, takesSource: options.takesSource)
            comparison.compare(.cancelled, with: .flag(true))
            let changes = comparison.changes(source: source, isRenamed: false)
            if changes.isEmpty { continue }
            cancellations.append(.update(item.id, changes))
            if !comparison.changes.isEmpty, !report.ownWords.contains(where: { $0.item == item.id }) {
                report.nameCancelled([item.id], of: trip, isKept: true)
            }
        }
    }

    /// If the trip has no item of the imported source: the source of an item that matches an entry.
    var otherSource: String? {
        guard known.ofSource.isEmpty else { return nil }
        return trip.shownIDs.lazy.filter(claimed.contains).compactMap { [trip] in
            trip[$0]?.content.source?.name
        }
        .first
    }

    /// Whether the file cancels it or its series.
    private func isCancelled(_ key: TextKey) -> Bool {
        entries.cancelled.contains(key) || SeriesMatch.uid(of: key).map(entries.cancelled.contains) ?? false
    }

    /// Whether it is an instance of a series that may have more instances than could be computed, or is on
    /// days that were not requested from the file.
    private func isUnclearOrOnOtherDays(_ key: TextKey) -> Bool {
        guard let slash = key.text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return false }
        let uid = TextKey(String(key.text[..<slash]))
        if entries.unclear.contains(uid) { return true }
        guard entries.series.contains(uid), let (_, time) = SeriesMatch.parts(of: key) else { return false }
        let day = trip.header.dayNumber(of: time.date)
        return day < 1 || day > trip.header.dayCount
    }
}
