import LocalSystem

/// Counts parts of the work: instructions and allocations, which are reproducible for a commit and so
/// comparable between two.
struct PartsScenario {
    let options: BenchOptions
    let directory: String

    func run() throws(BenchFailure) -> Report {
        guard let program = ExecutablePath.current else {
            throw .usage("this system does not report the path of the program")
        }
        let data = try RecordedJournal.make(by: options.daemon, in: directory)
        var table = Table(name: "a piece", columns: ["instructions", "allocations"])
        for part in Part.allCases {
            let once = try count(part, part.repetitions, program, data)
            let twice = try count(part, 2 * part.repetitions, program, data)
            let times = Double(part.repetitions)
            let allocations = Double(twice.allocations - once.allocations) / times
            table.rows.append(
                (
                    part.title,
                    [
                        .init(Double(twice.instructions - once.instructions) / times),
                        .init(allocations, decimals: allocations < 100 ? 1 : 0),
                    ]
                ))
        }
        return Report(
            title: "itineraryd, parts; counted by callgrind",
            tables: [table],
            notes: [
                "Each is what a piece more costs: a run that does it twice as often, less one, without what prepares "
                    + "it.",
                "read back: what `itineraryd check` does, of which reading the file is a part; a start does the same "
                    + "for a trip that is opened.",
            ])
    }

    private func count(
        _ part: Part, _ times: Int, _ program: String, _ data: String
    ) throws(BenchFailure) -> InstructionCount {
        let arguments = ["--part", part.rawValue, "--times", "\(times)", "--directory", data]
        return try InstructionCount(of: program, arguments, in: directory)
    }
}
