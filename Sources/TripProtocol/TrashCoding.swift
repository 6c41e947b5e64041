import JSONLine
import TripModel

// The answers to trip.trash and item.trash.

extension TrashedTrip {
    /// Reads the answer to trip.trash.
    package static func list(result: JSONNode) throws(WireError) -> [TrashedTrip] {
        var trips: [TrashedTrip] = []
        for node in try Fields(result).required("trips", { node, _ in node }).elements {
            let fields = try Fields(node, path: "trips")
            trips.append(
                TrashedTrip(
                    header: try TripHeader(node), version: try fields.required("version", Read.int),
                    itemCount: try fields.required("itemCount", Read.int),
                    deletedAt: try fields.required("deletedAt", Read.timestamp)))
        }
        return trips
    }
}

extension ItemTrash {
    /// Reads the answer to item.trash.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        var items: [RemovedItem] = []
        for node in try fields.required("items", { node, _ in node }).elements {
            let row = try Fields(node, path: "items")
            let (above, below) = (
                try row.optional("after", Read.itemID), try row.optional("before", Read.itemID)
            )
            items.append(
                RemovedItem(
                    item: try Item(row.required("item") { node, _ in node }),
                    removedAt: try row.required("removedAt", Read.timestamp),
                    removedBy: try row.required("removedBy", Read.string),
                    neighbours: above == nil && below == nil ? nil : Neighbours(above: above, below: below)))
        }
        self.init(items: items, since: try fields.required("since", Read.timestamp))
    }
}

extension JSONWriter {
    /// Writes a deleted trip.
    package mutating func encode(_ trip: TrashedTrip) {
        beginObject()
        encodeMembers(of: trip.header.brief)
        member("version", trip.version)
        member("itemCount", trip.itemCount)
        member("deletedAt", trip.deletedAt.description)
        member("keptUntil", trip.keptUntil.description)
        endObject()
    }

    /// `items` and `since`, with as many items as fit into an answer. If some do not, `since` is later than their
    /// removal.
    package mutating func encodeMembers(of removed: ItemTrash) {
        let end = byteCount + ItemTrash.maximumBytes
        key("items")
        beginArray()
        var count = 0
        for row in removed.items where byteCount < end {
            encode(row)
            count += 1
        }
        endArray()
        let first = removed.items.dropFirst(count).first
        let since = first.map { Timestamp(milliseconds: $0.removedAt.milliseconds + 1) } ?? removed.since
        member("since", since.description)
    }

    private mutating func encode(_ removed: RemovedItem) {
        beginObject()
        key("item")
        encode(removed.item)
        member("removedAt", removed.removedAt.description)
        member("removedBy", removed.removedBy)
        member("after", removed.neighbours?.above)
        member("before", removed.neighbours?.below)
        endObject()
    }
}

extension ItemTrash {
    /// The size of the items in bytes after which no further item is added: an answer is at most `changeBytes` long.
    fileprivate static let maximumBytes = WireLimits.changeBytes - 2 * TripLimits.itemBytes

    /// The members of the answer to item.trash.
    package func encodedMembers() -> [UInt8] {
        JSONWriter.members(reserving: 64 + 512 * items.count) { $0.encodeMembers(of: self) }
    }
}

extension ServerLine {
    /// The answer to trip.trash.
    package static func trash(_ id: RequestID?, _ trips: [TrashedTrip]) -> [UInt8] {
        reply(id, reserving: 64 + 256 * trips.count) { json in
            json.beginObject()
            json.key("trips")
            json.beginArray()
            for trip in trips { json.encode(trip) }
            json.endArray()
            json.endObject()
        }
    }
}
