import LocalSystem
import TripModel

/// What a catalogue tells of a trip besides its place.
package struct TripContent: Equatable, Sendable {
    /// What is said of the trip besides its items.
    package let header: TripHeader
    /// How many items it has.
    package let itemCount: Int

    /// A content from its parts.
    package init(header: TripHeader, itemCount: Int) {
        self.header = header
        self.itemCount = itemCount
    }
}

extension WriterLoop {
    /// Notes all names of a round before anything else of it is done, with one sync for the new ones.
    ///
    /// Their order among each other is kept: a slug that somebody gives up stands before its next owner's claim.
    func claimNames(_ commands: [WriterInbox.Command]) {
        guard catalogue != nil else { return }
        // Who takes a name over that was given up in a journal must not be on the disk before that is.
        if durability == .relaxed, commands.contains(where: { $0.claims }) {
            let due = syncDeadline
            syncUnsynced()
            // What is written behind it in this round is not put off by it.
            syncDeadline = due
        }
        catalogueFailure = nil
        var claims = false
        for case .name(let trip, let slugs) in commands {
            let known = catalogue?.entries[trip]
            if !slugs.isSubset(of: known?.slugs ?? []) {
                unclaimed.insert(trip)
                claims = true
            } else if let known, slugs.isStrictSubset(of: known.slugs) {
                // What is given up was either claimed on the disk before, or failed to be and is taken back.
                unclaimed.remove(trip)
            }
            var entry = known ?? CatalogueEntry(slugs: slugs)
            entry.slugs = slugs
            catalogue?.set(slugs.isEmpty ? nil : entry, of: trip)
        }
        if claims { syncClaims() }
    }

    /// Why nothing of a trip may be written now: its slugs cannot be brought to the disk.
    func claimFailure(of trip: TripID) -> SystemError? {
        guard unclaimed.contains(trip) else { return nil }
        if catalogueFailure == nil { syncClaims() }
        return catalogueFailure
    }

    private func syncClaims() {
        do throws(SystemError) {
            try catalogue?.sync()
            unclaimed.removeAll()
        } catch {
            catalogueFailure = error
        }
    }

    /// A trip was made, and is on the disk up to here.
    func noteCreated(_ header: JournalHeader, _ checkpoint: JournalCheckpoint) {
        guard var entry = catalogue?.entries[header.tripID] else { return }
        entry.place = JournalPlace(epoch: header.epoch, checkpoint: checkpoint)
        catalogue?.set(entry, of: header.tripID)
    }

    /// A journal was cut and goes on under a new epoch: it is known by that from now on, whatever becomes of the copy.
    func noteRepaired(_ journal: OpenedJournal) {
        guard var entry = catalogue?.entries[journal.header.tripID] else { return }
        entry.place = JournalPlace(epoch: journal.header.epoch, checkpoint: journal.checkpoint)
        entry.summary = nil
        catalogue?.set(entry, of: journal.header.tripID)
    }

    /// A closed trip was read. Its names are not told by that: one more may have been claimed meanwhile.
    func noteRead(_ trip: TripID, _ read: CatalogueEntry) {
        var entry = read
        if let known = catalogue?.entries[trip] { entry.slugs.formUnion(known.slugs) }
        catalogue?.set(entry, of: trip)
    }

    /// A journal was closed, and is on the disk up to its end.
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

    /// Writes what the catalogue was told. Where that fails only hints are late: until a name must be claimed or the
    /// daemon ends it is not tried again, for on a full disk each try would take the room that the trips wait for.
    func saveCatalogue(syncing: Bool) {
        let mustWait = catalogue?.isBehind == true && !PlantedBug.draftLeftOnFullDisk.isPlanted
        if catalogueFailure != nil || (!syncing && mustWait) { return }
        do throws(SystemError) {
            if syncing { try catalogue?.sync() } else { try catalogue?.write() }
        } catch {}
    }
}

extension WriterInbox.Command {
    /// Whether a trip may have other names after it.
    fileprivate var claims: Bool {
        switch self {
        case .create, .name: true
        case .append, .attach, .delete, .detach, .note, .compact, .compaction: false
        }
    }
}
