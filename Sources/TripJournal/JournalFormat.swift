import TripProtocol

/// The constants of the journal's format. `Protocol/journal.md` describes it byte by byte.
package enum JournalFormat {
    /// The format of new files. A file of an older format keeps its format until it is rewritten.
    package static let current = 3
    /// The oldest format whose readers understand new files. Older readers ignore unknown members, and would miss
    /// changes of the header (format 2) and moves (format 1).
    package static let lowestReader = 3
    /// The first word of a journal.
    static let magic = Array("itineraryd-journal".utf8)
    /// The first word of a sync mark.
    static let markWord = Array("synced".utf8)
    /// The first word of a snapshot's first line, and of each of its parts.
    static let snapshotWord = Array("snapshot".utf8)
    static let partWord = Array("part".utf8)

    /// Maximum bytes of a header line with its newline.
    package static let maximumHeaderLength = 256
    /// Maximum bytes of an epoch.
    package static let maximumEpochLength = 64
    /// Maximum bytes of a payload. An undo writes the items that its change removed or edited. The rest is
    /// for other data of the undo: some hundred bytes for each of 10,000 items, and the cached answer.
    package static let maximumPayload = WireLimits.undoBytes + WireLimits.changeBytes
    /// Maximum number of parts of a snapshot.
    package static let maximumParts = 1 << 20
    /// The usual size of a snapshot's part, unless a single row is larger.
    package static let usualPart = 256 << 10
    /// The greatest version that is read; integers on the wire are exact up to twice that. A trip is opened
    /// up to half of it, so that it can be changed as often again without reaching the limit.
    package static let maximumVersion = 1 << 52
    /// The number of bytes that a disk writes atomically; all larger sector sizes are multiples of it.
    static let sectorSize = 512

    /// True if a text is a valid epoch: 1…64 of `a-z`, `0-9` and `-`.
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
    /// Appends a nonnegative number in decimal without leading zeros.
    mutating func appendDecimal(_ number: Int) {
        precondition(number >= 0, "the format has no negative numbers")
        // Twenty digits suffice for any number. The array grows once, without a copied slice.
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
