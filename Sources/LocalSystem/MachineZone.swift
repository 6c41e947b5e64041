import Foundation

/// The time zone of this machine.
package enum MachineZone {
    /// What `TZ` says where that is no zone with a name.
    package struct Unknown: Error, Equatable {
        /// The variable as it is.
        package let text: String
    }

    /// Its IANA name: what `TZ` says in one of the forms of POSIX, else the machine's setting; `UTC` where that has no
    /// name.
    ///
    /// - Parameter isKnown: whether the database has a name.
    package static func name(
        _ environment: ProcessEnvironment = .current, where isKnown: (String) -> Bool
    ) throws(Unknown) -> String {
        guard let given = environment.variables["TZ"] else {
            return isKnown(TimeZone.current.identifier) ? TimeZone.current.identifier : "UTC"
        }
        // A colon says that a name follows and no rule.
        let text = given.hasPrefix(":") ? String(given.dropFirst()) : given
        if text.isEmpty { return "UTC" }
        guard let name = names(in: text).first(where: isKnown) else { throw Unknown(text: given) }
        return name
    }

    /// The names that may be meant, the likeliest first.
    private static func names(in text: String) -> [String] {
        guard text.hasPrefix("/") else {
            return [text, withoutKind(text), fixedOffset(text)].compactMap { $0 }
        }
        // A file by another name may be a link to one of the database, as /etc/localtime is.
        return [text, PrivateFile.resolved(text)].compactMap(nameOfFile)
    }

    /// The name of the zone that a file of the database has, `Europe/Berlin` of `/usr/share/zoneinfo/Europe/Berlin`.
    private static func nameOfFile(_ path: String) -> String? {
        path.range(of: "/zoneinfo/").map { withoutKind(String(path[$0.upperBound...])) }
    }

    /// The database is there twice more, without leap seconds and with them.
    private static func withoutKind(_ name: String) -> String {
        for kind in ["posix/", "right/"] where name.hasPrefix(kind) {
            return String(name.dropFirst(kind.count))
        }
        return name
    }

    /// The database's name for a rule without summer time and with whole hours, `Etc/GMT-9` for `JST-9`.
    private static func fixedOffset(_ rule: String) -> String? {
        guard
            let match = rule.wholeMatch(
                of: /(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)([+-]?)(\d{1,2})(?::00){0,2}/),
            let hours = Int(match.2)
        else { return nil }
        return hours == 0 ? "UTC" : "Etc/GMT\(match.1 == "-" ? "-" : "+")\(hours)"
    }
}
