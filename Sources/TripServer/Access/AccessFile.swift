import TripModel
import TripProtocol

/// The parsed lines of an `access` file, before accounts and groups are looked up.
struct AccessFile: Equatable, Sendable {
    /// The account or group that a line names.
    enum Subject: Hashable, Sendable {
        case user(String)
        case uid(UInt32)
        case group(String)
    }

    struct Rule: Equatable, Sendable {
        /// Counted from 1.
        let line: Int
        let subject: Subject
        let access: Access
        /// The one trip that the line covers; nil for all trips.
        let trip: TripReference?
    }

    /// An invalid line.
    struct Mistake: Error, Equatable, Sendable, CustomStringConvertible {
        let line: Int
        /// The mistake and its correction.
        let message: String

        var description: String { "line \(line): \(message)" }
    }

    /// All invalid lines in file order; at least one.
    struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        let mistakes: [Mistake]

        /// The first mistakes, and the number of the others.
        var description: String {
            let listed = mistakes.prefix(Self.shownCount).map(\.description).joined(separator: "; ")
            let rest = mistakes.count - Self.shownCount
            return rest > 0 ? "\(listed); and \(rest) more" : listed
        }

        private static let shownCount = 5
    }

    /// Maximum size of the file in bytes.
    static let maximumBytes = 1 << 20

    /// In file order.
    let rules: [Rule]

    /// Parses a whole file.
    ///
    /// - Throws: `Failure` with every invalid line.
    init(parsing bytes: [UInt8]) throws(Failure) {
        struct Place: Hashable {
            let subject: Subject
            let trip: TripReference?
        }
        var rules: [Rule] = []
        var mistakes: [Mistake] = []
        var lines: [Place: Int] = [:]
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            do throws(Mistake) {
                guard let rule = try Self.rule(line, at: index + 1) else { continue }
                let place = Place(subject: rule.subject, trip: rule.trip)
                if let first = lines.updateValue(rule.line, forKey: place) {
                    throw Mistake(
                        line: rule.line, message: "line \(first) is for the same account; remove one of them")
                }
                rules.append(rule)
            } catch {
                mistakes.append(error)
            }
        }
        guard mistakes.isEmpty else { throw Failure(mistakes: mistakes) }
        self.rules = rules
    }

    private static let form =
        "user NAME, uid NUMBER or group NAME, then owner, editor or viewer, then perhaps in TRIP"

    /// The rule of a line; nil for an empty line or a comment.
    private static func rule(_ line: ArraySlice<UInt8>, at number: Int) throws(Mistake) -> Rule? {
        func mistake(_ message: String) -> Mistake { Mistake(line: number, message: message) }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw mistake("it is not UTF-8; save the file as UTF-8")
        }
        // Blanks and tabs separate words. A carriage return at the end of a line is ignored.
        let words = text.split { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
            .prefix { !$0.hasPrefix("#") }.map(String.init)
        guard let kind = words.first else { return nil }
        guard words.count == 3 || words.count == 5 else {
            throw mistake("it has \(words.count) words; a line is \(form)")
        }
        let subject: Subject
        switch kind {
        case "user": subject = .user(words[1])
        case "group": subject = .group(words[1])
        case "uid":
            // The largest number does not denote an account.
            guard words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let uid = UInt32(words[1]),
                uid < .max
            else { throw mistake("uid takes a number such as 1000, not \(shown(words[1]))") }
            subject = .uid(uid)
        default: throw mistake("a line begins with user, uid or group, not with \(shown(kind))")
        }
        guard let access = Access(rawValue: words[2]) else {
            throw mistake("the role is owner, editor or viewer, not \(shown(words[2]))")
        }
        if words.count == 3 { return Rule(line: number, subject: subject, access: access, trip: nil) }
        guard words[3] == "in" else {
            throw mistake("the word before the trip must be “in”, not \(shown(words[3]))")
        }
        let trip = TripReference(words[4])
        if case .slug(let slug) = trip, !TripHeader.isSlug(slug) {
            throw mistake(
                "\(shown(slug)) is neither the slug nor the id of a trip; itinerary-client list shows them")
        }
        return Rule(line: number, subject: subject, access: access, trip: trip)
    }

    /// A word as it is quoted in a message.
    private static func shown(_ word: String) -> String {
        TextRule.visible(word.utf8.count <= 64 ? word : String(word.unicodeScalars.prefix(32)) + "…")
    }
}
