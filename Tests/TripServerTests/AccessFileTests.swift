import LocalSystem
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

/// The access file: its lines, its errors, and the combined effect of several lines.
@Suite struct AccessFileTests {
    private static func read(_ text: String) throws(AccessFile.Failure) -> [AccessFile.Rule] {
        try AccessFile(parsing: Array(text.utf8)).rules
    }

    private static func mistakes(_ bytes: [UInt8]) -> [String] {
        do throws(AccessFile.Failure) {
            _ = try AccessFile(parsing: bytes)
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    @Test func `rules, comments and blank lines may come in any order`() throws {
        let text = """
            # who may do what

            user ann owner
            \tuid\t1001  editor   # the second account
            group family viewer#not-a-comment
            """
        #expect(
            Self.mistakes(Array(text.utf8)) == [
                "line 5: the role is owner, editor or viewer, not viewer#not-a-comment"
            ])
        let rules = try Self.read(
            text.replacing("#not-a-comment", with: " in japan\r") + "\r\nuid 0 viewer in \(id(7))")
        #expect(
            rules == [
                .init(line: 3, subject: .user("ann"), access: .owner, trip: nil),
                .init(line: 4, subject: .uid(1001), access: .editor, trip: nil),
                .init(line: 5, subject: .group("family"), access: .viewer, trip: .slug("japan")),
                .init(line: 6, subject: .uid(0), access: .viewer, trip: TripReference(id(7))),
            ])
        #expect(try Self.read("").isEmpty)
        #expect(try Self.read("\n\n#\n  # user ann owner").isEmpty)
    }

    @Test(arguments: [
        ("users ann owner", "a line begins with user, uid or group, not with users"),
        ("user ann", "it has 2 words; a line is user NAME, uid NUMBER or group NAME"),
        ("user ann owner of japan x", "it has 6 words"),
        ("user ann Owner", "the role is owner, editor or viewer, not Owner"),
        ("user ann owner at japan", "the word before the trip must be “in”, not at"),
        ("user ann owner in Japan", "Japan is neither the slug nor the id of a trip"),
        ("uid -1 owner", "uid takes a number such as 1000, not -1"),
        ("uid 4294967295 owner", "uid takes a number such as 1000, not 4294967295"),
        ("uid 99999999999 owner", "uid takes a number such as 1000, not 99999999999"),
        ("uid ann owner", "uid takes a number such as 1000, not ann"),
        ("user a\u{1B}[2Jb c\u{202E} ", "the role is owner, editor or viewer, not cU+202E"),
        ("user ann owner\nuser ann viewer", "line 1 is for the same account; remove one of them"),
    ])
    func `an invalid line is reported with its correction`(text: String, message: String) throws {
        let mistakes = Self.mistakes(Array("# one\n\(text)\n".utf8))
        let line = text.contains("\n") ? 3 : 2
        let wanted = message.replacing("line 1 is", with: "line 2 is")
        #expect(mistakes.count == 1)
        #expect(mistakes.first?.hasPrefix("line \(line): \(wanted)") == true, "\(mistakes)")
        #expect(mistakes.allSatisfy { TextRule.visible($0) == $0 })
    }

    @Test func `all invalid lines are found, and only the first few are reported`() {
        let text = (1...9).map { "nobody \($0)" }.joined(separator: "\n")
        #expect(Self.mistakes(Array(text.utf8)).count == 9)
        #expect(throws: AccessFile.Failure.self) { try Self.read(text) }
        do throws(AccessFile.Failure) { _ = try Self.read(text) } catch {
            #expect(error.description.hasSuffix("; and 4 more"))
            #expect(!error.description.contains("\n"))
        }
        #expect(Self.mistakes([0x75, 0xFF, 0x0A]) == ["line 1: it is not UTF-8; save the file as UTF-8"])
    }

    @Test func `parsing arbitrary bytes gives rules or mistakes, and never traps`() throws {
        var generator = SystemRandomNumberGenerator()
        let words = [
            "user", "uid", "group", "ann", "7", "owner", "viewer", "in", "t", "#", " ", "\t", "\n",
            "\u{FEFF}", "\u{0}",
        ]
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0..<20, using: &generator) {
                text += words.randomElement(using: &generator) ?? ""
                if Bool.random(using: &generator) { text += " " }
            }
            let mistakes = Self.mistakes(Array(text.utf8))
            #expect(mistakes.allSatisfy { $0.hasPrefix("line ") })
        }
    }
}

