import Testing

@testable import TripJournal

/// A kind of damage to a journal of three writes, and the expected result of the scan.
struct SpoiltJournal: CustomTestStringConvertible, Sendable {
    enum Verdict: Sendable {
        case whole
        /// At the line of the record with this index; the index after the last one is the end of the file.
        case torn(at: Int)
        case damaged(at: Int)
        case damagedHeader
    }

    let testDescription: String
    private let verdict: Verdict
    private let change: @Sendable (_ bytes: inout [UInt8], _ starts: [Int]) -> Void

    init(_ name: String, _ verdict: Verdict, change: @escaping @Sendable (inout [UInt8], [Int]) -> Void) {
        testDescription = name
        self.verdict = verdict
        self.change = change
    }

    /// Three writes with their marks: the creation, one record, and two records.
    static let sample: JournalSample = {
        var sample = JournalSample(payloads: [#"{"trip":"whole"}"#])
        sample.addMark()
        sample.add(#"{"n":2}"#)
        sample.addMark()
        sample.add(#"{"n":3}"#)
        sample.add(#"{"n":4}"#)
        return sample
    }()

    private static let starts = (0..<4).map(sample.lineStart) + [sample.bytes.count]

    /// The damaged sample.
    var bytes: [UInt8] {
        var bytes = Self.sample.bytes
        change(&bytes, Self.starts)
        return bytes
    }

    /// The expected summary of the scan.
    var expected: String {
        switch verdict {
        case .whole: "whole"
        case .torn(let index): "torn at \(Self.starts[index])"
        case .damaged(let index): "damaged at \(Self.starts[index])"
        case .damagedHeader: "damaged at 0"
        }
    }
}

extension JournalSample {
    /// The offset of the line of the record with this index.
    func lineStart(_ index: Int) -> Int {
        JournalScanner.scan(bytes).contents?.entries[index].offset ?? -1
    }
}

extension SpoiltJournal {
    static let cases = [
        // Nothing there, or no damage.
        SpoiltJournal("nothing was changed", .whole) { _, _ in },
        SpoiltJournal("cut between two records of a write", .whole) { bytes, starts in
            bytes.removeLast(bytes.count - starts[3])
        },
        SpoiltJournal("an empty file", .damagedHeader) { bytes, _ in bytes = [] },
        SpoiltJournal("zeros only", .damagedHeader) { bytes, _ in bytes = [UInt8](repeating: 0, count: 100) },
        SpoiltJournal("a header only", .damaged(at: 0)) { bytes, starts in
            bytes.removeLast(bytes.count - starts[0])
        },
        // The end of the last write.
        SpoiltJournal("zeros after the end", .torn(at: 4)) { bytes, _ in
            bytes += [UInt8](repeating: 0, count: 700)
        },
        SpoiltJournal("garbage after the end", .torn(at: 4)) { bytes, _ in
            bytes += (0..<99).map { UInt8($0 * 2 + 13) }
        },
        SpoiltJournal("the last record half zero", .torn(at: 3)) { bytes, starts in
            for index in starts[3] + 5..<bytes.count { bytes[index] = 0 }
        },
        SpoiltJournal("a letter in the last write's first record, and a torn end", .torn(at: 2)) {
            bytes, starts in
            bytes[starts[2] + 15] ^= 1
            bytes.removeLast(4)
        },
        // The end of the file, but not of an interrupted write.
        SpoiltJournal("a line of garbage after the end", .damaged(at: 4)) { bytes, _ in
            bytes += Array("not a record\n".utf8)
        },
        SpoiltJournal("an empty line after the end", .damaged(at: 4)) { bytes, _ in bytes.append(.newline) },
        SpoiltJournal("another letter in the last complete line", .damaged(at: 3)) { bytes, _ in
            bytes[bytes.count - 3] ^= 1
        },
        SpoiltJournal("a zero in the last complete line, but no lost sector", .damaged(at: 3)) { bytes, _ in
            bytes[bytes.count - 3] = 0
        },
        SpoiltJournal("a carriage return", .damaged(at: 3)) { bytes, _ in
            bytes.insert(13, at: bytes.count - 1)
        },
        SpoiltJournal("a leading zero", .damaged(at: 3)) { bytes, starts in
            bytes.insert(UInt8(ascii: "0"), at: starts[3])
        },
        SpoiltJournal("the last record twice", .damaged(at: 4)) { bytes, starts in
            bytes += bytes[starts[3]...]
        },
        // Before the last write.
        SpoiltJournal("another letter in an earlier write", .damaged(at: 1)) { bytes, starts in
            bytes[starts[1] + 15] ^= 1
        },
        SpoiltJournal("another letter in an earlier write, and a torn end", .damaged(at: 1)) {
            bytes, starts in
            bytes[starts[1] + 15] ^= 1
            bytes.removeLast(4)
        },
        SpoiltJournal("the newline before the last mark, and a torn end", .damaged(at: 1)) { bytes, starts in
            bytes[starts[1] + 20] ^= 1
            bytes.removeLast(4)
        },
        SpoiltJournal("another letter in the first record, and a torn end", .damaged(at: 0)) {
            bytes, starts in
            bytes[starts[0] + 15] ^= 1
            bytes.removeLast(4)
        },
        SpoiltJournal("a record missing", .damaged(at: 2)) { bytes, starts in
            bytes.removeSubrange(starts[2]..<starts[3])
        },
        SpoiltJournal("two records swapped", .damaged(at: 2)) { bytes, starts in
            bytes = Array(bytes[..<starts[2]] + bytes[starts[3]...] + bytes[starts[2]..<starts[3]])
        },
    ]
}
