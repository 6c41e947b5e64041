import LocalSystem

/// What a run of a program has cost, counted by callgrind, which executes it itself: the same run costs the same again,
/// whatever else the machine does.
struct InstructionCount {
    /// Instructions of all threads.
    let instructions: Int
    /// Calls of `malloc` and its kin.
    let allocations: Int

    private static let allocators: Set = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign",
    ]

    /// Runs a program under callgrind to its end.
    ///
    /// - Parameter directory: where callgrind's file and its log go.
    /// - Throws: `usage` where there is no valgrind, `counted` where the program fails.
    init(of executable: String, _ arguments: [String], in directory: String) throws(BenchFailure) {
        guard let valgrind = ExecutablePath.find("valgrind", environment: .current) else {
            throw .usage("--scenario parts counts by valgrind, which is not to be found")
        }
        let (counts, log) = ("\(directory)/callgrind.out", "\(directory)/callgrind.log")
        for file in [counts, log] { try? RealFileSystem().unlink(file) }
        var plan = ChildProcess.Plan(
            valgrind, ["--tool=callgrind", "--callgrind-out-file=\(counts)", executable] + arguments)
        plan.environment = ProcessEnvironment.current.variables
        // Else each process hashes differently, and tables collide elsewhere.
        plan.environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        plan.input = .null
        plan.output = .null
        plan.error = .log(path: log)
        let started = plan
        let status = try failing { () throws(SystemError) in try ChildProcess(started).wait() }
        guard status == .exited(0) else {
            throw .counting(arguments.joined(separator: " "), log: try Self.text(of: log))
        }
        (instructions, allocations) = Self.read(try Self.text(of: counts))
    }

    private static func text(of file: String) throws(BenchFailure) -> String {
        let bytes = try failing { () throws(SystemError) in
            try OpenFile(file, .read, in: RealFileSystem()).readAll()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads callgrind's format: a function's name stands beside its number where it is met first, and `calls=` with a
    /// count behind the name of who is called.
    private static func read(_ text: String) -> (instructions: Int, allocations: Int) {
        var names: [Substring: Substring] = [:]
        var called: Substring = ""
        var (instructions, allocations) = (0, 0)
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if line.hasPrefix("totals:") || line.hasPrefix("summary:") {
                instructions =
                    line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? instructions
            }
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "fn", "cfn":
                let words = parts[1].split(separator: " ", maxSplits: 1)
                guard let number = words.first else { continue }
                if words.count == 2 { names[number] = words[1] }
                if parts[0] == "cfn" { called = names[number] ?? "" }
            case "calls" where allocators.contains(String(called)):
                allocations += parts[1].split(separator: " ").first.flatMap { Int($0) } ?? 0
            default: break
            }
        }
        return (instructions, allocations)
    }
}
