/// The measured trip, and its moves.
///
/// Every fourth item is an anchor and never moves; a move puts one of the others behind an anchor, like a
/// drop in the editor. An item never goes behind the same anchor twice in a row and belongs to one client
/// only, so every move is valid and has an effect, in whatever order the clients' requests arrive.
final class TripScript {
    let itemCount: Int
    let dayCount: Int

    /// The trip's id.
    static let tripID: StaticString = "00000000-0000-4000-9000-000000000000"
    private static let itemsPerAnchor = 4
    private static let operationsPerRequest = 100

    /// The ids' text, by item.
    private let ids: [[UInt8]]
    /// The anchor that each item was last put behind.
    private var lastAnchors: [Int]
    private var generator = SplitMix(state: 2026)

    init(itemCount: Int, dayCount: Int) {
        precondition(
            itemCount >= 2 * Self.itemsPerAnchor && dayCount >= 1, "there is another anchor to go behind")
        self.itemCount = itemCount
        self.dayCount = dayCount
        ids = (0..<itemCount).map { item in
            let digits = String(item, radix: 16)
            let zeros = String(repeating: "0", count: 12 - digits.count)
            return Array("00000000-0000-4000-8000-\(zeros)\(digits)".utf8)
        }
        lastAnchors = (0..<itemCount).map { $0 / Self.itemsPerAnchor }
    }

    private var anchorCount: Int { itemCount / Self.itemsPerAnchor }

    /// Initially every day has the same number of items.
    private func day(of item: Int) -> Int { 1 + item * dayCount / itemCount }

    // MARK: Making the trip

    /// Creates the trip with `client`; returns its version.
    func create(by client: WireClient) throws(BenchFailure) -> Int {
        let header = """
            "method":"trip.create","params":{"id":"\(Self.tripID)","name":"Bench","startDate":"2026-06-11",\
            "timeZone":"UTC","dayCount":\(dayCount)}}
            """
        var version = try client.call(header) { $0.version }
        var first = 0
        while first < itemCount {
            let next = min(itemCount, first + Self.operationsPerRequest)
            let operations = (first..<next).map(addition).joined(separator: ",")
            version = try client.call(
                """
                "method":"trip.apply","params":{"trip":"\(Self.tripID)","ops":[\(operations)]}}
                """
            ) { $0.version }
            first = next
        }
        return version ?? 0
    }

    private func addition(of item: Int) -> String {
        """
        {"op":"add","item":{"id":"\(String(decoding: ids[item], as: UTF8.self))","kind":"custom",\
        "title":"Stop number \(item) of the tour","city":"Kansas City","durationMinutes":90},\
        "to":{"day":\(day(of: item)),"at":"end"}}
        """
    }

    /// The request of a watcher, without its id.
    static func subscription(_ mode: WatchMode) -> String {
        """
        "method":"trip.subscribe","params":{"trip":"\(tripID)","mode":"\(mode.rawValue)"}}
        """
    }

    // MARK: Moving

    /// Appends the line of a move by one of `clientCount` clients.
    func appendMove(id: Int, by client: Int, of clientCount: Int, to line: inout [UInt8]) {
        let item = movableItem(of: client, of: clientCount)
        var anchor = generator.next(below: anchorCount - 1)
        if anchor >= lastAnchors[item] { anchor += 1 }
        lastAnchors[item] = anchor
        let anchorItem = anchor * Self.itemsPerAnchor
        line.append("{\"jsonrpc\":\"2.0\",\"id\":")
        line.append(decimal: id)
        line.append(",\"method\":\"item.move\",\"params\":{\"trip\":\"")
        line.append(Self.tripID)
        line.append("\",\"item\":\"")
        line.append(contentsOf: ids[item])
        line.append("\",\"to\":{\"day\":")
        line.append(decimal: day(of: anchorItem))
        line.append(",\"after\":\"")
        line.append(contentsOf: ids[anchorItem])
        line.append("\"}}}\n")
    }

    /// A random item of the client. Movable items are numbered without the anchors between them.
    private func movableItem(of client: Int, of clientCount: Int) -> Int {
        let perAnchor = Self.itemsPerAnchor - 1
        let movableCount = anchorCount * perAnchor
        let ownCount = (movableCount - client + clientCount - 1) / clientCount
        precondition(ownCount > 0, "every client has items of its own")
        let number = client + clientCount * generator.next(below: ownCount)
        return number / perAnchor * Self.itemsPerAnchor + 1 + number % perAnchor
    }
}

/// A small random generator: every run moves the same items, and a number is cheap.
struct SplitMix {
    var state: UInt64

    /// A number from 0 to `bound` − 1.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return Int(mixed.multipliedFullWidth(by: UInt64(bound)).high)
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }

    fileprivate mutating func append(decimal number: Int) {
        append(contentsOf: String(number).utf8)
    }
}
