import LocalSystem
import TripModel
import TripServer

/// The commands that look after the trips' files.
enum Maintenance {
    /// What they are called, each with its help.
    static let commands = [
        "check": Usage.check, "export": Usage.export, "restore": Usage.restore, "salvage": Usage.salvage,
        "compact": Usage.compact,
    ]

    /// Carries out a command; returns the exit code.
    static func run(_ command: String, _ arguments: inout Arguments) throws(Arguments.UsageError) -> Int32 {
        let directory: DataDirectory
        if let path = try arguments.option("--data") {
            directory = DataDirectory(path)
        } else {
            directory = DataDirectory(try DataPlace.standard())
        }
        switch command {
        case "check":
            try arguments.finish()
            return check(directory)
        case "export":
            let out = try arguments.option("--out")
            let trip = try arguments.word(named: "a trip")
            try arguments.finish()
            return reporting { () throws(MaintenanceFailure) in try export(trip, to: out, from: directory) }
        case "salvage":
            guard let out = try arguments.option("--out") else { throw .init("--out FILE is missing") }
            let trip = try arguments.word(named: "a trip")
            try arguments.finish()
            return reporting { () throws(MaintenanceFailure) in
                try directory.withLock { () throws(MaintenanceFailure) in
                    try salvage(trip, to: out, from: directory)
                }
            }
        case "restore":
            let options = try restoreOptions(&arguments)
            let file = try arguments.word(named: "a file")
            try arguments.finish()
            return reporting { () throws(MaintenanceFailure) in
                try directory.withLock { () throws(MaintenanceFailure) in
                    try restore(file, options, into: directory)
                }
            }
        default:
            let trip = arguments.word()
            try arguments.finish()
            return reporting { () throws(MaintenanceFailure) in
                try directory.withLock { () throws(MaintenanceFailure) in try compact(trip, in: directory) }
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

    private static func restoreOptions(
        _ arguments: inout Arguments
    ) throws(Arguments.UsageError) -> DataDirectory.Restore {
        var options = DataDirectory.Restore()
        if let text = try arguments.option("--to-version") {
            guard let version = Int(text), version > 0 else {
                throw .init("--to-version takes a version from 1, not \(text)")
            }
            options.version = version
        }
        options.slug = try arguments.option("--as")
        options.hasNewID = arguments.flag("--new-id")
        options.replaces = arguments.flag("--replace")
        if options.hasNewID, options.replaces { throw .init("--new-id and --replace exclude each other") }
        return options
    }

    private static func restore(
        _ file: String, _ options: DataDirectory.Restore, into directory: DataDirectory
    ) throws(MaintenanceFailure) -> Int32 {
        let restored = try directory.restore(file, options)
        StandardStream.output.print(
            "\(restored.slug) is there at version \(restored.version), as trip \(restored.trip)")
        if let copy = restored.copy { StandardStream.output.print("the journal that it replaces is \(copy)") }
        return 0
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

/// Where the trips are kept when nobody says where.
enum DataPlace {
    /// - Throws: `UsageError` where there is no home directory to keep them in.
    static func standard() throws(Arguments.UsageError) -> String {
        let environment = ProcessEnvironment.current
        guard let home = CurrentUser.home(environment: environment.variables) else {
            throw .init("there is no home directory to keep trips in; name a place with --data")
        }
        return DefaultPaths(environment: environment.variables, userID: CurrentUser.id, home: home)
            .dataDirectory
    }
}
