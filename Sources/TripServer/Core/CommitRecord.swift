import JSONLine
import TripModel
import TripProtocol

/// One commit in the journal: the result of a change, not its request, so that replaying it needs no rules.
///
/// The journal stores the version beside the payload. Unknown fields of later versions are ignored.
struct CommitRecord {
    var at: Timestamp
    var user: String
    var client: ClientID
    /// The person, if the client names one.
    var person: PersonID?
    /// The encoded members of the user, the client and the person, if they are at hand.
    var author: [UInt8]?
    var method: String
    /// The version of the change that an undo or redo reverses. The entries above it in the stack were discarded.
    var undoes: Int?
    /// Whether an undo or redo has restored the trip exactly.
    var isExact = false
    /// The fingerprint of the request that created the trip, to recognize its retry.
    var creation: UInt64?
    /// The idempotency key and the data to answer a retry.
    var retry: Retry?
    /// The header, at creation, or in a format below 3 if it changed.
    var header: TripHeader?
    /// The header's changed values, from format 3.
    var headerValues: HeaderValues?
    /// The added and edited items.
    var upserts: [Item] = []
    /// A compact alternative to `upserts` if all edits are pure moves. Version, author and time follow from the record.
    var moved: [Placed] = []
    /// Items that changed their place without an edit: re-spaced, displaced or rescheduled.
    var placed: [Placed] = []
    var removed: [ItemID] = []

    typealias Placed = Trip.PlacedItem

    struct Retry {
        var seq: Int
        var fingerprint: UInt64
        /// Nil if the result follows from the rest of the record.
        var result: [UInt8]?
    }
}

extension CommitRecord {
    /// The payload, one line of JSON without its newline.
    ///
    /// - Parameter encoded: the bytes of `upserts` that are sent.
    func payload(encoded: [[UInt8]]) -> [UInt8] {
        precondition(encoded.count == upserts.count, "each item has its bytes")
        let itemBytes = encoded.reduce(64 * (moved.count + placed.count)) { $0 + $1.count }
        return payload(itemBytes: itemBytes) { json in
            json.list("upserts", zip(upserts, encoded)) { $1.raw($0.0.stored($0.1)) }
            json.list("moved", moved) { $1.encode($0) }
            json.list("placed", placed) { $1.encode($0) }
            json.list("removed", removed) { $1.value($0.description) }
        }
    }

    /// The payload of a new commit, with the record's other members.
    ///
    /// - Parameters:
    ///   - encoded: the bytes of the changed items, in the order of the changes.
    ///   - placesOnly: whether of the edited items only the places are written.
    func payload(of commit: Commit, encoded: [[UInt8]], placesOnly: Bool) -> [UInt8] {
        let itemBytes = encoded.reduce(64 * (commit.changes.count + commit.shifts.count)) { $0 + $1.count }
        return payload(itemBytes: itemBytes) { json in
            let edited = zip(commit.changes, encoded).lazy.filter { $0.0.isEdit && !$0.0.isRemoval }
            if placesOnly {
                json.list("moved", edited) { $1.raw(unclosed: Item.place(ofEncoded: $0.1)) }
            } else {
                json.list("upserts", edited) { edited, json in
                    if let item = edited.0.after { json.raw(item.stored(edited.1)) }
                }
            }
            var placed: [Placed] = []
            for change in commit.changes where !change.isEdit {
                if let item = change.after { placed.append((item.id, item.position)) }
            }
            for shift in commit.shifts { placed.append((shift.id, shift.after)) }
            json.list("placed", placed) { $1.encode($0) }
            json.list("removed", commit.changes.lazy.filter(\.isRemoval)) { $1.value($0.id.description) }
        }
    }

    /// Encodes the members `user`, `clientId` and `person`.
    static func encodedAuthor(_ user: String, _ client: ClientID, _ person: PersonID?) -> [UInt8] {
        JSONWriter.members { json in
            json.member("user", user)
            json.member("clientId", client)
            json.member("person", person)
        }
    }

    private func payload(itemBytes: Int, _ items: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(reserving: 256 + itemBytes + (retry?.result?.count ?? 0))
        json.beginObject()
        json.member("at", plain: Timestamp.textBytes) { [at] in at.append(to: &$0) }
        json.raw(members: author ?? Self.encodedAuthor(user, client, person))
        json.member("method", method)
        json.member("undoes", undoes)
        if isExact { json.member("exact", true) }
        if let creation { json.member("request", String(creation, radix: 16)) }
        if let retry {
            json.member("seq", retry.seq)
            json.member("request", String(retry.fingerprint, radix: 16))
            if let result = retry.result {
                json.key("result")
                json.raw(result)
            }
        }
        if let header {
            json.key("trip")
            json.encode(header)
        }
        if let headerValues {
            json.key("header")
            json.encode(headerValues)
        }
        items(&json)
        json.endObject()
        return json.take()
    }

