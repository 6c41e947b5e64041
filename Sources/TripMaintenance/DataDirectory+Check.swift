import LocalSystem
import TripJournal
import TripModel
import TripServer

extension DataDirectory {
    /// Checks all files without changing them, even beside a running daemon.
    ///
    /// - Throws: if the check cannot run.
    package func check() throws(MaintenanceFailure) -> CheckReport {
        var report = CheckReport()
        report.holder = DirectoryLock.holder(of: path)?.process
        let isInUse = report.holder != nil
        let files = store.fileSystem
        guard let status = try system({ () throws(SystemError) in try files.status(path) }),
            status.kind == .directory
        else { throw .unavailable("\(path) is not a directory") }
        checkMode(of: path, status, &report)
        for name in try names(in: path) where !Self.ownNames.contains(name) && !name.hasPrefix("person-") {
            report.problem(path + "/" + name, "it is not one of the daemon's files")
        }
        if try system({ () throws(SystemError) in try files.status(path + "/access") }) != nil {
            let access = AccessSource(in: path, own: status.owner)
            do throws(AccessFailure) { _ = try access.read() } catch {
                report.problem(access.path, "\(error)")
            }
        }
        guard try system({ () throws(SystemError) in try files.status(store.tripsDirectory) }) != nil else {
            return report
        }
        var slugs: [String: TripID] = [:]
        for name in try names(in: store.tripsDirectory) {
            let directory = store.tripsDirectory + "/" + name
            if let trip = TripID(name) {
                guard let slug = checkTrip(trip, isInUse: isInUse, &report) else { continue }
                if let other = slugs.updateValue(trip, forKey: slug) {
                    report.problem(directory, "it has the slug \(slug), and so has trip \(other)")
                }
            } else if DeletedDirectory(name: name) != nil {
                // It is kept for some time, but not served.
            } else if Self.isLeftover(name) {
                if !isInUse {
                    report.note(directory, "it was only partly created or deleted; the next start removes it")
                }
            } else {
                report.problem(directory, "it is not a trip")
            }
        }
        return report
    }

    private static let ownNames: Set = [
        "lock", "person", "catalogue", "catalogue.tmp", "catalogue.damaged", "lineage", "lineage.tmp",
        "trips", "access",
    ]

    private static func isLeftover(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && (parts[1] == "tmp" || parts[1] == "deleted")
            && TripID(String(parts[0])) != nil
    }

    private func names(in directory: String) throws(MaintenanceFailure) -> [String] {
        try system { () throws(SystemError) in try store.fileSystem.list(directory).sorted() }
    }

    private func checkMode(of path: String, _ status: FileStatus, _ report: inout CheckReport) {
        guard status.mode & 0o077 != 0 else { return }
        report.problem(
            path, "its mode is \(String(status.mode, radix: 8)); accounts other than its owner can access it")
    }

    /// Returns the trip's slug if it is readable.
    private func checkTrip(_ trip: TripID, isInUse: Bool, _ report: inout CheckReport) -> String? {
        let directory = store.directory(of: trip)
        do throws(SystemError) {
            guard let status = try store.fileSystem.status(directory) else { return nil }
            guard status.kind == .directory else {
                report.problem(directory, "it is not a directory")
                return nil
            }
            checkMode(of: directory, status, &report)
            for name in try store.fileSystem.list(directory).sorted() where name != "journal" {
                let file = directory + "/" + name
                switch JournalStore.kind(of: name) {
                case .copy: report.note(file, "it is the copy of a journal that was replaced")
                case .draft:
                    if !isInUse { report.note(file, "it was only partly written; the next start removes it") }
                case .other: report.problem(file, "it is not one of the daemon's files")
                }
            }
            let journal = store.journal(of: trip)
            guard let status = try store.fileSystem.status(journal) else {
                // A daemon may have deleted the trip since its name was read.
                if try store.fileSystem.status(directory) != nil {
                    report.problem(journal, "there is no journal")
                }
                return nil
            }
            guard status.kind == .regular else {
                report.problem(journal, "it is not a regular file")
                return nil
            }
            checkMode(of: journal, status, &report)
            return checkJournal(journal, of: trip, try store.readFile(journal), isInUse: isInUse, &report)
        } catch {
            report.problem(directory, "it cannot be read: \(error)")
            return nil
        }
    }

    /// Checks a journal's bytes without I/O.
    private func checkJournal(
        _ file: String, of trip: TripID, _ bytes: [UInt8], isInUse: Bool, _ report: inout CheckReport
    ) -> String? {
        report.trips += 1
        report.bytes += bytes.count
        let readable: JournalContents
        switch JournalRecovery(JournalScanner.scan(bytes), of: trip) {
        case .refuse(let lowestReader):
            report.problem(file, at: 0, "it needs an itineraryd that reads format \(lowestReader)")
            return nil
        case .quarantine(let damage):
            report.problem(file, at: damage.offset, "it is damaged: \(damage.sentence)")
            return nil
        case .use(let contents): readable = contents
        case .cutTail(let contents, let tail):
            readable = contents
            // Beside a running daemon the end of the file is a write in progress.
            if !isInUse {
                report.problem(
                    file, at: tail.offset,
                    "its end is incomplete; the next start keeps a copy and removes \(bytes.count - tail.offset) bytes"
                )
            }
        }
        report.records += readable.entries.count
        do throws(ReplayFailure) {
            return try TripReplay(OpenedJournal(readable, in: bytes)).trip.header.slug
        } catch {
            let entry = readable.entries.first { $0.version == error.version }
            report.problem(
                file, at: entry?.offset ?? 0, "version \(error.version) is invalid: \(error.message)")
            return nil
        }
    }
}

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
