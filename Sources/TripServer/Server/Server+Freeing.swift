import LocalSystem
import TripModel

/// Large trips are freed on a worker: their items take longer than a step of the loop may.
extension Server {
    /// The number of items from which a trip is freed on a worker: about a millisecond of work.
    private static let longFreeing = 1000

    /// Frees a trip that is no longer open.
    func free(_ actor: TripActor) { free(actor, items: actor.read { $0.trip.itemCount }) }

    /// Frees an old copy of a trip. One of the current version shares its storage, which the loop would have to copy for
    /// the next change, so it must be freed at once.
    func free(old copy: TripCore) { free(copy, items: copy.trip.itemCount) }

    private func free(_ value: any Sendable, items: Int) {
        guard items >= Self.longFreeing, let runOnWorker = configuration.runOnWorker else { return }
        let last = Guarded<(any Sendable)?>(value)
        // By then this is the last reference.
        loop.atEndOfIteration { runOnWorker(.many) { last.withLock { $0 = nil } } }
    }
}
