import TripProtocol

/// The numbers and words of the journal's format, each named once. `Protocol/journal.md` describes it byte by byte.
package enum JournalFormat {
    /// The format that is written, and by which every new file begins: a file of format 1 goes on as one until it is
    /// written anew.
    package static let current = 2
    /// The oldest format whose readers understand what is written: those of format 1 skip members that they do not
    /// know, and would leave an item where it was moved from.
    package static let lowestReader = 2
    /// The first word of a journal.
    static let magic = Array("itineraryd-journal".utf8)
    /// The first word of a sync mark.
    static let markWord = Array("synced".utf8)
    /// The first word of the line that a compacted journal's snapshot begins with, and of each of its parts.
    static let snapshotWord = Array("snapshot".utf8)
    static let partWord = Array("part".utf8)

    /// Bytes of a header line with its newline, at most.
    package static let maximumHeaderLength = 256
    /// Bytes of an epoch, at most.
    package static let maximumEpochLength = 64
    /// Bytes of a payload, at most: an undo writes the items that its change removed or edited. The rest is room for what
    /// else the undo writes: some hundred bytes for each of 10,000 items, and the answer that is kept for a retry.
    package static let maximumPayload = WireLimits.undoBytes + WireLimits.changeBytes
    /// Parts of a snapshot, at most.
    package static let maximumParts = 1 << 20
    /// Bytes that are gathered for one part of a snapshot, unless a single piece is larger.
    package static let usualPart = 256 << 10
    /// The greatest version that is read; integers on the wire are exact up to twice that. A trip is opened up to half
    /// of it, so that it can be changed as often again, and no change meets an end.
    package static let maximumVersion = 1 << 52
    /// What a disk writes whole or not at all, in bytes; everything larger is a multiple of it.
    static let sectorSize = 512

    /// Whether a text can be an epoch: 1…64 of `a-z`, `0-9` and `-`.
    package static func isEpoch(_ text: String) -> Bool {
        (1...maximumEpochLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension UInt8 {
    static let newline = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
}

extension [UInt8] {
    /// Appends a number that is not negative, in decimal without leading zeros.
    mutating func appendDecimal(_ number: Int) {
        precondition(number >= 0, "the format has no negative numbers")
        // Twenty digits are enough for any; the array is asked for room once, and no slice of it is copied.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (rest, first) = (number, digits.count)
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            append(contentsOf: digits[first...])
        }
    }

    /// Appends a checksum as eight lower-case hexadecimal digits.
    mutating func appendChecksum(_ value: UInt32) {
        append(addingCapacity: 8) { digits in
            for place in 0..<8 as Range<UInt32> {
                let digit = UInt8(truncatingIfNeeded: value >> (28 - 4 * place)) & 15
                digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }
}
