import JSONLine
import TripModel
import TripProtocol

/// A trip as received, item by item in bytes; only the fields that order items are interpreted.
struct HeldState {
    struct HeldItem {
        let id: String
        let day: Int
        let order: Double
        let isGame: Bool
        let bytes: [UInt8]

        init?(_ node: JSONNode) {
            guard let id = node["id"]?.string, let day = node["day"]?.int,
                let order = node["sortOrder"]?.double, let kind = node["kind"]
            else { return nil }
            self.id = id
            self.day = day
            self.order = order
            isGame = kind.stringEquals("game")
            bytes = Array(node.rawBytes)
        }

        /// The shown order according to the protocol.
        func isAbove(_ other: HeldItem) -> Bool {
            if day != other.day { return day < other.day }
            if order != other.order { return order < other.order }
            if isGame != other.isGame { return isGame }
            return id.utf8.lexicographicallyPrecedes(other.id.utf8)
        }
    }

    let epoch: String
    private(set) var version: Int
    private(set) var header: [UInt8]
    private(set) var items: [HeldItem]
    private(set) var problems: [UInt8]

    /// Copies a snapshot.
    init(snapshot node: JSONNode) throws {
        guard let epoch = node["epoch"]?.string, let version = node["version"]?.int,
            let header = node["trip"], let items = node["items"], let problems = node["problems"]
        else { throw Violation("a snapshot has all its fields") }
        self.epoch = epoch
        self.version = version
        self.header = Array(header.rawBytes)
        self.items = items.elements.compactMap { HeldItem($0) }
        self.problems = Array(problems.rawBytes)
        for (above, below) in zip(self.items, self.items.dropFirst()) where !above.isAbove(below) {
            throw Violation(
                "a snapshot has its items in shown order", "version \(version): \(above.id), \(below.id)")
        }
    }

    /// Applies a delta according to the protocol.
    mutating func apply(_ node: JSONNode) throws {
        guard let epoch = node["epoch"]?.string, let from = node["from"]?.int,
            let version = node["version"]?.int, let upserts = node["upserts"], let removed = node["removed"]
        else { throw Violation("a delta has all its fields") }
        guard epoch == self.epoch, from == self.version, version > from else {
            throw Violation(
                "a delta begins at the last version sent",
                "from \(from) to \(version) of \(epoch); held is \(self.version) of \(self.epoch)")
        }
        if let header = node["header"] { self.header = Array(header.rawBytes) }
        if let problems = node["problems"] { self.problems = Array(problems.rawBytes) }
        let came = upserts.elements.compactMap { HeldItem($0) }
        let gone = Set(removed.elements.compactMap(\.string) + came.map(\.id))
        items = (items.filter { !gone.contains($0.id) } + came).sorted { $0.isAbove($1) }
        self.version = version
    }

    /// The whole state; equal states have equal bytes.
    var content: [UInt8] {
        var bytes = Array("{\"trip\":".utf8) + header + Array(",\"items\":[".utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += item.bytes
        }
        return bytes + Array("],\"problems\":".utf8) + problems + Array("}".utf8)
    }
}
