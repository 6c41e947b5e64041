import JSONLine
import TripModel
import TripProtocol

/// The trip as others may see it: what is durable, with every item's bytes kept and the snapshot encoded at most
/// once a version.
struct DurableTrip {
    private(set) var trip: Trip
    let epoch: String
    private var encodedItems: [ItemID: [UInt8]] = [:]
    private var encodedProblems: [UInt8]?
    /// Who made the last commit.
    private(set) var cause: Cause?
    private var cachedMembers: (version: Int, bytes: [UInt8])?

    init(trip: Trip, epoch: String) {
        self.trip = trip
        self.epoch = epoch
    }

    var version: Int { trip.version }

    /// Takes over a commit that has become durable.
    ///
    /// - Parameter encoded: the bytes of the items that changed, in the order of `commit.changes`.
    mutating func adopt(_ commit: Commit, header: TripHeader, encoded: [ItemID: [UInt8]], cause: Cause) {
        var removed: [ItemID] = []
        var upserts: [Item] = []
        for change in commit.changes {
            if let after = change.after { upserts.append(after) } else { removed.append(change.id) }
            if change.after?.content.isCustom != true || change.before?.content.isCustom == false {
                encodedProblems = nil
            }
            encodedItems[change.id] = encoded[change.id]
        }
        if commit.headerBefore != nil { encodedProblems = nil }
        do throws(AdoptFailure) {
            try trip.adopt(
                version: commit.version, upserts: upserts, removed: removed,
                header: commit.headerBefore == nil ? nil : header)
        } catch {
            preconditionFailure("a commit that was applied can be adopted: \(error)")
        }
        self.cause = cause
    }

    /// The members of a snapshot, without the braces around them: `"trip":…,"epoch":…,"version":…,…`.
    mutating func snapshotMembers() -> [UInt8] {
        if let cachedMembers, cachedMembers.version == version { return cachedMembers.bytes }
        var json = JSONWriter(reserving: 512 + 320 * trip.itemCount)
        json.beginObject()
        json.key("trip")
        json.encode(trip.header)
        json.member("epoch", epoch)
        json.member("version", version)
        json.key("items")
        json.beginArray()
        for id in trip.shownIDs { json.raw(bytes(of: id)) }
        json.endArray()
        json.key("problems")
        json.raw(problems())
        json.endObject()
        let bytes = Array(json.take().dropFirst().dropLast())
        cachedMembers = (version, bytes)
        return bytes
    }

    private mutating func bytes(of id: ItemID) -> [UInt8] {
        if let bytes = encodedItems[id] { return bytes }
        guard let item = trip[id] else { preconditionFailure("shown ids are items") }
        let bytes = item.encoded()
        encodedItems[id] = bytes
        return bytes
    }

    private mutating func problems() -> [UInt8] {
        if let encodedProblems { return encodedProblems }
        var json = JSONWriter()
        json.beginArray()
        for problem in trip.problems { json.encode(problem) }
        json.endArray()
        let bytes = json.take()
        encodedProblems = bytes
        return bytes
    }
}

extension Item {
    /// The item as an object of the wire.
    func encoded() -> [UInt8] {
        var json = JSONWriter(reserving: 320)
        json.encode(self)
        return json.take()
    }
}

extension ItemContent {
    var isCustom: Bool {
        if case .custom = self { true } else { false }
    }
}
