import CommandLineKit
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel

/// `export TRIP [--format F] [-o FILE]`: a trip as a calendar, a table, a page, …
enum ExportCommand {
    private static let formats = FileFormat.allCases.map(\.rawValue)
    private static let formatOption = OptionRow.value(
        "--format", "F", "ics, csv, json, md, txt, html or gpx (from FILE's extension, else txt)",
        .oneOf(formats))
    private static let alarm = OptionRow.value(
        "--alarm", "TIME", "ics: an alarm this long before each item with a time, such as 90m")
    private static let output = OptionRow.value("-o", "FILE", "the file to write; replaced atomically", .file)

    static let command = Command(
        name: "export", summary: "write a trip as calendar, table, page or track",
        forms: ["TRIP [--format F] [-o FILE [--follow]]"], words: [.trip],
        options: [formatOption, output, ExportFollowing.option, PersonFilter.option, alarm],
        examples: [
            .init("export japan -o japan.ics", "a calendar for a phone"),
            .init("export japan -o japan.html", "a page to print"),
            .init("export japan --follow -o ~/Sync/japan.ics", "a calendar that stays up to date"),
            .init("export japan --format md | less", "text to read"),
        ],
        details: [
            "An existing FILE keeps its permissions. FILE may be a pipe. With --follow the file is",
            "replaced within a second of a change, also after the daemon has restarted.",
        ],
        exits: [.ioFailed: "the file could not be written; an existing one is unchanged"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let path = invocation.value(output).flatMap { $0 == "-" ? nil : $0 }
        let format = try format(
            invocation.value(formatOption) ?? (invocation.isJSON && path == nil ? "json" : nil), path)
        if invocation.has(ExportFollowing.option) {
            guard let path else { throw .usage("--follow needs -o FILE") }
            return try await ExportFollowing(invocation: invocation, format: format, path: path).run()
        }
        let client = try await invocation.reader()
        let trip = try await invocation.trip.snapshot(client, includingSourceValues: format == .json).trip
        let bytes = try text(of: trip, format, invocation)
        if format == .gpx, !trip.items.contains(where: { $0.content[.coordinate] != nil }) {
            invocation.note("no item has a coordinate, so the track is empty")
        }
        guard let path else { return StandardStream.output.write(bytes) }
        try write(bytes, to: path, invocation)
    }

    /// The trip in a format, as far as the options ask for.
    static func text(
        of trip: Trip, _ format: FileFormat, _ invocation: Invocation
    ) throws(CommandFailure) -> [UInt8] {
        let trip = try PersonFilter.trips([trip], invocation)[0]
        guard let text = invocation.value(alarm) else { return format.text(of: trip) }
        guard let minutes = TimeText.minutes(of: text), (0...TripLimits.durationMinutes).contains(minutes)
        else {
            throw .usage("--alarm is a time such as 90m or 1:30, not \(PlainText.visible(text))")
        }
        guard format == .ics else { throw .usage("--alarm is for calendars: --format ics") }
        return format.text(of: trip, alarmMinutes: minutes)
    }

    /// Writes the file atomically.
    static func write(
        _ bytes: [UInt8], to path: String, _ invocation: Invocation
    ) throws(CommandFailure) {
        do throws(ExportedFile.Failure) {
            try ExportedFile.write(bytes, to: path, timeout: invocation.caller.timeout)
        } catch {
            if error.isBrokenPipe { return }
            throw CommandFailure(
                "\(PlainText.visible(path)) could not be written: \(error.reason)",
                exitCode: .ioFailed)
        }
    }

    /// The format given by `--format`, else by the file's extension, else text.
    private static func format(_ named: String?, _ path: String?) throws(CommandFailure) -> FileFormat {
        guard let named else {
            guard let path else { return .txt }
            if let format = FileFormat(fileName: path) { return format }
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            guard let ending = FileFormat.ending(of: name) else { return .txt }
            throw .unknownFormat(ending, known: FileFormat.allCases)
        }
        guard let format = FileFormat(rawValue: named) else {
            let question = NearestSpelling.question(for: named, among: formats)
            throw .usage(
                "--format is one of \(formats.joined(separator: ", ")), not \(PlainText.visible(named))\(question)"
            )
        }
        return format
    }
}
