import LocalSystem

/// The cost of a program's run, counted by callgrind. It emulates the program, so equal runs have equal
/// counts, independent of other load.
struct InstructionCount {
    /// Instructions of all threads.
    let instructions: Int
    /// Calls of `malloc` and similar functions.
    let allocations: Int

    private static let allocators: Set = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign",
    ]

    /// Runs a program under callgrind to its end.
    ///
    /// - Parameter directory: for callgrind's file and log.
    /// - Throws: `usage` if there is no valgrind, `counting` if the program fails.
    init(of executable: String, _ arguments: [String], in directory: String) throws(BenchFailure) {
        guard let valgrind = ExecutablePath.find("valgrind", environment: .current) else {
            throw .usage("--scenario parts counts by valgrind, which is not to be found")
        }
        let (counts, log) = ("\(directory)/callgrind.out", "\(directory)/callgrind.log")
        for file in [counts, log] { try? RealFileSystem().unlink(file) }
        var plan = ChildProcess.Plan(
            valgrind, ["--tool=callgrind", "--callgrind-out-file=\(counts)", executable] + arguments)
        plan.environment = ProcessEnvironment.current.variables
        // Without this, hashes and collisions differ between processes.
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

    /// Parses callgrind's format: a function's name is given with its number at its first occurrence, and
    /// `calls=` with a count follows the callee's name.
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
