import CommandLineKit
import LocalSystem
import TripMaintenance
import TripModel
import TripServer

/// The commands that check, copy and repair the data directory.
enum Maintenance {
    private static let exits: [ExitCode: String] = [
        .noInput: "no such trip or file", .unavailable: "a daemon is running; stop it first",
    ]
    private static let toVersion = OptionRow.value("--to-version", "N", "the trip as it was at version N")
    private static let slug = OptionRow.value("--as", "SLUG", "the slug of the restored trip")
    private static let newID = OptionRow.flag("--new-id", "a separate trip beside the original")
    private static let replace = OptionRow.flag(
        "--replace", "replace the original; a copy of its journal is kept")

    private static let keep = OptionRow.value("--keep", "N", "remove all but the newest N backups in DIR")

    static let backup = CommandRow(
        name: "backup", summary: "write all trips with their history to a new directory, as a backup",
        forms: ["DIR [--keep N] [--data DIR]"], words: [WordRow("DIR", .file)],
        options: [keep, DaemonProgram.data],
        examples: [.init("backup /mnt/backup --keep 14", "every night from cron")],
        details: [
            "A daemon may be running. The backup is a directory in DIR named after the time in UTC, such as",
            "2027-04-01T02-30-00Z, with a file for each trip, which is read back. It gets this name when it",
            "is complete; otherwise its name ends in .incomplete, and no older backup is removed.",
        ],
        exits: [.done: "every trip is in the backup", .refused: "a trip is missing, or there is none"])

    static let check = CommandRow(
        name: "check", summary: "check every file of every trip", forms: ["[--data DIR]"],
        options: [DaemonProgram.data],
        examples: [.init("check", "names each problem with its file and byte offset")],
        details: ["Changes nothing. A daemon may be running."],
        exits: [.done: "no problems", .refused: "problems were found", .unchecked: "the check failed"])

    static let export = CommandRow(
        name: "export", summary: "write a trip with its history to one file, as a backup",
        forms: ["TRIP [--out FILE] [--data DIR]"], words: [.trip],
        options: [DaemonProgram.out, DaemonProgram.data],
        examples: [.init("export japan --out japan.journal", "a backup of one trip")],
        details: [
            "A daemon may be running. FILE must not exist; without --out the file goes to standard",
            "output. It is text, and a checksum covers every byte.",
        ])

    static let restore = CommandRow(
        name: "restore", summary: "create a trip from a file of export or salvage, or all of a backup",
        forms: ["FILE [--to-version N] [--as SLUG] [--new-id | --replace] [--data DIR]"],
        words: [WordRow("FILE", .file)], options: [toVersion, slug, newID, replace, DaemonProgram.data],
        examples: [
            .init("restore japan.journal", "a trip that was deleted"),
            .init("restore /mnt/backup/2027-04-01T02-30-00Z", "all trips of a backup"),
            .init(
                "restore japan.journal --to-version 40 --as before --new-id", "an earlier version, beside it"),
        ],
        details: ["Stop the daemon first. Clients that had the trip open reload it."], exits: exits)

    static let salvage = CommandRow(
        name: "salvage", summary: "copy the readable part of a damaged trip to a file",
        forms: ["TRIP --out FILE [--data DIR]"], words: [.trip],
        options: [DaemonProgram.out, DaemonProgram.data],
        examples: [.init("salvage japan --out rest.journal", "then restore rest.journal --replace")],
        details: [
            "Writes everything before the damage and reports the rest. The journal is not changed.",
            "Stop the daemon first. FILE must not exist.",
        ], exits: exits)

    static let compact = CommandRow(
        name: "compact", summary: "rewrite journals without their history", forms: ["[TRIP] [--data DIR]"],
        words: [WordRow("TRIP", .trip, isRequired: false)], options: [DaemonProgram.data],
        examples: [.init("compact", "all trips")],
        details: [
            "The daemon compacts by itself. Stop the daemon first. Earlier versions can no longer be",
            "restored from a later export.",
        ], exits: exits)

    /// Runs a maintenance command and returns its exit code; nil for other commands.
    static func run(_ command: ParsedCommand) throws(UsageError) -> Int32? {
        let rows = [backup, check, export, restore, salvage, compact]
        guard rows.contains(where: { $0.name == command.row.name }) else { return nil }
        let directory = DataDirectory(try DataPlace.chosen(by: command))
        let word = command.words.first ?? ""
        let out = command.value(DaemonProgram.out)
        switch command.row.name {
        case backup.name:
            let count = try backupCount(command)
            if word.isEmpty { throw UsageError("DIR is empty") }
            return reporting { () throws(MaintenanceFailure) in
                try backup(to: word, keeping: count, of: directory)
            }
        case check.name: return check(directory)
        case export.name:
            return reporting { () throws(MaintenanceFailure) in try export(word, to: out, from: directory) }
        case salvage.name:
            guard let out else { throw UsageError("--out FILE is missing") }
            return reporting { () throws(MaintenanceFailure) in
                try directory.withLock { () throws(MaintenanceFailure) in
                    try salvage(word, to: out, from: directory)
                }
            }
        case restore.name:
            let options = try restoreOptions(command)
            return reporting { () throws(MaintenanceFailure) in
                try directory.create()
                return try directory.withLock { () throws(MaintenanceFailure) in
                    try restore(word, options, into: directory)
                }
            }
        default:
            return reporting { () throws(MaintenanceFailure) in
                try directory.withLock { () throws(MaintenanceFailure) in
                    try compact(command.words.first, in: directory)
                }
            }
        }
    }

