import LocalSystem

/// A command line that the shell runs.
enum ShellCommand {
    /// Runs a command and waits for its end; its output goes to this program's.
    static func run(_ command: String, input: [UInt8]) throws(SystemError) -> ChildProcess.ExitStatus {
        let ends = try Pipe().release()
        let writing = Descriptor(owning: ends.writing)
        let child = try start(command, reading: Descriptor(owning: ends.reading))
        feed(input, to: writing)
        return try child.wait()
    }

    private static func start(
        _ command: String, reading: consuming Descriptor
    ) throws(SystemError) -> ChildProcess {
        var plan = ChildProcess.Plan("/bin/sh", ["-c", command])
        plan.environment = ProcessEnvironment.current.variables
        plan.input = .descriptor(reading.rawValue)
        return try ChildProcess(plan)
    }

    /// Writes the input and closes the pipe. The command may end without reading it.
    private static func feed(_ input: [UInt8], to pipe: consuming Descriptor) {
        var rest = input
        while !rest.isEmpty {
            guard case .wrote(let count)? = try? pipe.write(rest) else { return }
            rest.removeFirst(count)
        }
    }

    /// `exit code 3` or `signal 15`
    static func text(of status: ChildProcess.ExitStatus) -> String {
        switch status {
        case .exited(let code): "exit code \(code)"
        case .signalled(let signal): "signal \(signal)"
        }
    }
}
