import JSONLine
import TripModel
import TripProtocol

/// Everything that clients have received, against which later messages are checked.
final class Oracle {
    /// The past of one trip.
    struct Past {
        /// The full content of each received version.
        var contents: [Int: [UInt8]] = [:]
        var highest = 0
        /// The highest version that a power cut cannot lose.
        var safe = 0
        /// The acknowledged changes, by version.
        var acknowledged: [Int: Acknowledged] = [:]
        /// The number of each user's changes with an unknown outcome: never answered, never repeated.
        var unknown: [String: Int] = [:]
        /// The drags that held items.
        var holds: [Hold] = []
    }

    struct Acknowledged {
        let user: String
        let number: Int
    }

    /// A drag: no other client may edit the item in the versions between.
    struct Hold {
        let user: String
        let item: String
        let after: Int
        let before: Int
    }

    private(set) var pasts: [TripID: Past] = [:]
    private(set) var commits = 0

    /// Records a state that a client received.
    func saw(_ state: HeldState, of trip: TripID, by who: String) throws {
        try saw(state.version, state.content, of: trip, by: who)
    }

    /// Records the content of a version that a client received.
    func saw(_ version: Int, _ content: [UInt8], of trip: TripID, by who: String) throws {
        heard(of: version, of: trip)
        guard let known = pasts[trip]?.contents[version] else {
            pasts[trip]?.contents[version] = content
            try check(content, version: version)
            return
        }
        if known != content {
            throw Violation(
                "a version of a trip has the same content for all readers",
                """
                version \(version), as \(who) has it:
                \(String(decoding: content, as: UTF8.self))
                and as it was seen before:
                \(String(decoding: known, as: UTF8.self))
                """)
        }
    }

    /// Records that a client received the number of a version, without its content.
    func heard(of version: Int, of trip: TripID) {
        pasts[trip, default: Past()].highest = max(pasts[trip]?.highest ?? 0, version)
    }

    func acknowledged(_ number: Int, of user: String, as version: Int, of trip: TripID) throws {
        heard(of: version, of: trip)
        if let other = pasts[trip]?.acknowledged[version] {
            throw Violation(
                "a version is one change",
                "\(version) is \(user)'s \(number) and \(other.user)'s \(other.number)")
        }
        pasts[trip]?.acknowledged[version] = Acknowledged(user: user, number: number)
        commits += 1
    }

    func lostSight(of user: String, in trip: TripID) {
        pasts[trip, default: Past()].unknown[user, default: 0] += 1
    }

    func held(_ hold: Hold, in trip: TripID) { pasts[trip, default: Past()].holds.append(hold) }

    // MARK: Power cuts with relaxed durability

    /// Records that everything is synced.
    func allIsSafe() {
        for (trip, past) in pasts { pasts[trip]?.safe = past.highest }
    }

    /// Forgets versions that may be lost, whose numbers may be used again.
    func powerWasCut() {
        for (trip, past) in pasts {
            var past = past
            past.contents = past.contents.filter { $0.key <= past.safe }
            for (version, change) in past.acknowledged where version > past.safe {
                past.unknown[change.user, default: 0] += 1
            }
            past.acknowledged = past.acknowledged.filter { $0.key <= past.safe }
            past.holds = past.holds.filter { $0.before <= past.safe }
            past.highest = past.safe
            pasts[trip] = past
        }
    }

    // MARK: The model

    private func check(_ content: [UInt8], version: Int) throws {
        let root = try JSONDocument(parsing: content).root
        guard let headerNode = root["trip"], let items = root["items"] else {
            throw Violation("a state has a header and items")
        }
        let header = try TripHeader(headerNode)
        let trip: Trip
        do {
            trip = try Trip(header: header, version: version, items: items.elements.map { try Item($0) })
        } catch {
            throw Violation("no rule of the model is broken", "version \(version): \(error)")
        }
        if let broken = Self.brokenRule(in: trip) {
            throw Violation("no rule of the model is broken", "version \(version): \(broken)")
        }
        for item in trip.items where item.version > version {
            throw Violation("an item changed in a version of the past", "\(item.id) in \(item.version)")
        }
    }

    /// The violated rule about games of a trip in UTC; nil if there is none (R-DATA-03, R-DAY).
    private static func brokenRule(in trip: Trip) -> String? {
        for item in trip.items {
            guard case .game(let game) = item.content else { continue }
            let seconds = Int(game.startsAt.secondsSince1970)
            let day = seconds / 86_400 - trip.header.startDate.daysSince1970 + 1
            let order = Double(100 + seconds % 86_400 / 60)
            if item.position.day != day || !(order..<order + 1).contains(item.position.sortOrder) {
                return "\(game.gameID) is at \(item.position), its schedule says day \(day), \(order)"
            }
        }
        return nil
    }
}
