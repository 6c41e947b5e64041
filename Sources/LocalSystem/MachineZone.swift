import Foundation

/// The time zone of this machine.
package enum MachineZone {
    /// The value of `TZ` is not a known zone.
    package struct Unknown: Error, Equatable {
        /// The value of the variable.
        package let text: String
    }

    /// The IANA name of the zone: the value of `TZ` in one of the POSIX forms, otherwise the machine's
    /// setting; `UTC` if that has no name.
    ///
    /// - Parameter isKnown: whether the database has a name.
    package static func name(
        _ environment: ProcessEnvironment = .current, where isKnown: (String) -> Bool
    ) throws(Unknown) -> String {
        guard let given = environment.variables["TZ"] else {
            return isKnown(TimeZone.current.identifier) ? TimeZone.current.identifier : "UTC"
        }
        // After a colon follows a name, not a rule.
        let text = given.hasPrefix(":") ? String(given.dropFirst()) : given
        if text.isEmpty { return "UTC" }
        guard let name = names(in: text).first(where: isKnown) else { throw Unknown(text: given) }
        return name
    }

    /// The candidates for the name, the most likely first.
    private static func names(in text: String) -> [String] {
        guard text.hasPrefix("/") else {
            return [text, withoutKind(text), fixedOffset(text)].compactMap { $0 }
        }
        // Another file may be a link into the database, as /etc/localtime is.
        return [text, PrivateFile.resolved(text)].compactMap(nameOfFile)
    }

    /// The zone of a file in the database, `Europe/Berlin` for `/usr/share/zoneinfo/Europe/Berlin`.
    private static func nameOfFile(_ path: String) -> String? {
        path.range(of: "/zoneinfo/").map { withoutKind(String(path[$0.upperBound...])) }
    }

    /// The database has two more copies, without leap seconds and with them.
    private static func withoutKind(_ name: String) -> String {
        for kind in ["posix/", "right/"] where name.hasPrefix(kind) {
            return String(name.dropFirst(kind.count))
        }
        return name
    }

    /// The database's name for a rule with whole hours and without summer time, `Etc/GMT-9` for `JST-9`.
    private static func fixedOffset(_ rule: String) -> String? {
        guard
            let match = rule.wholeMatch(
                of: /(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)([+-]?)(\d{1,2})(?::00){0,2}/),
            let hours = Int(match.2)
        else { return nil }
        return hours == 0 ? "UTC" : "Etc/GMT\(match.1 == "-" ? "-" : "+")\(hours)"
    }
}