    private static func reporting(_ body: () throws(MaintenanceFailure) -> Int32) -> Int32 {
        do throws(MaintenanceFailure) { return try body() } catch {
            StandardStream.error.print("itineraryd: \(TextRule.visible("\(error)"))")
            return error.exitCode
        }
    }

    private static func check(_ directory: DataDirectory) -> Int32 {
        do throws(MaintenanceFailure) {
            let report = try directory.check()
            StandardStream.output.print(report.text)
            return report.problems.isEmpty ? 0 : 1
        } catch {
            StandardStream.error.print("itineraryd: \(TextRule.visible("\(error)"))")
            return 2
        }
    }

    private static func export(
        _ name: String, to out: String?, from directory: DataDirectory
    ) throws(MaintenanceFailure) -> Int32 {
        let export = try directory.export(try directory.find(name))
        guard let out else {
            StandardStream.output.write(export.bytes)
            return 0
        }
        try directory.write(export.bytes, to: out)
        StandardStream.output.print("\(name) at version \(export.version) is in \(out)")
        return 0
    }

    private static func salvage(
        _ name: String, to out: String, from directory: DataDirectory
    ) throws(MaintenanceFailure) -> Int32 {
        let salvaged = try directory.salvage(try directory.find(name))
        try directory.write(salvaged.bytes, to: out)
        if let missing = salvaged.missing { StandardStream.error.print("itineraryd: \(missing)") }
        StandardStream.output.print("\(name) up to version \(salvaged.version) is in \(out)")
        return 0
    }

    private static func restoreOptions(_ command: ParsedCommand) throws(UsageError) -> DataDirectory.Restore {
        var options = DataDirectory.Restore()
        if let text = command.value(toVersion) {
            guard let version = Int(text), version > 0 else {
                throw UsageError("--to-version takes a version from 1, not \(UsageError.shown(text))")
            }
            options.version = version
        }
        options.slug = command.value(slug)
        options.hasNewID = command.has(newID)
        options.replaces = command.has(replace)
        if options.hasNewID, options.replaces {
            throw UsageError("--new-id and --replace exclude each other")
        }
        return options
    }

    private static func backupCount(_ command: ParsedCommand) throws(UsageError) -> Int? {
        guard let text = command.value(keep) else { return nil }
        guard let count = Int(text), count > 0 else {
            throw UsageError("--keep takes a number from 1, not \(UsageError.shown(text))")
        }
        return count
    }

    private static func backup(
        to folder: String, keeping count: Int?, of directory: DataDirectory
    ) throws(MaintenanceFailure) -> Int32 {
        let backup = try directory.backUp(to: folder, keeping: count, at: WallClock.nowMilliseconds)
        for reason in backup.missing {
            StandardStream.error.print("itineraryd: \(TextRule.visible("a trip is missing: \(reason)"))")
        }
        let trips = backup.tripCount == 1 ? "1 trip is" : "\(backup.tripCount) trips are"
        StandardStream.output.print("\(trips) in \(backup.path)")
        if backup.removedCount > 0 {
            StandardStream.output.print("older backups removed: \(backup.removedCount)")
        }
        return backup.missing.isEmpty ? ExitCode.done.rawValue : ExitCode.refused.rawValue
    }

    private static func restore(
        _ file: String, _ options: DataDirectory.Restore, into directory: DataDirectory
    ) throws(MaintenanceFailure) -> Int32 {
        var code: Int32 = 0
        let files = try directory.files(ofBackup: file)
        if files.count > 1, options.version != nil || options.slug != nil {
            throw .refused("--to-version and --as are for one trip; name its file in \(file)")
        }
        for file in files {
            do throws(MaintenanceFailure) {
                let restored = try directory.restore(file, options)
                StandardStream.output.print(
                    "\(restored.slug) is restored at version \(restored.version), as trip \(restored.trip)")
                if let copy = restored.copy {
                    StandardStream.output.print("the journal that it replaces is \(copy)")
                }
            } catch {
                StandardStream.error.print("itineraryd: \(TextRule.visible("\(error)"))")
                code = error.exitCode
            }
        }
        return code
    }

    private static func compact(
        _ name: String?, in directory: DataDirectory
    ) throws(MaintenanceFailure) -> Int32 {
        var code: Int32 = 0
        let trips = if let name { [try directory.find(name)] } else { try directory.list() }
        for trip in trips {
            do throws(MaintenanceFailure) {
                switch try directory.compact(trip) {
                case .compacted(from: let old, to: let new):
                    StandardStream.output.print("\(trip): from \(old) to \(new) bytes")
                case .left(let size): StandardStream.output.print("\(trip): \(size) bytes, left as it is")
                }
            } catch {
                StandardStream.error.print("itineraryd: \(error)")
                code = error.exitCode
            }
        }
        return code
    }
}

/// The data directory.
enum DataPlace {
    /// The directory of `--data`, else the default.
    ///
    /// - Throws: `UsageError` if the account has no home directory.
    static func chosen(by command: ParsedCommand) throws(UsageError) -> String {
        if let path = command.value(DaemonProgram.data) { return path }
        let environment = ProcessEnvironment.current
        guard let home = CurrentUser.home(environment: environment.variables) else {
            throw UsageError("there is no home directory for the trips; name a directory with --data")
        }
        return DefaultPaths(environment: environment.variables, userID: CurrentUser.id, home: home)
            .dataDirectory
    }
}
