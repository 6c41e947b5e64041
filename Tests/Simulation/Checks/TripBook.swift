import TripModel

/// Records which of the created and deleted trips must exist, and which must not.
///
/// The ids of deleted trips are used again. Each attempt to create one has a unique name that never changes.
/// It identifies one life of the id.
final class TripBook {
    enum Fate {
        /// No deletion was requested.
        case untouched
        /// A deletion was requested, and its outcome is unknown.
        case doubtful
        /// Deleted since that moment.
        case gone(Int)
    }

    struct Life {
        let trip: TripID
        /// Whether its creation was confirmed.
        var isMade = false
        var fate = Fate.untouched
        /// The highest version that a client received, and the highest that a power cut cannot lose.
        var highest = 0
        var safe = 0
        var contents: [Int: [UInt8]] = [:]
        var slugs: [Int: String] = [:]
        /// The added items with their versions.
        var items: [(item: String, version: Int)] = []

        var mustBeThere: Bool {
            if case .untouched = fate { return isMade }
            return false
        }
        var isGone: Bool {
            if case .gone = fate { return true }
            return false
        }
    }

    /// A requested deletion without an answer.
    private struct Deletion {
        let trip: TripID
        var candidates: Set<String>
        /// The wire on which it may still be delivered, if its answer will not come.
        var wire: SimulatedWire?
    }

    private(set) var lives: [String: Life] = [:]
    private var deletions: [Int: Deletion] = [:]
    /// A counter of events that orders them.
    private(set) var moment = 0
    private var names = 0
    private(set) var deletedCount = 0

    // MARK: Creation

    /// Records an attempt to create a trip; returns its name.
    func begin(_ trip: TripID) -> String {
        moment += 1
        names += 1
        let name = "w\(names)"
        lives[name] = Life(trip: trip)
        forgetOldDeletions()
        for (token, deletion) in deletions where deletion.trip == trip {
            deletions[token]?.candidates.insert(name)
            if deletion.wire != nil { lives[name]?.fate = .doubtful }
        }
        return name
    }

    /// Records a refused attempt that has left nothing in flight.
    func refused(_ name: String) {
        lives[name] = nil
        for token in deletions.keys { deletions[token]?.candidates.remove(name) }
    }

    /// Records that a trip was deleted before its creation was answered.
    func madeAndDeleted(_ name: String) throws {
        guard let life = lives[name] else { return }
        let isWanted = deletions.values.contains { $0.candidates.contains(name) }
        if case .untouched = life.fate, !isWanted {
            throw Violation("a trip exists until it is deleted", name)
        }
    }

    /// Records that an addition is about to be undone.
    func forgetItems(of trip: TripID) {
        for name in lives.keys where lives[name]?.trip == trip { lives[name]?.items = [] }
    }

    // MARK: Deletion

    /// Records that a deletion is about to be requested.
    func beginDeletion(of trip: TripID) -> Int {
        moment += 1
        let candidates = lives.filter { $0.value.trip == trip && !$0.value.isGone }.map(\.key)
        deletions[moment] = Deletion(trip: trip, candidates: Set(candidates))
        return moment
    }

    /// Records a confirmed deletion.
    func deleted(_ token: Int) throws {
        guard let deletion = deletions.removeValue(forKey: token) else { return }
        moment += 1
        deletedCount += 1
        let candidates = deletion.candidates.filter { lives[$0]?.isGone == false }
        if deletion.candidates.isEmpty { throw Violation("what is deleted was there", "\(deletion.trip)") }
        if candidates.count == 1, let name = candidates.first {
            lives[name]?.fate = .gone(moment)
        } else {
            for name in candidates { lives[name]?.fate = .doubtful }
        }
    }

    /// Records a refused deletion, which has changed nothing.
    func notDeleted(_ token: Int) { deletions[token] = nil }

    /// Records a deletion with an unknown outcome, which may still be delivered on this wire.
    func deletionInDoubt(_ token: Int, _ wire: SimulatedWire?) {
        for name in deletions[token]?.candidates ?? [] where lives[name]?.isGone == false {
            lives[name]?.fate = .doubtful
        }
        if let wire { deletions[token]?.wire = wire } else { deletions[token] = nil }
    }

    private func forgetOldDeletions() {
        deletions = deletions.filter { $0.value.wire?.isServerClosed != true }
    }

    // MARK: Received states

    /// Records a received state of a trip, or the version that a change of its header made.
    ///
    /// - Parameters:
    ///   - asked: the moment of the request.
    ///   - content: the full content, if received.
    func saw(_ name: String, slug: String, version: Int, content: [UInt8]? = nil, asked: Int) throws {
        guard var life = lives[name] else {
            throw Violation("an existing trip was created by a client", name)
        }
        if case .gone(let moment) = life.fate, moment <= asked {
            throw Violation("a trip that was deleted does not come back", "\(name), version \(version)")
        }
        life.isMade = true
        if let known = life.slugs[version], known != slug {
            throw Violation("a version of a trip has one slug", "\(name), \(version): \(known) and \(slug)")
        }
        life.slugs[version] = slug
        if let content {
            if let known = life.contents[version], known != content {
                throw Violation(
                    "a version of a trip has the same content for all readers", "\(name), version \(version)")
            }
            life.contents[version] = content
        }
        life.highest = max(life.highest, version)
        lives[name] = life
    }

    /// Records an item added with this version. Its life of the trip is known only if one was possible.
    func added(_ item: String, to trip: TripID, version: Int, asked: Int) {
        let possible = lives.filter { _, life in
            guard life.trip == trip else { return false }
            if case .gone(let moment) = life.fate { return moment > asked }
            return true
        }
        guard possible.count == 1, let name = possible.first?.key else { return }
        lives[name]?.isMade = true
        lives[name]?.items.append((item, version))
        if let highest = lives[name]?.highest, version > highest { lives[name]?.highest = version }
    }

    // MARK: At rest

    /// Checks that the trip served under an id at rest is the expected one, and complete.
    func atRest(_ trip: TripID, served: String?, items: Set<String>, version: Int) throws {
        forgetOldDeletions()
        for (name, life) in lives where life.trip == trip {
            guard name == served else {
                if life.mustBeThere {
                    throw Violation("a trip exists until it is deleted", "\(name), as \(trip)")
                }
                lives[name] = nil
                continue
            }
            if version < life.highest {
                throw Violation(
                    "no version that was sent is lost", "\(name): \(version) < \(life.highest)")
            }
            if let lost = life.items.first(where: { !items.contains($0.item) }) {
                throw Violation("no acknowledged change is lost", "\(name): \(lost.item), \(lost.version)")
            }
            if !deletions.values.contains(where: { $0.candidates.contains(name) }) {
                lives[name]?.fate = .untouched
            }
        }
    }

    // MARK: Power cuts with relaxed durability

    func allIsSafe() {
        for (name, life) in lives { lives[name]?.safe = life.highest }
    }

    func powerWasCut() {
        for (name, life) in lives {
            // The creation of a trip is always synced.
            let safe = max(life.safe, 1)
            lives[name]?.highest = min(life.highest, safe)
            lives[name]?.contents = life.contents.filter { $0.key <= safe }
            lives[name]?.slugs = life.slugs.filter { $0.key <= safe }
            lives[name]?.items.removeAll { $0.version > safe }
        }
    }
}
