import CommandLineKit
import JSONLine
import TripClient
import TripModel
import TripProtocol

/// Deleted trips and removed items that can be restored.
struct Trash {
    let trips: [TrashedTrip]
    /// Removed items by trip, without trips that have none.
    let removed: [(header: TripHeader, items: ItemTrash)]

    init(_ client: TripClient) async throws(CommandFailure) {
        trips = try await asking(await client.trash())
        var removed: [(header: TripHeader, items: ItemTrash)] = []
        for trip in try await TripName.summaries(nil, client) {
            let items = try await Self.items(of: trip.header.id, client)
            if !items.items.isEmpty { removed.append((trip.header, items)) }
        }
        self.removed = removed
    }

    static func items(of trip: TripID, _ client: TripClient) async throws(CommandFailure) -> ItemTrash {
        try await asking(await client.removedItems(from: .id(trip)))
    }

    /// `deleted` and `removed`, as members of an object.
    func encode(to json: inout JSONWriter) {
        json.array("deleted", trips) { trip, json in json.encode(trip) }
        json.objects("removed", removed) { trip, json in
            json.member("trip", trip.header.slug)
            json.encodeMembers(of: trip.items)
        }
    }

    /// The deleted trip with a name: the one deleted last, or the only one whose name begins with it.
    static func trip(named name: String, _ client: TripClient) async throws(CommandFailure) -> TripID {
        let trips = try await asking(await client.trash())
        let wanted = name.lowercased()
        let same = trips.first { trip in
            [trip.header.id.description, trip.header.slug, trip.header.name.lowercased()].contains(wanted)
        }
        if let same { return same.header.id }
        let beginning = trips.filter {
            $0.header.name.lowercased().hasPrefix(wanted) || $0.header.slug.hasPrefix(wanted)
        }
        let names = Set(beginning.map(\.header.name))
        guard let first = beginning.first else {
            let question = NearestSpelling.question(for: name, among: trips.map(\.header.name))
            throw CommandFailure(
                "no deleted trip is called \(PlainText.visible(name))\(PlainText.visible(question)); "
                    + "itinerary-client restore lists them", exitCode: .noInput,
                reason: ErrorReason.tripNotFound.rawValue)
        }
        guard names.count == 1 else {
            throw CommandFailure(
                "\(PlainText.visible(name)) could be any of "
                    + names.sorted().map(PlainText.visible).joined(separator: ", "),
                exitCode: .noInput, reason: "ambiguous")
        }
        return first.header.id
    }

    /// Edits that restore removed items at their former places.
    static func edits(
        restoring names: [String], in trip: Trip, _ client: TripClient
    ) async throws(CommandFailure) -> [Edit] {
        let removed = try await items(of: trip.header.id, client).items
        var wanted: Set<ItemID> = []
        for name in names {
            let item = try ItemName(name).item(
                among: removed.map(\.item), of: "no item removed within 30 days is called")
            wanted.insert(item.id)
        }
        let neighbours = Dictionary(removed.map { ($0.item.id, $0.neighbours) }) { first, _ in first }
        var (trip, edits): (Trip, [Edit]) = (trip, [])
        for one in removed where wanted.contains(one.item.id) {
            let edit = Edit.add(one.item.id, one.item.content, to: trip.placement(of: one.item, neighbours))
            edits.append(edit)
            // The next item may have been beside this one. The daemon refuses an edit that is refused here.
            _ = try? trip.apply([edit], by: Author(name: "", at: Timestamp(milliseconds: 0)))
        }
        return edits
    }
}

extension Trip {
    /// The place for a removed item: beside its former neighbours on its day, else at the place of its time.
    /// Travel goes to the nearest valid place, and a game to its start.
    ///
    /// - Parameter neighbours: the former neighbours of each removed item.
    fileprivate func placement(of item: Item, _ neighbours: [ItemID: Neighbours?]) -> Placement? {
        let day = min(item.position.day, header.dayCount)
        /// The nearest existing item in a direction.
        func nearest(_ side: KeyPath<Neighbours, ItemID?>) -> ItemID? {
            var next: ItemID? = item.id
            for _ in 0...neighbours.count {
                next = next.flatMap { neighbours[$0] ?? nil }?[keyPath: side]
                guard let id = next, self[id] == nil else { break }
            }
            return next.flatMap { self[$0]?.position.day == day ? $0 : nil }
        }
        let (above, below) = (nearest(\.above), nearest(\.below))
        switch item.content {
        case .game: return nil
        case .custom:
            return above.map { .after($0, day: day) } ?? below.map { .before($0, day: day) }
                ?? placement(ofNew: item.content, onDay: day)
        case .travel:
            let valid = gaps(for: item.content).gaps.filter(\.isValid)
            let sameDay = valid.filter { $0.day == day }
            let gap = sameDay.first { $0.after == above } ?? sameDay.first ?? valid.first
            return gap?.placement ?? .end(day: day)
        }
    }
}

extension Timestamp {
    /// The date of the moment in UTC.
    var date: CalendarDate { CalendarDate(String(description.prefix(10))) ?? .epoch }
}

extension SteadyClient {
    /// Deletes a trip.
    ///
    /// - Returns: the last date on which it can be restored; nil if the daemon does not send it.
    func delete(_ trip: TripID) async throws(CommandFailure) -> CalendarDate? {
        _ = try await once { _ in .deleteTrip(.id(trip), ifVersion: nil, isDryRun: false) }
        return try? await client.trash().first { $0.header.id == trip }?.keptUntil.date
    }

    /// Restores a deleted trip.
    ///
    /// - Returns: the daemon's answer, which is the trip.
    func restore(_ trip: TripID) async throws(CommandFailure) -> JSONNode {
        do throws(CommandFailure) { return try await once { _ in .restoreTrip(.id(trip)) } } catch {
            // An earlier attempt has restored it.
            guard error.refusal?.known == .duplicateID else { throw error }
            return try await once { _ in .getTrip(.id(trip)) }
        }
    }
}
