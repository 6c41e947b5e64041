import ItineraryUI
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `add [TRIP] - [PLACE]`: a custom item for each line of standard input, below each other.
enum AddLines {
    /// The most bytes that are read.
    private static let inputLimit = 1024 * 1024

    /// Reads to the end, then adds everything, in as few requests as it takes.
    static func run(_ caller: Caller, _ trip: TripReference, at place: PlaceWords)
        async throws(CommandFailure)
    {
        let titles = PastedText.titles(in: try await input())
        guard !titles.isEmpty else {
            throw CommandFailure("there is no line with a title", exitCode: CommandFailure.badData)
        }
        let client = try await SteadyClient(caller)
        let snapshot = try await client.snapshot(of: trip)
        var placement = try place.placement(in: snapshot.trip)
        var edits: [Edit] = []
        for title in titles {
            let id = ItemID.random()
            edits.append(.add(id, .custom(CustomItem(title: title)), to: placement))
            placement = placement.map { .after(id, day: $0.day) }
        }
        var added = 0
        for start in stride(from: 0, to: edits.count, by: TripLimits.operations) {
            let batch = Array(edits[start..<min(start + TripLimits.operations, edits.count)])
            let items: [Item]
            do throws(CommandFailure) {
                items = try await client.change(.id(snapshot.trip.header.id), batch).items
            } catch {
                guard edits.count > batch.count else { throw error }
                throw CommandFailure(
                    "\(error.message): \(added) of \(edits.count) lines are added, from the first on",
                    exitCode: error.exitCode)
            }
            added += batch.count
            for item in items {
                StandardStream.output.print(
                    "\(item.id)  day \(item.position.day)  \(PlainText.visible(item.content.title))")
            }
        }
    }

    /// Standard input as text, read on a thread of its own, since whoever writes may take their time.
    private static func input() async throws(CommandFailure) -> String {
        let (results, continuation) = AsyncStream.makeStream(of: Result<String, CommandFailure>.self)
        let thread: WorkerThread
        do throws(SystemError) {
            thread = try WorkerThread {
                continuation.yield(Result { () throws(CommandFailure) in try read() })
                continuation.finish()
            }
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.unavailable)
        }
        for await result in results {
            thread.join()
            return try result.get()
        }
        preconditionFailure("the thread tells how it went before it ends")
    }

    private static func read() throws(CommandFailure) -> String {
        var bytes: [UInt8] = []
        do throws(SystemError) {
            let input = try Descriptor.duplicate(of: 0)
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while bytes.count <= inputLimit, case .bytes(let count) = try input.read(into: &buffer) {
                bytes += buffer[..<count]
            }
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.noInput)
        }
        guard bytes.count <= inputLimit else {
            throw CommandFailure(
                "standard input has more than \(inputLimit) bytes", exitCode: CommandFailure.badData)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
