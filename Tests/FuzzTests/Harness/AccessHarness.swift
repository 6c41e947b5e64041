import LocalSystem
import TripModel
import TripProtocol

@testable import TripServer

/// A file `access`: checks what it allows five accounts in four trips against a simple reading of its lines.
enum AccessHarness {
    private static let own: UInt32 = 1000
    private static let users: [String: UInt32] = [
        "me": 1000, "ann": 1001, "bob": 1002, "eve": 1003, "ann2": 1001,
    ]
    private static let groups: [String: UInt32] = ["family": 50, "friends": 51, "kin": 50]
    private static let accounts = [
        Account(userID: 1001, name: "ann", groups: [50]),
        Account(userID: 1002, name: "bob", groups: [50, 51]),
        Account(userID: 1003, name: "eve"),
        Account(userID: 7, name: nil, groups: [51]),
        Account(userID: 0, name: "root", groups: [0]),
    ]
    private static let trips: [(id: String, slug: String)] = [
        ("00000000-0000-4000-8000-000000000001", "japan"),
        ("00000000-0000-4000-8000-000000000002", "us-2026"),
        ("00000000-0000-4000-8000-000000000003", "t"), ("00000000-0000-4000-8000-000000000004", "other"),
    ]

    static func run(_ bytes: [UInt8]) throws(Finding) {
        let file: AccessFile
        do throws(AccessFile.Failure) { file = try AccessFile(parsing: bytes) } catch {
            return try checkMistakes(error, bytes)
        }
        try checkOtherForms(of: file, bytes)
        let rules: AccessRules
        do throws(AccessFile.Failure) {
            rules = try AccessRules(file, own: own, userID: { users[$0] }, groupID: { groups[$0] })
        } catch {
            return try checkLines(of: error, bytes)
        }
        let lines = words(of: bytes)
        for account in accounts {
            let rights = rules.rights(of: account)
            let isNamed = lines.contains { isAbout(account, $0) }
            try Finding.unless(
                (rights != nil) == isNamed, "who is in no line may nothing", "\(account.userID)")
            var highest = Access.viewer
            for trip in trips {
                let names = [TripReference(trip.id), TripReference(trip.slug)]
                let granted = rights?.access(inTripCalled: names)
                let said = access(of: account, in: trip, lines)
                try Finding.unless(
                    granted == said, "the lines say what one may do",
                    "\(account.userID) in \(trip.slug): \(granted as Access?), \(said as Access?)")
                highest = max(highest, granted ?? .viewer)
                let limited = rights?.limited(to: .viewer).access(inTripCalled: names)
                try Finding.unless(limited ?? .viewer == .viewer, "a viewer's connection only looks")
            }
            try Finding.unless(
                (rights?.highest ?? .viewer) >= highest, "the most that one may do is the most", "\(account)")
        }
    }

    // MARK: Mistakes

    private static func checkLines(of failure: AccessFile.Failure, _ bytes: [UInt8]) throws(Finding) {
        let count = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        let numbers = failure.mistakes.map(\.line)
        try Finding.unless(
            !numbers.isEmpty && numbers == Set(numbers).sorted() && (numbers.last ?? 0) <= count
                && (numbers.first ?? 0) > 0,
            "each bad line is named once, in order", "\(numbers)")
        let text = failure.description
        try Finding.unless(
            TextRule.visible(text) == text && text.utf8.count < 4096, "a mistake is one short line", text)
    }

    /// Without its invalid lines the file must be valid, and each of them must be invalid alone or because of
    /// an earlier one.
    private static func checkMistakes(_ failure: AccessFile.Failure, _ bytes: [UInt8]) throws(Finding) {
        try checkLines(of: failure, bytes)
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Array($0)
        }
        for mistake in failure.mistakes { lines[mistake.line - 1] = [] }
        do throws(AccessFile.Failure) {
            _ = try AccessFile(parsing: Array(lines.joined(separator: [UInt8(ascii: "\n")])))
        } catch {
            throw Finding(
                "all mistakes are reported at once", "\(failure.description), then \(error.description)")
        }
    }

    // MARK: Equivalent forms

    /// Comments, blank lines and other line endings must change only line numbers.
    private static func checkOtherForms(of file: AccessFile, _ bytes: [UInt8]) throws(Finding) {
        var other: [UInt8] = Array("# first\n\n".utf8)
        for byte in bytes { other += byte == UInt8(ascii: "\n") ? Array(" \t# more\r\n".utf8) : [byte] }
        let again: AccessFile
        do throws(AccessFile.Failure) { again = try AccessFile(parsing: other) } catch {
            throw Finding("comments change nothing", error.description)
        }
        let isSame = again.rules.elementsEqual(file.rules) { one, two in
            one.line == two.line + 2 && one.subject == two.subject && one.access == two.access
                && one.trip == two.trip
        }
        try Finding.unless(isSame, "comments change nothing", "\(again.rules)")
    }

    // MARK: A simple reading

    /// The words of each line that is not blank or a comment.
    private static func words(of bytes: [UInt8]) -> [[String]] {
        bytes.split(separator: UInt8(ascii: "\n")).map { line in
            let words = line.split { [0x20, 0x09, 0x0D].contains($0) }.map {
                String(decoding: $0, as: UTF8.self)
            }
            return Array(words.prefix { !$0.utf8.starts(with: "#".utf8) })
        }.filter { !$0.isEmpty }
    }

    private static func isAccount(_ account: Account, _ line: [String]) -> Bool {
        line[0] == "user" && users[line[1]] == account.userID
            || line[0] == "uid" && UInt32(line[1]) == account.userID
    }

    private static func isAbout(_ account: Account, _ line: [String]) -> Bool {
        isAccount(account, line)
            || line[0] == "group" && groups[line[1]].map(account.groups.contains) == true
    }

    /// A line about the trip has precedence over one about all trips, and one about the account over one
    /// about its groups. Among equal ones the highest access counts.
    private static func access(
        of account: Account, in trip: (id: String, slug: String), _ lines: [[String]]
    ) -> Access? {
        func most(_ isChosen: ([String]) -> Bool) -> Access? {
            lines.filter { isAbout(account, $0) && isChosen($0) }.compactMap { Access(rawValue: $0[2]) }.max()
        }
        func isOfTrip(_ line: [String]) -> Bool {
            line.count == 5 && (line[4].lowercased() == trip.id || line[4] == trip.slug)
        }
        return most { isOfTrip($0) && isAccount(account, $0) } ?? most(isOfTrip)
            ?? most { $0.count == 3 && isAccount(account, $0) } ?? most { $0.count == 3 }
    }
}
