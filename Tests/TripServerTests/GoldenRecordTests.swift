import LocalSystem
import Testing
import TripModel

@testable import TripJournal
@testable import TripServer

/// Recorded journals with records of formats 1 and 2. The expected content was made by another program from
/// `Protocol/journal.md`. It must never change.
@Suite struct GoldenRecordTests {
    private static let directory =
        #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Golden"

    @Test func `a recorded journal of format 2 is read unchanged`() throws {
        func bytes(_ suffix: String) throws -> [UInt8] {
            try OpenFile("\(Self.directory)/brief.\(suffix)", .read, in: RealFileSystem()).readAll()
        }
        let journal = try bytes("journal")
        guard case .whole(let contents) = JournalScanner.scan(journal) else {
            Issue.record("it is whole")
            return
        }
        let replay = try TripReplay(OpenedJournal(contents, in: journal))
        var lines = replay.trip.items.map { "item " + String(decoding: $0.encoded(), as: UTF8.self) }
        for (client, known) in replay.retries.clients {
            lines += known.answers.map { answer in
                "answer \(client) \(answer.seq) \(String(answer.fingerprint, radix: 16)) \(answer.version) "
                    + String(decoding: answer.result, as: UTF8.self)
            }
        }
        let expected = String(decoding: try bytes("expected"), as: UTF8.self)
        #expect(lines.joined(separator: "\n") + "\n" == expected)
    }
}
