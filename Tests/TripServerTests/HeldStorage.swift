import LocalSystem
import TripJournal
import TripModel
import TripProtocol

@testable import TripServer

/// A storage that keeps all requests and reports nothing until the test calls `resume`.
final class HeldStorage: TripStorage {
    struct Asked: Sendable {
        let trip: TripID
        let request: StorageRequest
    }

    private struct State {
        var isHolding = false
        var asked: [Asked] = []
        var performedCount = 0
        /// The requests for the list of deleted trips, which `resume` answers.
        var readers: [TrashReader] = []
        var server: Server?
    }

    private let loop: EventLoop
    private let state = Guarded(State())

    init(loop: EventLoop) { self.loop = loop }

    func report(to server: Server?) { state.withLock { $0.server = server } }

    var statistics: StorageStatistics { StorageStatistics() }

    func freshEpoch() -> String { ItemID.random().description }

    func perform(_ request: StorageRequest, of trip: TripID, epoch: String) {
        let isHolding = state.withLock { state in
            state.asked.append(Asked(trip: trip, request: request))
            state.performedCount += 1
            return state.isHolding
        }
        if !isHolding { release() }
    }

    /// Nothing is written, so a record may be encoded for any position.
    func encoder(of trip: TripID) -> JournalEncoder? {
        JournalEncoder(resuming: JournalCheckpoint(version: 0, checksum: 0))
    }

    func encoder(ofNew trip: TripID, epoch: String) -> JournalEncoder {
        JournalEncoder(resuming: JournalCheckpoint(version: 0, checksum: 0))
    }

    func name(_ trip: TripID, _ slugs: Set<String>) {}

    func handOver() -> [StorageReport] { [] }

    // Its trips are always in use, so they are never closed.
    func open(_ trip: TripID, _ known: CatalogueEntry) { preconditionFailure("every trip is open") }
    func examine(_ trips: [TripID: CatalogueEntry]) { preconditionFailure("every trip is open") }
    func close(_ trip: TripID, _ content: TripContent) {}
    func compact(_ state: TripSnapshot) { preconditionFailure("no journal grows") }

    /// No trip is deleted.
    func readTrash(_ report: @escaping TrashReader) { state.withLock { $0.readers.append(report) } }

    func restore(_ deleted: TrashedTrip, as slug: String) { preconditionFailure("no test restores") }

    /// From now on nothing becomes durable.
    func hold() { state.withLock { $0.isHolding = true } }

    /// The number of all requests so far.
    var performedCount: Int { state.withLock { $0.performedCount } }

    /// The unreported requests.
    var held: [Asked] { state.withLock { $0.asked } }

    /// Reports all requests so far as durable; later requests at once, unless `hold` is called again.
    func resume() {
        let (readers, server) = state.withLock { state in
            defer { state.readers = [] }
            state.isHolding = false
            return (state.readers, state.server)
        }
        if let server, !readers.isEmpty {
            loop.execute { server.enter { for report in readers { report($0, .success([])) } } }
        }
        release()
    }

    /// Reports the oldest `count` requests as durable; the rest stays.
    func complete(first count: Int) { release(count) }

    /// Reports a failure of the kept requests.
    func fail(_ reason: ErrorReason) {
        let (asked, server) = state.withLock { state in
            defer { state.asked = [] }
            state.isHolding = false
            return (state.asked, state.server)
        }
        guard let server else { return }
        loop.execute {
            for trip in Set(asked.map(\.trip)) {
                server.enter { $0.failed(trip, reason, "the test's disk failed") }
            }
        }
    }

    private func release(_ count: Int = .max) {
        let (asked, server) = state.withLock { state in
            let asked = state.asked.prefix(count)
            state.asked.removeFirst(asked.count)
            return (Array(asked), state.server)
        }
        guard let server else { return }
        // As the journal does: the last version of a batch covers all before it.
        var versions: [(trip: TripID, version: Int)] = []
        for one in asked {
            if let index = versions.firstIndex(where: { $0.trip == one.trip }) {
                versions[index].version = one.request.version
            } else {
                versions.append((one.trip, one.request.version))
            }
        }
        let received = versions
        loop.execute {
            for (trip, version) in received { server.enter { $0.stored(trip, upTo: version) } }
        }
    }
}

extension StorageRequest {
    var version: Int {
        switch self {
        case .create(let version, _), .append(let version, _), .delete(let version): version
        case .createEncoded(let records), .appendEncoded(let records): records.end.version
        }
    }
}