    /// Decodes a payload.
    ///
    /// - Throws: `RecordFailure` if the payload is not a commit record.
    init(payload: [UInt8]) throws(RecordFailure) {
        let root: JSONNode
        do throws(JSONSyntaxError) { root = try JSONDocument(parsing: payload).root } catch {
            throw RecordFailure("\(error)")
        }
        guard let at = root["at"]?.string.flatMap(Timestamp.init), let user = root["user"]?.string,
            let client = root["clientId"]?.identifier(of: Hello.self),
            let method = root["method"]?.string
        else { throw RecordFailure("at, user, clientId or method is missing") }
        self.at = at
        self.user = user
        self.client = client
        self.method = method
        // Both fields were added later. An older daemon ignores them without a loss.
        person = root["person"]?.identifier(of: PresentUser.self)
        undoes = root["undoes"]?.int
        isExact = root["exact"]?.bool ?? false
        let fingerprint = root["request"]?.string.flatMap { UInt64($0, radix: 16) }
        if let seq = root["seq"]?.int {
            guard let fingerprint else { throw RecordFailure("seq without request") }
            var result: [UInt8]?
            if let node = root["result"] { result = try Self.result(node) }
            retry = Retry(seq: seq, fingerprint: fingerprint, result: result)
        } else {
            creation = fingerprint
        }
        do throws(WireError) {
            if let node = root["trip"] { header = try TripHeader(node) }
            if let node = root["header"] { headerValues = try HeaderValues(node) }
        } catch {
            throw RecordFailure(error.message)
        }
        if let nodes = root["upserts"] {
            upserts.reserveCapacity(nodes.count)
            for node in nodes.elements { upserts.append(try Self.item(node)) }
        }
        moved = try Self.placed(root, "moved")
        placed = try Self.placed(root, "placed")
        if let nodes = root["removed"] {
            for node in nodes.elements {
                guard let id = node.identifier(of: Item.self) else { throw RecordFailure("removed: no id") }
                removed.append(id)
            }
        }
        guard retry == nil || retry?.result != nil || answerFollows(Method(rawValue: method)) else {
            throw RecordFailure("seq has no result, which this method needs")
        }
    }

    private static func placed(_ root: JSONNode, _ key: StaticString) throws(RecordFailure) -> [Placed] {
        var placed: [Placed] = []
        guard let nodes = root[key] else { return placed }
        for node in nodes.elements {
            guard let id = node["id"]?.identifier(of: Item.self), let day = node["day"]?.int,
                let order = node["sortOrder"]?.double, order.magnitude <= Position.maximumOrder
            else { throw RecordFailure("\(key): no position") }
            placed.append((id, Position(day: day, sortOrder: order)))
        }
        return placed
    }
}

extension CommitRecord {
    /// The maximum size of an item in a file. It exceeds the longest request line. Two such items and a
    /// cached answer fit into a record and into a part of a snapshot.
    private static let maximumItemBytes = 2 << 20

    /// Decodes an item of a record or a snapshot.
    ///
    /// - Throws: `RecordFailure` if it is not an item, or larger than any request allows.
    static func item(_ node: JSONNode) throws(RecordFailure) -> Item {
        guard node.rawBytes.count <= maximumItemBytes else {
            throw RecordFailure(
                "an item has \(node.rawBytes.count) bytes; the maximum is \(maximumItemBytes)")
        }
        do throws(WireError) { return try Item(node) } catch { throw RecordFailure(error.message) }
    }

    /// Decodes the result that is sent to a retry.
    ///
    /// - Throws: `RecordFailure` if it has more than one line.
    static func result(_ node: JSONNode) throws(RecordFailure) -> [UInt8] {
        let bytes = Array(node.rawBytes)
        guard !bytes.contains(UInt8(ascii: "\n")) else { throw RecordFailure("a result of several lines") }
        return bytes
    }
}

/// The reason why a payload is not a commit record.
package struct RecordFailure: Error {
    /// The reason, as a sentence.
    package let message: String

    init(_ message: String) { self.message = message }
}

