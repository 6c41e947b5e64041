import LocalSystem

/// A benchmark of the daemon, run by hand: it prints times and their raw floors, measured in the same rounds.
@main
struct Bench {
    static func main() {
        Signals.ignoreBrokenPipe()
        do throws(BenchFailure) {
            guard let options = try BenchOptions(Array(CommandLine.arguments.dropFirst())) else {
                return StandardStream.output.print(BenchOptions.usage)
            }
            if let part = options.part {
                return try part.run(in: options.directory)
            }
            let scratch = try ScratchDirectory(in: options.directory)
            let report =
                switch options.scenario {
                case .standard: try StandardScenario(options: options, directory: scratch.path).run()
                case .many: try ManyScenario(options: options, directory: scratch.path).run()
                case .big: try BigScenario(options: options, directory: scratch.path).run()
                case .growth: try GrowthScenario(options: options, directory: scratch.path).run()
                case .parts: try PartsScenario(options: options, directory: scratch.path).run()
                }
            if options.isPicture, let picture = report.picture {
                StandardStream.output.print(picture.svg())
                StandardStream.error.print(report.text())
            } else if options.isJSON {
                StandardStream.output.write(report.json())
            } else {
                StandardStream.output.print(report.text())
            }
        } catch {
            StandardStream.error.print("bench: \(error)")
            if case .usage = error { ProcessExit.now(64) }
            ProcessExit.now(1)
        }
    }
}
