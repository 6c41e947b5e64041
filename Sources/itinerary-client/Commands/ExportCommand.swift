import LocalSystem
import ScheduleFiles
import TripClient

/// `export TRIP [--format F] [-o FILE]`: a trip as a calendar, a table, a page, …
enum ExportCommand {
    private static let formats = FileFormat.allCases.map(\.rawValue)
    private static let formatOption = OptionRow.value(
        "--format", "F", "ics, csv, json, md, txt, html or gpx; else FILE's name tells, else txt",
        .oneOf(formats))
    private static let output = OptionRow.value("-o", "FILE", "into a file, all or nothing", .file)

    static let row = CommandRow(
        name: "export", summary: "write a trip as a calendar, a table, a page or a track",
        forms: ["TRIP [--format F] [-o FILE]"], words: [.trip], options: [formatOption, output],
        examples: [
            .init("export japan -o japan.ics", "for a phone's calendar"),
            .init("export japan -o japan.html", "to print"),
            .init("export japan --format md | less", "to read"),
        ],
        details: [
            "A new FILE has the mode that the umask leaves, and an older one keeps its own. What is no file, such as",
            "a pipe, is written into.",
        ],
        exits: [.ioFailed: "the file could not be written; an older one is as it was"], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let path = invocation.value(output).flatMap { $0 == "-" ? nil : $0 }
        let format = try format(invocation.value(formatOption), path)
        let client = try await asking { () async throws(ClientError) in
            try await invocation.caller.connect(role: .viewer).client
        }
        let bytes = format.text(of: try await invocation.trip.snapshot(client).trip)
        guard let path else { return StandardStream.output.write(bytes) }
        do throws(ExportedFile.Failure) {
            try ExportedFile.write(bytes, to: path, patience: invocation.caller.timeout)
        } catch {
            if error.isBrokenPipe { return }
            throw CommandFailure(
                "\(PlainText.visible(path)) could not be written: \(error.reason)",
                exitCode: CommandFailure.ioFailed)
        }
    }

    /// The format that is asked for, else that of the file's name, else text.
    private static func format(_ named: String?, _ path: String?) throws(CommandFailure) -> FileFormat {
        guard let named else { return path.flatMap(FileFormat.init(fileName:)) ?? .txt }
        guard let format = FileFormat(rawValue: named) else {
            let question = NearestSpelling.question(for: named, among: formats)
            throw .usage(
                "--format is one of \(formats.joined(separator: ", ")), not \(PlainText.visible(named))\(question)"
            )
        }
        return format
    }
}
