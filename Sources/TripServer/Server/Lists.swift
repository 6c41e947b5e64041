import TripModel
import TripProtocol

/// The answers about all trips: `trip.list` and `daemon.stats`.
extension Server {
    /// The rows of the trips visible with these permissions. The list of all trips is encoded once until
    /// something changes.
    func tripList(for rights: Rights) -> SharedBytes {
        if rights.isUniform, let rows = shared.trips { return rows }
        var rows: [TripSummary] = []
        let highest = rights.highest
        for (id, entry) in directory.entries {
            let access = access(rights, to: id)
            guard let access else { continue }
            let shownAccess = access == highest ? nil : access
            switch entry.state {
            case .closed(let closed), .busy(let closed):
                guard let summary = closed.confirmedSummary else { continue }
                rows.append(
                    TripSummary(
                        header: summary.header, version: summary.version, itemCount: summary.itemCount,
                        subscribers: 0, state: .usable, access: shownAccess))
            case .quarantined(_, let header):
                guard let header, header.id == id else { continue }
                rows.append(
                    TripSummary(
                        header: header, version: 0, itemCount: 0, subscribers: 0, state: .corrupt,
                        access: shownAccess))
            case .served(let actor):
                let row: TripSummary? = actor.read { core in
                    guard core.isCreated else { return nil }
                    return TripSummary(
                        header: core.durable.header, version: core.durable.version,
                        itemCount: core.durable.itemCount, subscribers: core.room.connections.count,
                        state: core.storage == .working ? .usable : .readOnly, access: shownAccess)
                }
                if let row { rows.append(row) }
            }
        }
        // Indices are cheaper to sort than rows, which are large.
        let order = rows.indices.sorted { rows[$0].header.slug < rows[$1].header.slug }
        let bytes = SharedBytes(TripSummary.encoded(order.lazy.map { rows[$0] }))
        if rights.isUniform { shared.trips = bytes }
        return bytes
    }

    /// The users of all connections, sorted, without duplicates.
    private var namesOfPeople: [String] {
        Set(connections.values.compactMap(\.session.principal?.user)).sorted()
    }

    /// The answer to `daemon.stats`.
    ///
    /// - Parameter rights: the permissions of the sender; changes of invisible trips are not counted.
    func statisticsLine(_ id: RequestID?, for rights: Rights) -> [UInt8] {
        let journal = storage.statistics
        // The version of a closed trip comes from a file and may be any number.
        let versions = directory.entries.reduce(0) { sum, entry in
            guard rights.isUniform || access(rights, to: entry.key) != nil else { return sum }
            let version =
                switch entry.value.state {
                case .closed(let trip), .busy(let trip): trip.known.summary?.version ?? 0
                case .served(let actor): actor.read { $0.durable.version }
                case .quarantined: 0
                }
            let (exact, overflows) = sum.addingReportingOverflow(version)
            return overflows ? .max : exact
        }
        var counted = DaemonStatistics(
            startedAt: counters.startedAt, durability: configuration.durability.rawValue)
        counted.people = namesOfPeople
        counted.connections = connections.count
        (counted.trips, counted.openTrips) = (directory.count, directory.openCount)
        counted.versions = versions
        counted.requests = counters.requests
        counted.queuedBytes = connections.values.reduce(0) {
            $0 + $1.outbox.queuedBytes + $1.writes.byteCount
        }
        (counted.sentSnapshots, counted.skippedSnapshots) = (
            counters.sentSnapshots, counters.skippedSnapshots
        )
        (counted.commits, counted.syncs) = (journal.commits, journal.syncs)
        counted.syncMicroseconds = journal.syncMicroseconds
        (counted.compactions, counted.lastCompactionAt) = (journal.compactions, journal.lastCompactionAt)
        return ServerLine.statistics(id, counted)
    }
}
