import TripModel

/// The result of checking a data directory.
package struct CheckReport: Equatable, Sendable {
    /// A problem or a note.
    package struct Problem: Equatable, Sendable, CustomStringConvertible {
        /// The path of the file.
        package let file: String
        /// The offset in the file in bytes; nil for the whole file.
        package let offset: Int?
        /// The description of the problem.
        package let message: String

        /// One line with the file, the offset and the message. File names are made printable.
        package var description: String {
            TextRule.visible(offset.map { "\(file), byte \($0): \(message)" } ?? "\(file): \(message)")
        }
    }

    /// The problems found.
    package internal(set) var problems: [Problem] = []
    /// Notes that are not problems.
    package internal(set) var notes: [Problem] = []
    /// The number of journals read.
    package internal(set) var trips = 0
    /// The number of their records.
    package internal(set) var records = 0
    /// Their size in bytes.
    package internal(set) var bytes = 0
    /// The process id of the daemon that uses the directory.
    package internal(set) var holder: Int32?

    mutating func problem(_ file: String, at offset: Int? = nil, _ message: String) {
        problems.append(Problem(file: file, offset: offset, message: message))
    }

    mutating func note(_ file: String, _ message: String) {
        notes.append(Problem(file: file, offset: nil, message: message))
    }

    /// The report for the user, one line per entry.
    package var text: String {
        var lines = problems.map { "problem: \($0)" } + notes.map { "note: \($0)" }
        let user = holder.map { ", in use by process \($0)" } ?? ""
        let verdict =
            switch problems.count {
            case 0: "no problem"
            case 1: "1 problem"
            default: "\(problems.count) problems"
            }
        lines.append(
            "\(trips) \(trips == 1 ? "trip" : "trips"), \(records) changes, \(bytes) bytes\(user): \(verdict)"
        )
        return lines.joined(separator: "\n")
    }
}
