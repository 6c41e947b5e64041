import LocalSystem

/// The scenario and its duration.
struct BenchOptions {
    enum Scenario: String {
        /// A trip of 200 items with 2 watchers, compared with the raw floors.
        case standard
        /// Larger trips and more watchers: the cost of a move must grow only with the sent bytes.
        case big
        /// Thousands of trips on disk: the cost of a start, and the used memory.
        case many
        /// The cost of a move for growing numbers of items, trips, watchers and changes.
        case growth
        /// Parts of the work, in instructions.
        case parts
    }

    static let usage = """
        usage: bench [--scenario standard|big|many|growth|parts] [--rounds N] [--seconds S] [--itineraryd PATH]
                     [--directory DIR] [--json | --svg]

          --rounds N         how often everything is measured; medians are printed (default 5; big and growth: 3;
                             parts are counted, and the same each time)
          --seconds S        how long each throughput run lasts; latencies take half of it (default 2; big and
                             growth: 1)
          --svg              draws what growth has measured; the tables go to standard error
          --itineraryd PATH  the daemon (default: the one beside this program)
          --directory DIR    where the daemon's data goes: the disk decides what a sync costs
                             (default: TMPDIR, else /tmp)

        Linux: under "taskset -c 0" the daemon and the load share one core; waking another one then costs nothing,
        and ratios repeat best.
        """

    let scenario: Scenario
    let rounds: Int
    let seconds: Double
    let daemon: String
    let directory: String
    let isJSON: Bool
    let isPicture: Bool
    /// The part that this process runs while another one counts; not for users.
    let part: RepeatedPart?

    /// Parses a command line without the program's name; nil if help is requested.
    init?(_ words: [String]) throws(BenchFailure) {
        var arguments = Arguments(words)
        if arguments.flag("--help", "-h") { return nil }
        isJSON = arguments.flag("--json")
        isPicture = arguments.flag("--svg")
        let texts: (scenario: String?, rounds: String?, seconds: String?, daemon: String?, directory: String?)
        let repeated: (part: String?, times: String?)
        do throws(Arguments.UsageError) {
            texts = (
                try arguments.option("--scenario"), try arguments.option("--rounds"),
                try arguments.option("--seconds"), try arguments.option("--itineraryd"),
                try arguments.option("--directory")
            )
            repeated = (try arguments.option("--part"), try arguments.option("--times"))
            try arguments.finish()
        } catch {
            throw .usage("\(error)\n\n\(Self.usage)")
        }
        guard let scenario = Scenario(rawValue: texts.scenario ?? "standard") else {
            throw .usage("--scenario is standard, big, many, growth or parts")
        }
        if isPicture, scenario != .growth { throw .usage("--svg draws the scenario growth") }
        part = repeated.part.flatMap { Part(rawValue: $0) }
            .flatMap { part in repeated.times.flatMap { Int($0) }.map { RepeatedPart(part: part, times: $0) }
            }
        let isBig = scenario == .big || scenario == .growth
        guard let rounds = Int(texts.rounds ?? (isBig ? "3" : "5")), (1...1000).contains(rounds) else {
            throw .usage("--rounds is a number from 1 to 1000")
        }
        guard let seconds = Double(texts.seconds ?? (isBig ? "1" : "2")), (0.01...3600).contains(seconds)
        else { throw .usage("--seconds is a number from 0.01 to 3600") }
        guard let daemon = texts.daemon ?? Self.daemonBesideThis else {
            throw .usage(
                "this system does not report the path of the program; name the daemon with --itineraryd")
        }
        self.scenario = scenario
        self.rounds = rounds
        self.seconds = seconds
        self.daemon = daemon
        directory = texts.directory ?? ProcessEnvironment.current.nonEmpty("TMPDIR") ?? "/tmp"
    }

    private static var daemonBesideThis: String? {
        guard let path = ExecutablePath.current, let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + "itineraryd"
    }
}
