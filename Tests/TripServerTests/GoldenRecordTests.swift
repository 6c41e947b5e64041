import LocalSystem
import Testing
import TripModel

@testable import TripJournal
@testable import TripServer

/// Recorded journals with records of formats 1 to 3. The expected content was made by another program from
/// `Protocol/journal.md`. It must never change.
@Suite struct GoldenRecordTests {
    private static let directory =
        #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Golden"

    private func bytes(_ name: String) throws -> [UInt8] {
        try OpenFile("\(Self.directory)/\(name)", .read, in: RealFileSystem()).readAll()
    }

    /// A recorded journal up to a version; nil for the last one.
    private func replay(_ name: String, upTo version: Int? = nil) throws -> TripReplay {
        let journal = try bytes("\(name).journal")
        guard case .whole(let contents) = JournalScanner.scan(journal) else {
            throw ReplayFailure(version: 0, message: "it is not whole")
        }
        let opened = OpenedJournal(contents, in: journal)
        return try TripReplay(
            OpenedJournal(
                header: opened.header, snapshot: opened.snapshot,
                records: opened.records.filter { $0.version <= version ?? .max },
                checkpoint: opened.checkpoint, end: opened.end, repair: nil))
    }

    @Test func `a recorded journal of format 3 gives the header of each version`() throws {
        var lines = ""
        for version in 2...9 {
            let header = try replay("header", upTo: version).trip.header
            let todo = header.todo.map { $0.text + ($0.doneBy.map { " (\($0))" } ?? "") }
            let text =
                switch version {
                case 2:
                    "\(header.name) \(header.slug) \(header.startDate) \(header.timeZone) \(header.dayCount) days"
                case 3, 9: "accepted: \(header.acceptedProblems.sorted().joined(separator: ", "))"
                default: todo.joined(separator: ", ")
                }
            lines += "\(version) \(text)\n"
        }
        #expect(lines == String(decoding: try bytes("header.expected"), as: UTF8.self))
    }

    @Test func `a recorded journal of format 2 is read unchanged`() throws {
        let replay = try replay("brief")
        var lines = replay.trip.items.map { "item " + String(decoding: $0.encoded(), as: UTF8.self) }
        for (client, known) in replay.retries.clients {
            lines += known.answers.map { answer in
                "answer \(client) \(answer.seq) \(String(answer.fingerprint, radix: 16)) \(answer.version) "
                    + String(decoding: answer.result, as: UTF8.self)
            }
        }
        #expect(
            lines.joined(separator: "\n") + "\n"
                == String(decoding: try bytes("brief.expected"), as: UTF8.self))
    }
}
