import JSONLine
import TripModel
import TripProtocol

/// What anybody has ever been told, against which all that is told later must stand.
final class Oracle {
    /// One trip's past.
    struct Past {
        /// The content of each version that was seen, whole.
        var contents: [Int: [UInt8]] = [:]
        var highest = 0
        /// The highest version that a power cut cannot take back.
        var safe = 0
        /// Who was told that it made which version.
        var acknowledged: [Int: Acknowledged] = [:]
        /// Changes of a user that may have been made or not: never answered, never repeated.
        var unknown: [String: Int] = [:]
        /// Times in which an item was somebody's.
        var holds: [Hold] = []
    }

    struct Acknowledged {
        let user: String
        let number: Int
    }

    /// A drag: nobody else edits the item in the versions between.
    struct Hold {
        let user: String
        let item: String
        let after: Int
        let before: Int
    }

    private(set) var pasts: [TripID: Past] = [:]
    private(set) var commits = 0

    /// Somebody was told a state of a trip.
    func saw(_ state: HeldState, of trip: TripID, by who: String) throws {
        try saw(state.version, state.content, of: trip, by: who)
    }

    /// Somebody was told the content of a version of a trip.
    func saw(_ version: Int, _ content: [UInt8], of trip: TripID, by who: String) throws {
        heard(of: version, of: trip)
        guard let known = pasts[trip]?.contents[version] else {
            pasts[trip]?.contents[version] = content
            try check(content, version: version)
            return
        }
        if known != content {
            throw Violation(
                "a version of a trip has one content, whoever is told it",
                """
                version \(version), as \(who) has it:
                \(String(decoding: content, as: UTF8.self))
                and as it was seen before:
                \(String(decoding: known, as: UTF8.self))
                """)
        }
    }

    /// Somebody was told that a version exists, or that a change of its own made it.
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

    // MARK: Power cuts where durability is relaxed

    /// A power cut would take nothing back now.
    func allIsSafe() {
        for (trip, past) in pasts { pasts[trip]?.safe = past.highest }
    }

    /// What was told since then may be gone, and its numbers may be given again.
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

    /// What is wrong with the games of a trip in UTC; nil if nothing is. (R-DATA-03, R-DAY)
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