/// The access that the lines give an account.
@Suite struct AccessRulesTests {
    private static func rules(_ text: String) throws(AccessFile.Failure) -> AccessRules {
        try AccessRules(
            try AccessFile(parsing: Array(text.utf8)), own: 1000,
            userID: { ["me": 1000, "ann": 1001, "bob": 1002, "robert": 1002][$0] },
            groupID: { ["family": 100, "friends": 200][$0] })
    }

    private static func access(_ text: String, groups: Set<UInt32> = [], in trip: String? = nil) throws
        -> Access?
    {
        let rights = try rules(text).rights(of: Account(userID: 1002, name: "bob", groups: groups))
        guard let trip else { return rights?.inGeneral }
        return rights?.access(inTripCalled: [TripReference(trip)])
    }

    @Test(
        arguments: [
            ("user ann editor", [], nil),
            ("user bob viewer", [], .viewer),
            ("uid 1002 owner", [], .owner),
            ("group family editor", [], nil),
            ("group family editor", [100], .editor),
            ("group family viewer\ngroup friends editor", [100, 200], .editor),
            // A line for the account has priority over lines for its groups, whichever allows more.
            ("group family editor\nuser bob viewer", [100], .viewer),
            ("user bob owner\ngroup family viewer", [100], .owner),
        ] as [(String, Set<UInt32>, Access?)])
    func `a rule about all trips grants its access in every trip`(
        text: String, groups: Set<UInt32>, wanted: Access?
    ) throws {
        #expect(try Self.access(text, groups: groups) == wanted)
        // Without a line for the trip, the general access applies.
        #expect(try Self.access(text, groups: groups, in: "t") == wanted)
    }

    @Test(
        arguments: [
            ("user bob editor in t", [], .editor, nil),
            ("user bob viewer in t\nuser bob editor", [], .viewer, .editor),
            ("user bob viewer\ngroup family editor in t", [100], .editor, .viewer),
            (
                "user bob viewer in t\ngroup family owner in t\ngroup friends editor", [100, 200], .viewer,
                .editor
            ),
            ("group family viewer in t\ngroup friends editor in t", [100, 200], .editor, nil),
        ] as [(String, Set<UInt32>, Access?, Access?)])
    func `a rule about one trip overrides the access to all trips`(
        text: String, groups: Set<UInt32>, there: Access?, elsewhere: Access?
    ) throws {
        #expect(try Self.access(text, groups: groups, in: "t") == there)
        #expect(try Self.access(text, groups: groups, in: "other") == elsewhere)
    }

    @Test func `an unknown account and the daemon's own account are reported by line`() throws {
        let text =
            "user eve viewer\ngroup none editor\nuser me viewer\nuid 1000 owner\nuser bob editor\nuser robert viewer"
        do throws(AccessFile.Failure) {
            _ = try Self.rules(text)
            Issue.record("it is refused")
        } catch {
            #expect(
                error.mistakes.map(\.description) == [
                    "line 1: this machine has no account eve; for a number, use uid",
                    "line 2: this machine has no group none; the command groups lists those of an account",
                    "line 3: the daemon runs as this account, which is always an owner; remove the line",
                    "line 6: line 5 is for the same account; remove one of them",
                ])
        }
        #expect(try Self.rules("user me owner").isEmpty)
        #expect(AccessRules().rights(of: Account(userID: 1, name: nil)) == nil)
    }

    @Test func `a limited access never exceeds its limit`() {
        let rights = Rights(everywhere: .owner, trips: [.slug("t"): .viewer])
        #expect(rights.highest == .owner && rights.inGeneral == .owner && !rights.isUniform)
        let limited = rights.limited(to: .editor)
        #expect(limited.highest == .editor && limited.inGeneral == .editor)
        #expect(limited.limited(to: .owner) == limited)
        #expect(limited.access(inTripCalled: [.slug("t")]) == .viewer)
        #expect(limited.access(inTripCalled: []) == .editor)
        #expect(Rights(everywhere: nil, trips: [.slug("t"): .owner]).inGeneral == .viewer)
        #expect(
            Rights(everywhere: nil, trips: [.slug("t"): .owner]).limited(to: .viewer)
                .access(inTripCalled: [.slug("t")]) == .viewer)
    }

    /// A search through all rules for each trip takes ten minutes.
    @Test(.timeLimit(.minutes(1))) func `the access to 50,000 trips is found in 50,000 rules`() {
        let trips = (0..<50_000).map { TripReference.slug("t\($0)") }
        let rights = Rights(
            everywhere: nil, trips: Dictionary(uniqueKeysWithValues: trips.map { ($0, .viewer) }))
        #expect(trips.allSatisfy { rights.access(inTripCalled: [$0]) == .viewer })
    }
}