extension JSONWriter {
    /// Writes a list, or nothing if it is empty.
    fileprivate mutating func list<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
    ) {
        var isEmpty = true
        for element in elements {
            if isEmpty {
                key(name)
                beginArray()
                isEmpty = false
            }
            write(element, &self)
        }
        if !isEmpty { endArray() }
    }

    fileprivate mutating func encode(_ placed: CommitRecord.Placed) {
        beginObject()
        member("id", placed.id)
        let position = placed.position
        members(room: 96) { text in
            text.appendMember("day", position.day)
            text.appendMember("sortOrder", position.sortOrder)
        }
        endObject()
    }
}

extension CommitRecord {
    /// True if the answer to the change follows from the record: one item was edited and nothing else changed, or only
    /// the header.
    ///
    /// - Parameter method: the record's method; nil if it is unknown to this version.
    func answerFollows(_ method: Method?) -> Bool {
        answerFollows(
            method, edited: upserts.count + moved.count, placed: placed.count, removed: removed.count)
    }

    /// The same for a record of so many items.
    func answerFollows(_ method: Method?, edited: Int, placed: Int, removed: Int) -> Bool {
        guard header == nil, undoes == nil, placed == 0 else { return false }
        return switch method {
        case .addItem?, .moveItem?, .updateItem?, .drop?:
            headerValues == nil && (edited, removed) == (1, 0)
        case .removeItem?: headerValues == nil && (edited, removed) == (0, 1)
        case .updateTrip?, .accept?, .todo?: headerValues != nil && (edited, removed) == (0, 0)
        default: false
        }
    }

    /// The cached answer to the change; nil if it has no number.
    ///
    /// - Parameter trip: the trip right after the change.
    func answer(in trip: Trip) -> RetryTable.Answer? {
        guard let retry else { return nil }
        let content: RetryTable.Answer.Content
        if let result = retry.result {
            content = .result(result)
        } else if headerValues != nil {
            content = .header(trip.header)
        } else {
            let item = (upserts.first?.id ?? moved.first?.id).flatMap { trip[$0] }
            content = item.map { .item($0) } ?? .nothing
        }
        return RetryTable.Answer(
            seq: retry.seq, fingerprint: retry.fingerprint, version: trip.version, content)
    }
}

extension CommitRecord {
    /// Reads a record that only changes places, in the form in which `payload(encoded:)` writes it; nil for any
    /// other form, which `init(payload:)` reads.
    ///
    /// Most records of a long journal have this form. One pass without a document costs a tenth.
    init?(ofMoves payload: UnsafeBufferPointer<UInt8>) {
        var reader = PlainReader(payload)
        guard reader.skip("{\"at\":"),
            let at = reader.quoted(Timestamp.textBytes).flatMap(Timestamp.init(utf8:)),
            reader.skip(",\"user\":"), let user = reader.text(),
            reader.skip(",\"clientId\":"),
            let client = reader.quoted(ClientID.textBytes).flatMap(ClientID.init(utf8:))
        else { return nil }
        var person: PersonID?
        if reader.skip(",\"person\":") {
            guard let id = reader.quoted(PersonID.textBytes).flatMap(PersonID.init(utf8:)) else { return nil }
            person = id
        }
        guard reader.skip(",\"method\":"), let method = reader.text() else { return nil }
        self.init(at: at, user: user, client: client, person: person, method: method)
        if reader.skip(",\"undoes\":") {
            guard let version = reader.integer() else { return nil }
            undoes = version
            isExact = reader.skip(",\"exact\":true")
        }
        if reader.skip(",\"seq\":") {
            guard let seq = reader.integer(), reader.skip(",\"request\":"),
                let fingerprint = reader.text().flatMap({ UInt64($0, radix: 16) })
            else { return nil }
            retry = Retry(seq: seq, fingerprint: fingerprint)
        }
        if reader.skip(",\"moved\":[") {
            guard let places = reader.places() else { return nil }
            moved = places
        }
        if reader.skip(",\"placed\":[") {
            guard let places = reader.places() else { return nil }
            placed = places
        }
        guard reader.skip("}"), reader.isAtEnd, retry == nil || answerFollows(Method(rawValue: method))
        else { return nil }
    }
}

extension PlainReader {
    /// The rest of a list of items with places, with its end.
    fileprivate mutating func places() -> [CommitRecord.Placed]? {
        var places: [CommitRecord.Placed] = []
        repeat {
            guard skip("{\"id\":"), let id = quoted(ItemID.textBytes).flatMap(ItemID.init(utf8:)),
                skip(",\"day\":"),
                let day = integer(), skip(",\"sortOrder\":"), let text = number(), skip("}")
            else { return nil }
            let order = JSONNumber.double(text)
            guard order.magnitude <= Position.maximumOrder else { return nil }
            places.append((id, Position(day: day, sortOrder: order)))
        } while skip(",")
        return skip("]") ? places : nil
    }
}
