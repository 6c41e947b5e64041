import LocalSystem
import TripModel

/// A trip's data in the catalogue besides its position.
package struct TripContent: Equatable, Sendable {
    /// The trip's header.
    package let header: TripHeader
    /// The number of items.
    package let itemCount: Int

    package init(header: TripHeader, itemCount: Int) {
        self.header = header
        self.itemCount = itemCount
    }
}

extension WriterLoop {
    /// Records all names of a batch before its other commands, with one sync for the new names.
    ///
    /// Their order is preserved: the release of a slug precedes its reservation by another trip.
    func reserveNames(_ commands: [WriterInbox.Command]) {
        guard catalogue != nil else { return }
        // A reservation of a slug must not be on disk before the journal with its release.
        if durability == .relaxed, commands.contains(where: { $0.changesNames }) {
            let due = syncDeadline
            syncUnsynced()
            // Later writes of this batch keep their deadline.
            syncDeadline = due
        }
        catalogueFailure = nil
        var changesNames = false
        for case .name(let trip, let slugs) in commands {
            let known = catalogue?.entries[trip]
            if !slugs.isSubset(of: known?.slugs ?? []) {
                unreserved.insert(trip)
                changesNames = true
            } else if let known, slugs.isStrictSubset(of: known.slugs) {
                // A released slug was either on disk before, or its reservation failed and was rolled back.
                unreserved.remove(trip)
            }
            var entry = known ?? CatalogueEntry(slugs: slugs)
            entry.slugs = slugs
            catalogue?.set(slugs.isEmpty ? nil : entry, of: trip)
        }
        if changesNames { syncReservations() }
    }

    /// The reason why nothing of a trip may be written now: its slugs cannot be stored.
    func reservationFailure(of trip: TripID) -> SystemError? {
        guard unreserved.contains(trip) else { return nil }
        if catalogueFailure == nil { syncReservations() }
        return catalogueFailure
    }

    private func syncReservations() {
        do throws(SystemError) {
            try catalogue?.sync()
            unreserved.removeAll()
        } catch {
            catalogueFailure = error
        }
    }

    /// Records the position of a created trip, which is on disk.
    func noteCreated(_ header: JournalHeader, _ checkpoint: JournalCheckpoint) {
        guard var entry = catalogue?.entries[header.tripID] else { return }
        entry.place = JournalPlace(epoch: header.epoch, checkpoint: checkpoint)
        catalogue?.set(entry, of: header.tripID)
    }

    /// Records the new epoch of a repaired journal, whatever happens to its copy.
    func noteRepaired(_ journal: OpenedJournal) {
        guard var entry = catalogue?.entries[journal.header.tripID] else { return }
        entry.place = JournalPlace(epoch: journal.header.epoch, checkpoint: journal.checkpoint)
        entry.summary = nil
        catalogue?.set(entry, of: journal.header.tripID)
    }

    /// Records the data of a closed trip. Its slugs are merged, because another one may have been reserved since.
    func noteRead(_ trip: TripID, _ read: CatalogueEntry) {
        var entry = read
        if let known = catalogue?.entries[trip] { entry.slugs.formUnion(known.slugs) }
        catalogue?.set(entry, of: trip)
    }

    /// Records the end of a closed journal, which is on disk.
    func noteClosed(_ journal: ActiveJournal, _ content: TripContent?) {
        if case .broken = journal.condition { return }
        guard let content, var entry = catalogue?.entries[journal.trip] else { return }
        entry.place = JournalPlace(epoch: journal.header.epoch, checkpoint: journal.checkpoint)
        entry.summary = nil
        if let stamp = try? store.stamp(of: journal.trip) {
            entry.summary = TripDigest(
                header: content.header, version: journal.checkpoint.version, itemCount: content.itemCount,
                stamp: stamp)
        }
        catalogue?.set(entry, of: journal.trip)
    }

    /// Writes the catalogue. A failure only delays hints. It is not retried until a name must be stored or
    /// the daemon ends, because each attempt on a full disk would use the space that the trips need.
    func saveCatalogue(syncing: Bool) {
        if catalogueFailure != nil || (!syncing && catalogue?.isBehind == true) { return }
        do throws(SystemError) {
            if syncing { try catalogue?.sync() } else { try catalogue?.write() }
        } catch {}
    }
}

extension WriterInbox.Command {
    /// True if a trip may have other names after it.
    fileprivate var changesNames: Bool {
        switch self {
        case .create, .restore, .name: true
        case .append, .attach, .delete, .detach, .note, .compact, .compaction: false
        }
    }
}
