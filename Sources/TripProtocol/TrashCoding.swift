import JSONLine
import TripModel

// The answers to trip.trash and item.trash.

extension TrashedTrip: WireObject {
    /// Decodes the answer to trip.trash.
    package static func list(result: JSONNode) throws(WireError) -> [TrashedTrip] {
        try Fields(result).required("trips")
    }

    init<Coder: MemberCoder>(_ coder: inout Coder, encoding trip: TrashedTrip?) throws(Coder.Failure) {
        self.init(
            header: try TripHeader(&coder, encoding: trip?.header.brief),
            version: try coder.required("version", trip?.version),
            itemCount: try coder.required("itemCount", trip?.itemCount),
            deletedAt: try coder.required("deletedAt", trip?.deletedAt))
        // For other programs; it follows from the member before.
        _ = try coder.optional("keptUntil", trip?.keptUntil)
    }
}

extension RemovedItem: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding removed: RemovedItem?) throws(Coder.Failure) {
        let item = try coder.required("item", removed?.item)
        let removedAt = try coder.required("removedAt", removed?.removedAt)
        let removedBy = try coder.required("removedBy", removed?.removedBy)
        let above = try coder.optional("after", removed?.neighbours?.above)
        let below = try coder.optional("before", removed?.neighbours?.below)
        let neighbours = above == nil && below == nil ? nil : Neighbours(above: above, below: below)
        self.init(item: item, removedAt: removedAt, removedBy: removedBy, neighbours: neighbours)
    }
}

extension ItemTrash {
    /// Decodes the answer to item.trash.
    package init(result: JSONNode) throws(WireError) {
        let fields = try Fields(result)
        self.init(items: try fields.required("items"), since: try fields.required("since"))
    }
}

extension JSONWriter {
    /// Writes a deleted trip.
    package mutating func encode(_ trip: TrashedTrip) { trip.encode(into: &self) }

    /// `items` and `since`, with as many items as fit into an answer. If some do not, `since` is later than their
    /// removal.
    package mutating func encodeMembers(of removed: ItemTrash) {
        let end = byteCount + ItemTrash.maximumBytes
        key("items")
        beginArray()
        var count = 0
        for row in removed.items where byteCount < end {
            row.encode(into: &self)
            count += 1
        }
        endArray()
        let first = removed.items.dropFirst(count).first
        let since = first.map { Timestamp(milliseconds: $0.removedAt.milliseconds + 1) } ?? removed.since
        member("since", since.description)
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
            _ = json.required("trips", trips)
            json.endObject()
        }
    }
}
