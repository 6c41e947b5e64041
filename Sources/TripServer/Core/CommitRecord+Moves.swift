import JSONLine
import TripModel
import TripProtocol

extension CommitRecord {
    /// Reads a record that only changes places, in the form in which `payload(encoded:)` writes it; nil for any
    /// other form, which `init(payload:)` reads.
    ///
    /// Most records of a long journal have this form. One pass without a document costs a tenth.
    init?(ofMoves payload: UnsafeBufferPointer<UInt8>) {
        var reader = MoveReader(bytes: payload)
        guard reader.skip("{\"at\":"), let at = reader.quoted(Timestamp.textBytes, Timestamp.init(utf8:)),
            reader.skip(",\"user\":"), let user = reader.text(),
            reader.skip(",\"clientId\":"),
            let client = reader.quoted(ClientID.textBytes, ClientID.init(utf8:))
        else { return nil }
        var person: PersonID?
        if reader.skip(",\"person\":") {
            guard let id = reader.quoted(PersonID.textBytes, PersonID.init(utf8:)) else { return nil }
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

/// Reads values in the form in which the daemon writes them, a subset of JSON; nil for any other form.
private struct MoveReader {
    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    /// Steps over a text if it is next.
    mutating func skip(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            guard bytes.count - position >= text.count else { return false }
            for index in 0..<text.count where bytes[position + index] != text[index] { return false }
            position += text.count
            return true
        }
    }

    /// The value of a string of a known length, every byte of which `parse` checks.
    mutating func quoted<Value>(
        _ count: Int, _ parse: (UnsafeBufferPointer<UInt8>) -> Value?
    ) -> Value? {
        guard skip("\""), bytes.count - position > count else { return nil }
        let text = UnsafeBufferPointer(rebasing: bytes[position..<position + count])
        position += count
        return skip("\"") ? parse(text) : nil
    }

    /// A string of ASCII without escapes.
    mutating func text() -> String? {
        guard skip("\"") else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard (0x20..<0x80).contains(bytes[position]), bytes[position] != UInt8(ascii: "\\") else {
                return nil
            }
            position += 1
        }
        let text = bytes[start..<position]
        return skip("\"") ? String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self) : nil
    }

    /// An integer; nil also if it is followed by a fraction or an exponent.
    mutating func integer() -> Int? {
        guard let number = number(), !number.contains(UInt8(ascii: ".")) else { return nil }
        return JSONNumber.integer(number)
    }

    /// The rest of a list of items with places, with its end.
    mutating func places() -> [CommitRecord.Placed]? {
        var places: [CommitRecord.Placed] = []
        repeat {
            guard skip("{\"id\":"), let id = quoted(ItemID.textBytes, ItemID.init(utf8:)), skip(",\"day\":"),
                let day = integer(), skip(",\"sortOrder\":"), let text = number(), skip("}")
            else { return nil }
            let order = JSONNumber.double(text)
            guard order.magnitude <= Position.maximumOrder else { return nil }
            places.append((id, Position(day: day, sortOrder: order)))
        } while skip(",")
        return skip("]") ? places : nil
    }

    /// A number without an exponent.
    private mutating func number() -> UnsafeBufferPointer<UInt8>? {
        let start = position
        _ = skip("-")
        guard skip("0") || skipDigits() else { return nil }
        if skip("."), !skipDigits() { return nil }
        guard position < bytes.count,
            bytes[position] == UInt8(ascii: ",") || bytes[position] == UInt8(ascii: "}")
        else { return nil }
        return UnsafeBufferPointer(rebasing: bytes[start..<position])
    }

    /// Steps over digits; false if there is none.
    private mutating func skipDigits() -> Bool {
        let start = position
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
        return position > start
    }
}
