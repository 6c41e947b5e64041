import CommandLineKit
import LocalSystem
import TripProtocol

@main
struct Itineraryd {
    static func main() async {
        // Must come first: if standard error is closed, the first opened file would get its number, and the
        // log.
        StandardStream.occupy()
        let program = DaemonProgram.description
        do throws(UsageError) {
            switch try CommandLineParser.request(Array(CommandLine.arguments.dropFirst()), for: program) {
            case .help(let row?): StandardStream.output.print(HelpText.text(of: row, in: program))
            case .help(nil): StandardStream.output.print(HelpText.general(of: program))
            case .version:
                StandardStream.output.print(
                    "itineraryd \(ProtocolVersion.program), protocol \(ProtocolVersion.current)")
            case .run(let command): try await run(command)
            }
        } catch {
            let hint = "; itineraryd --help explains the commands"
            let message = error.description + (error.description.contains("itineraryd ") ? "" : hint)
            StandardStream.error.print("itineraryd: \(message)")
            ProcessExit.now(ExitCode.usage.rawValue)
        }
    }

    private static func run(_ command: ParsedCommand) async throws(UsageError) {
        if let code = try Maintenance.run(command) { ProcessExit.now(code) }
        switch command.row.name {
        case ServeCommand.row.name: try ServeCommand.run(command)
        case DialStdio.row.name: try await DialStdio(command).run()
        default: StandardStream.output.print(try DaemonProgram.documentation(command))
        }
    }
}
