import LocalSystem
import Testing

@testable import TripJournal

/// Recorded journals of format 1, and their expected content, which another program made from
/// `Protocol/journal.md`. It must never change.
@Suite struct GoldenTests {
    private static let directory =
        #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Golden"

    @Test(arguments: [
        "plain", "sealed", "compacted", "torn", "torn-compacted", "damaged", "damaged-snapshot", "newer",
    ])
    func `recorded journals of format 1 are read unchanged`(_ name: String) throws {
        func bytes(_ suffix: String) throws -> [UInt8] {
            try OpenFile("\(Self.directory)/\(name).\(suffix)", .read, in: RealFileSystem()).readAll()
        }
        let journal = try bytes("journal")
        let expected = String(decoding: try bytes("expected"), as: UTF8.self)
        #expect(Self.reading(JournalScanner.scan(journal)) == expected)
    }

    private static func reading(_ scan: JournalScan) -> String {
        var lines = ["verdict: \(scan.summary)"]
        if let contents = scan.contents {
            lines.append("header: \(contents.header.tripID) \(contents.header.epoch)")
            if let snapshot = contents.snapshot {
                lines.append(
                    "snapshot: version \(snapshot.version), parts \(snapshot.parts.count), end \(snapshot.end)"
                )
            }
            for entry in contents.entries {
                lines.append(
                    "record: version \(entry.version) at \(entry.offset), payload \(entry.payload.lowerBound) to \(entry.payload.upperBound)"
                )
            }
            var chain: [UInt8] = []
            chain.appendChecksum(contents.checkpoint.checksum)
            lines.append(
                "end: \(contents.end), synced \(contents.syncedEnd), chain \(String(decoding: chain, as: UTF8.self))"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
