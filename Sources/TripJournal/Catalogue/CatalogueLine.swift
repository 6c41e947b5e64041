import JSONLine
import TripModel
import TripProtocol

/// One line of the catalogue: a trip's current entry, or its deletion.
struct CatalogueLine: Equatable {
    let trip: TripID
    /// Nil if the trip is gone.
    let entry: CatalogueEntry?

    init(_ trip: TripID, _ entry: CatalogueEntry?) {
        self.trip = trip
        self.entry = entry
    }

    /// The line with its newline; `chain` is the previous line's checksum, and then this line's.
    func encoded(after chain: inout UInt32) -> [UInt8] {
        let payload = payload()
        var checksum = CRC32C(continuing: chain)
        checksum.update(payload)
        chain = checksum.value
        var line: [UInt8] = []
        line.reserveCapacity(payload.count + 10)
        line.appendChecksum(chain)
        line.append(.space)
        line += payload
        line.append(.newline)
        return line
    }

    func payload() -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.beginObject()
        json.key("trip")
        json.value(trip.description)
        if let entry {
            json.key("slugs")
            json.beginArray()
            for slug in entry.slugs.sorted() { json.value(slug) }
            json.endArray()
            if let place = entry.place {
                json.key("epoch")
                json.value(place.epoch)
                json.key("version")
                json.value(place.checkpoint.version)
                json.key("checksum")
                var digits: [UInt8] = []
                digits.appendChecksum(place.checkpoint.checksum)
                json.value(String(decoding: digits, as: UTF8.self))
            }
            if let summary = entry.summary {
                json.key("summary")
                json.beginObject()
                json.key("header")
                json.encode(summary.header.brief)
                json.key("version")
                json.value(summary.version)
                json.key("itemCount")
                json.value(summary.itemCount)
                json.key("size")
                json.value(Int(summary.stamp.size))
                json.key("file")
                json.value(String(summary.stamp.number))
                json.endObject()
            }
        }
        json.endObject()
        return json.take()
    }

    /// Decodes a payload; nil if it is invalid.
    init?(payload: ArraySlice<UInt8>) {
        guard let root = try? JSONDocument(parsing: Array(payload)).root,
            let trip = root["trip"]?.string.flatMap({ TripID($0) })
        else { return nil }
        self.trip = trip
        guard let slugs = root["slugs"] else {
            entry = nil
            return
        }
        var entry = CatalogueEntry(slugs: Set(slugs.elements.compactMap(\.string)))
        guard entry.slugs.count == slugs.count else { return nil }
        if let epoch = root["epoch"]?.string {
            guard JournalFormat.isEpoch(epoch), let version = root["version"]?.int,
                let node = root["checksum"],
                // Older programs wrote a number.
                let checksum = node.string.flatMap({ UInt32($0, radix: 16) })
                    ?? node.int.flatMap({ UInt32(exactly: $0) })
            else { return nil }
            entry.place = JournalPlace(
                epoch: epoch, checkpoint: JournalCheckpoint(version: version, checksum: checksum))
        }
        if let node = root["summary"] {
            guard let header = node["header"].flatMap({ try? TripHeader($0) }), header.id == trip,
                let version = node["version"]?.int, let itemCount = node["itemCount"]?.int,
                let size = node["size"]?.int, let number = node["file"]?.string.flatMap({ UInt64($0) })
            else { return nil }
            entry.summary = TripDigest(
                header: header, version: version, itemCount: itemCount,
                stamp: JournalStamp(size: Int64(size), number: number))
        }
        self.entry = entry
    }
}

/// The result of scanning a catalogue's bytes. Pure.
struct CatalogueScan: Equatable {
    /// The entries of the good lines; later lines replace earlier ones.
    private(set) var entries: [TripID: CatalogueEntry] = [:]
    /// The size of each trip's last line in bytes.
    private(set) var lineBytes: [TripID: Int] = [:]
    /// The checksum of the last line.
    private(set) var chain: UInt32 = 0
    /// Byte offset of the first bad line; nil if there is none.
    private(set) var firstBad: Int?

    /// The first line, which seeds the checksum chain.
    static func header() -> (line: [UInt8], chain: UInt32) {
        var line = Array("itineraryd-catalogue 1 1 ".utf8)
        var checksum = CRC32C()
        checksum.update(line)
        line.appendChecksum(checksum.value)
        line.append(.newline)
        return (line, checksum.value)
    }

    /// Scans all bytes of a catalogue; time and memory are linear in their number.
    init(_ bytes: [UInt8]) {
        let header = Self.header()
        chain = header.chain
        var position = 0
        if bytes.starts(with: header.line) { position = header.line.count } else { firstBad = 0 }
        while position < bytes.count {
            guard let end = bytes[position...].firstIndex(of: .newline) else {
                firstBad = firstBad ?? position
                return
            }
            if !read(bytes[position..<end]) { firstBad = firstBad ?? position }
            position = end + 1
        }
    }

    /// Reads one line without its newline; false if it is bad. The next line continues its stored checksum.
    private mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
        let place: (stored: UInt32, payload: ArraySlice<UInt8>)? = line.withUnsafeBufferPointer { bytes in
            var cursor = JournalCursor(bytes: bytes, position: 0)
            guard let stored = cursor.checksum(), cursor.skip(.space) else { return nil }
            return (stored, line.dropFirst(cursor.position))
        }
        guard let place else { return false }
        var checksum = CRC32C(continuing: chain)
        place.payload.withUnsafeBytes { checksum.update($0) }
        chain = place.stored
        guard checksum.value == place.stored, let known = CatalogueLine(payload: place.payload) else {
            return false
        }
        entries[known.trip] = known.entry
        lineBytes[known.trip] = known.entry == nil ? nil : line.count + 1
        return true
    }
}
