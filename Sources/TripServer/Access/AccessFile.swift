import TripModel
import TripProtocol

/// What a file `access` says, line by line, before anybody is looked up: a value.
struct AccessFile: Equatable, Sendable {
    /// Whom a line is about.
    enum Subject: Hashable, Sendable {
        case user(String)
        case uid(UInt32)
        case group(String)
    }

    /// One line.
    struct Rule: Equatable, Sendable {
        /// Counted from 1.
        let line: Int
        let subject: Subject
        let access: Access
        /// The one trip that it is about; nil for all.
        let trip: TripReference?
    }

    /// A line that makes no sense.
    struct Mistake: Error, Equatable, Sendable, CustomStringConvertible {
        /// Counted from 1.
        let line: Int
        /// What is wrong, and what would be right.
        let message: String

        var description: String { "line \(line): \(message)" }
    }

    /// Every line that makes no sense, in their order; at least one.
    struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
        let mistakes: [Mistake]

        /// Those that are told, and how many more there are.
        var description: String {
            let told = mistakes.prefix(Self.toldCount).map(\.description).joined(separator: "; ")
            let rest = mistakes.count - Self.toldCount
            return rest > 0 ? "\(told); and \(rest) more" : told
        }

        private static let toldCount = 5
    }

    /// Bytes of a file that is read, at most.
    static let maximumBytes = 1 << 20

    /// In the order of the lines.
    let rules: [Rule]

    /// Reads a whole file.
    ///
    /// - Throws: `Failure` with every line that makes no sense.
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
                        line: rule.line, message: "line \(first) is about the same already; keep one of them")
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

    /// The rule of a line; nil where it is empty or a comment.
    private static func rule(_ line: ArraySlice<UInt8>, at number: Int) throws(Mistake) -> Rule? {
        func mistake(_ message: String) -> Mistake { Mistake(line: number, message: message) }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw mistake("it is not UTF-8; save the file so")
        }
        // Apart by blanks and tabs; what ends a line elsewhere is no text either.
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
            // The largest number stands for no account.
            guard words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let uid = UInt32(words[1]),
                uid < .max
            else { throw mistake("uid takes a number such as 1000, not \(shown(words[1]))") }
            subject = .uid(uid)
        default: throw mistake("it begins with user, uid or group, not with \(shown(kind))")
        }
        guard let access = Access(rawValue: words[2]) else {
            throw mistake("somebody is owner, editor or viewer, not \(shown(words[2]))")
        }
        if words.count == 3 { return Rule(line: number, subject: subject, access: access, trip: nil) }
        guard words[3] == "in" else {
            throw mistake("before the trip stands in, not \(shown(words[3]))")
        }
        let trip = TripReference(words[4])
        if case .slug(let slug) = trip, !TripHeader.isSlug(slug) {
            throw mistake("\(shown(slug)) is neither the slug nor the id of a trip; list tells them")
        }
        return Rule(line: number, subject: subject, access: access, trip: trip)
    }

    /// A word as a message has it.
    private static func shown(_ word: String) -> String {
        TextRule.visible(word.utf8.count <= 64 ? word : String(word.unicodeScalars.prefix(32)) + "…")
    }
}
