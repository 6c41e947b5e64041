import TripModel

/// What a look at a data directory has found.
package struct CheckReport: Equatable, Sendable {
    /// Something that is not as it should be.
    package struct Problem: Equatable, Sendable, CustomStringConvertible {
        /// The path of the file.
        package let file: String
        /// Where in the file, in bytes; nil where it is about the whole.
        package let offset: Int?
        /// What is wrong.
        package let message: String

        /// One line: the file, the place in it, and what is wrong. Names of files are others' to choose.
        package var description: String {
            TextRule.visible(offset.map { "\(file), byte \($0): \(message)" } ?? "\(file): \(message)")
        }
    }

    /// What is not as it should be.
    package internal(set) var problems: [Problem] = []
    /// What is worth knowing and no problem.
    package internal(set) var notes: [Problem] = []
    /// Journals that were read.
    package internal(set) var trips = 0
    /// Their records.
    package internal(set) var records = 0
    /// Their size in bytes.
    package internal(set) var bytes = 0
    /// The daemon that uses the directory at this moment.
    package internal(set) var holder: Int32?

    mutating func problem(_ file: String, at offset: Int? = nil, _ message: String) {
        problems.append(Problem(file: file, offset: offset, message: message))
    }

    mutating func note(_ file: String, _ message: String) {
        notes.append(Problem(file: file, offset: nil, message: message))
    }

    /// For a person, a line each.
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
