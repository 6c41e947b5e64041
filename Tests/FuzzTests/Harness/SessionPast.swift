import JSONLine
import TripModel
import TripProtocol

@testable import Simulation

/// Every state of a trip that any connection received, by epoch and version.
final class SessionPast {
    private struct Place: Hashable {
        let epoch: String
        let version: Int
    }

    private var states: [Place: HeldState] = [:]
    private var trips: [String: TripID] = [:]
    private var highest: [String: Int] = [:]
    /// The trips that have had a slug.
    private var owners: [String: Set<TripID>] = [:]

    /// The latest values for `$epoch`, `$version`, `$drag` and `$batch`.
    private var words = ["$epoch": "none", "$version": "0", "$drag": "none", "$batch": "none"]

    /// Parameters with those placeholders replaced.
    func filled(_ params: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard params.contains(UInt8(ascii: "$")) else { return params }
        var params = params
        for (word, value) in words { params.replace(Array(word.utf8), with: Array(value.utf8)) }
        return params
    }

    /// Records the named values of a result.
    func heard(_ result: JSONNode) {
        for name in ["drag", "batch"] {
            if let value = result.member(named: name)?.string { words["$" + name] = value }
        }
    }

    /// The trip with an id or a slug; nil if several trips have had the slug.
    func trip(named name: String) -> TripID? {
        if let trip = TripID(name) { return trip }
        guard let owners = owners[name], owners.count == 1 else { return nil }
        return owners.first
    }

    func trip(of epoch: String) -> TripID? { trips[epoch] }

    func state(_ epoch: String, _ version: Int) -> HeldState? {
        states[Place(epoch: epoch, version: version)]
    }

    /// The highest received version of an epoch; 0 for none.
    func highest(of epoch: String) -> Int { highest[epoch] ?? 0 }

    /// Records a received snapshot.
    @discardableResult
    func saw(_ node: JSONNode) throws(Finding) -> (TripID, HeldState) {
        let state: HeldState
        let snapshot: Snapshot
        do { state = try HeldState(snapshot: node) } catch { throw Finding("a state is one", "\(error)") }
        do throws(WireError) { snapshot = try Snapshot(result: node) } catch {
            throw Finding("no rule of the model is broken", error.message)
        }
        if let slug = node["trip"]?["slug"]?.string {
            owners[slug, default: []].insert(snapshot.trip.header.id)
        }
        try note(state, of: snapshot.trip.header.id)
        return (snapshot.trip.header.id, state)
    }

    /// The state after a delta.
    func applying(_ delta: JSONNode, to state: HeldState) throws(Finding) -> HeldState {
        var state = state
        do { try state.apply(delta) } catch {
            throw Finding("promise 3: a delta begins at the last version sent", "\(error)")
        }
        guard let trip = trips[state.epoch] else { throw Finding("a delta is of a history that is known") }
        try note(state, of: trip)
        return state
    }

    private func note(_ state: HeldState, of trip: TripID) throws(Finding) {
        try Finding.unless(
            trips[state.epoch] ?? trip == trip, "a history is of one trip", "\(state.epoch)")
        trips[state.epoch] = trip
        words["$epoch"] = state.epoch
        words["$version"] = "\(state.version)"
        highest[state.epoch] = max(highest[state.epoch] ?? 0, state.version)
        let place = Place(epoch: state.epoch, version: state.version)
        if let known = states[place] {
            try Finding.unless(
                known.content == state.content, "a version of a trip has the same content for all readers",
                """
                version \(state.version):
                \(String(decoding: known.content, as: UTF8.self))
                \(String(decoding: state.content, as: UTF8.self))
                """)
        }
        states[place] = state
    }
}
