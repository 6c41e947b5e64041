import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The list of a data directory's trips, created once at start without opening them.
///
/// It comes from the catalogue. A trip is read only if the catalogue is not sufficient: for an unknown
/// directory, for a creation or rename that was in flight when the daemon ended, and for two trips with the
/// same slug. If the catalogue is missing or damaged, every uncertain trip is read.
struct TripInventory: Sendable {
    struct Damaged: Sendable {
        let error: WireError
        let header: TripHeader?
        let slugs: Set<String>
    }

    /// Each trip has one slug, except unreadable ones.
    private(set) var closed: [TripID: TripDirectory.ClosedTrip] = [:]
    private(set) var quarantined: [TripID: Damaged] = [:]
    /// The up-to-date catalogue.
    private(set) var catalogue: Catalogue

    private let loader: TripLoader
    private var unreadable: Set<TripID> = []

    /// Blocks on the disk.
    ///
    /// - Throws: if the directory cannot be read.
    init(_ loader: TripLoader) throws(SystemError) {
        self.loader = loader
        let directory = loader.store.dataDirectory
        let files = loader.store.fileSystem
        let trips = Set(try loader.store.listTrips())
        let reading: CatalogueReading
        do throws(SystemError) {
            reading = try CatalogueReading(in: directory, files)
        } catch {
            loader.log(.warning("the catalogue cannot be read: \(error)"))
            reading = .missing
        }
        switch reading {
        case .whole(let catalogue):
            self.catalogue = catalogue
            list(trips, readingAll: false)
        case .damaged(let damaged, let offset):
            loader.log(
                .warning(
                    "the catalogue is damaged at byte \(offset); it is kept as catalogue.damaged and rebuilt "
                        + "from the journals"))
            let path = Catalogue.path(in: directory)
            // It is rebuilt even if the copy cannot be kept.
            do throws(SystemError) { try files.rename(path, to: path + ".damaged") } catch {}
            catalogue = Catalogue(damaged.entries, in: directory, files)
            list(trips, readingAll: true)
        case .missing:
            if !trips.isEmpty { loader.log(.info("there is no catalogue; it is rebuilt from the journals")) }
            catalogue = Catalogue(in: directory, files)
            list(trips, readingAll: true)
        }
    }

    /// Writes the catalogue if it has changed.
    mutating func save() throws(SystemError) { try catalogue.write() }

    /// Lists the trips that the catalogue knows reliably, and reads the journals of the others.
    private mutating func list(_ trips: Set<TripID>, readingAll isSuspect: Bool) {
        for trip in catalogue.entries.keys where !trips.contains(trip) { catalogue.set(nil, of: trip) }
        var unknown: Set<TripID> = []
        for trip in trips {
            if !isSuspect, let known = catalogue.entries[trip], known.slugs.count == 1, !known.isReservation {
                closed[trip] = .init(known: known, isConfirmed: false)
            } else {
                unknown.insert(trip)
            }
        }
        unknown.formUnion(rivals)
        var count = 0
        while !unknown.isEmpty {
            for trip in unknown { examine(trip) }
            count += unknown.count
            unknown = rivals
        }
        if count > 0 { loader.log(.info("\(count) of \(trips.count) trips were read")) }
    }

    /// Trips that seem to share a slug with another trip and have not been read yet.
    private var rivals: Set<TripID> {
        var owners: [String: Int] = [:]
        for trip in closed.values { for slug in trip.known.slugs { owners[slug, default: 0] += 1 } }
        return Set(
            closed.lazy.filter { id, trip in
                !trip.isConfirmed && !unreadable.contains(id)
                    && trip.known.slugs.contains { (owners[$0] ?? 0) > 1 }
            }.map(\.key))
    }

    /// Examines a trip: reads its journal, unless that is unchanged since the trip was closed.
    private mutating func examine(_ trip: TripID) {
        let known = catalogue.entries[trip] ?? CatalogueEntry(slugs: [])
        switch loader.examine(trip, known) {
        case .same:
            guard let header = known.summary?.header else { preconditionFailure("a summary was compared") }
            var known = known
            known.slugs = [header.slug]
            catalogue.set(known, of: trip)
            closed[trip] = .init(known: known, isConfirmed: true)
        case .read(let entry):
            catalogue.set(entry, of: trip)
            closed[trip] = .init(known: entry, isConfirmed: true)
        case .quarantined(let error, let header):
            loader.log(.warning("trip \(trip) is not served: \(error.message)"))
            closed[trip] = nil
            let slugs =
                known.isReservation ? known.slugs.union([header?.slug].compactMap(\.self)) : known.slugs
            quarantined[trip] = Damaged(error: error, header: known.summary?.header ?? header, slugs: slugs)
        case .unreadable(let error, let slug):
            loader.log(.warning("trip \(trip) could not be read yet: \(error.message)"))
            var known = known
            if let slug { known.slugs = [slug] }
            closed[trip] = .init(known: known, isConfirmed: false)
            unreadable.insert(trip)
        }
    }
}
