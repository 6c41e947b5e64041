import TripJournal

/// A journal or a catalogue in a form that a fuzzer can write. `########` in place of a checksum, and `=` in
/// place of a length or an offset, are replaced by the correct value. Everything else is left unchanged: an
/// error stays in one place, and the parts after it are still read.
///
/// A line `!zeros 512` becomes so many zero bytes.
struct JournalText {
    private static let blank = Array("########".utf8)
    private static let newline = UInt8(ascii: "\n")

    private(set) var bytes: [UInt8] = []
    /// The checksum of the header, of a snapshot's previous line, or of the previous record.
    private var seed: UInt32 = 0
    private var part: UInt32 = 0
    private var chain: UInt32 = 0

    /// The bytes of a journal.
    static func journal(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var journal = JournalText()
        for line in lines(of: text) { journal.addJournalLine(line) }
        return journal.bytes
    }

    /// The bytes of a catalogue.
    static func catalogue(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var catalogue = JournalText()
        for line in lines(of: text) { catalogue.addCatalogueLine(line) }
        return catalogue.bytes
    }

    /// The lines, each with its newline, which the last may lack.
    private static func lines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = text
        while let end = rest.firstIndex(of: newline) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    private mutating func addJournalLine(_ line: ArraySlice<UInt8>) {
        guard let (prefix, payload, end) = Self.fields(of: line) else { return addOther(line) }
        if prefix.starts(with: "itineraryd-journal".utf8) {
            seed = checksum(0, prefix, [])
            (part, chain) = (seed, seed)
            add(prefix, seed, payload, end)
        } else if prefix.starts(with: "synced".utf8) {
            let prefix = Self.filled(prefix, bytes.count)
            add(prefix, checksum(seed, prefix, []), payload, end)
        } else if prefix.starts(with: "snapshot".utf8) {
            part = checksum(seed, prefix, [])
            // The third word is the checksum of the record that this line stands for.
            let words = prefix.split(separator: UInt8(ascii: " "))
            if words.count > 2, let claimed = UInt32(String(decoding: words[2], as: UTF8.self), radix: 16) {
                chain = claimed
            }
            add(prefix, part, payload, end)
        } else if prefix.starts(with: "part".utf8) {
            let prefix = Self.filled(prefix, max(0, payload.count - 1))
            part = checksum(part, prefix, payload.dropFirst())
            add(prefix, part, payload, end)
        } else {
            let prefix = Self.filled(prefix, max(0, payload.count - 1))
            chain = checksum(chain, prefix, payload.dropFirst())
            add(prefix, chain, payload, end)
        }
    }

    private mutating func addCatalogueLine(_ line: ArraySlice<UInt8>) {
        guard let (prefix, payload, end) = Self.fields(of: line) else { return addOther(line) }
        // The header has its checksum at its end, every other line at its beginning.
        chain = prefix.isEmpty ? checksum(chain, [], payload.dropFirst()) : checksum(0, prefix, [])
        add(prefix, chain, payload, end)
    }

    /// The parts before and after the checksum to be filled in, and the newline; nil if there is no such
    /// checksum.
    private static func fields(
        of line: ArraySlice<UInt8>
    ) -> (prefix: [UInt8], payload: ArraySlice<UInt8>, end: ArraySlice<UInt8>)? {
        guard let place = line.firstRange(of: blank) else { return nil }
        let rest = line[place.upperBound...]
        let end = rest.last == newline ? rest.suffix(1) : rest.suffix(0)
        return (Array(line[..<place.lowerBound]), rest.dropLast(end.count), end)
    }

    private static func filled(_ prefix: [UInt8], _ number: Int) -> [UInt8] {
        guard let place = prefix.firstIndex(of: UInt8(ascii: "=")) else { return prefix }
        return prefix[..<place] + Array("\(number)".utf8) + prefix[(place + 1)...]
    }

    private func checksum(_ start: UInt32, _ prefix: [UInt8], _ payload: ArraySlice<UInt8>) -> UInt32 {
        var checksum = CRC32C(continuing: start)
        checksum.update(prefix)
        checksum.update(Array(payload))
        return checksum.value
    }

    private mutating func add(
        _ prefix: [UInt8], _ checksum: UInt32, _ payload: ArraySlice<UInt8>, _ end: ArraySlice<UInt8>
    ) {
        let digits = String(checksum, radix: 16)
        bytes += prefix + Array((String(repeating: "0", count: 8 - digits.count) + digits).utf8)
        bytes += payload + end
    }

    private mutating func addOther(_ line: ArraySlice<UInt8>) {
        guard line.starts(with: "!zeros ".utf8) else { return bytes += line }
        let count = Int(String(decoding: line.dropFirst(7).prefix { $0 != Self.newline }, as: UTF8.self)) ?? 0
        bytes += [UInt8](repeating: 0, count: min(max(count, 0), 2048))
    }
}

extension JournalText {
    /// Iterates over the words of a line.
    struct Words {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        /// The next word; empty at the end.
        mutating func next() -> ArraySlice<UInt8> {
            let word = rest.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") }
            rest = rest[word.endIndex...].dropFirst()
            return word
        }
    }
}
