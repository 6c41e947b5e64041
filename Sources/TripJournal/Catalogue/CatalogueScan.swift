import TripModel

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
