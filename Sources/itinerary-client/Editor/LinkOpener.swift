import LocalSystem

/// Has the system's own program show an address.
enum LinkOpener {
    #if canImport(Darwin)
    private static let names = ["open"]
    #else
    private static let names = ["xdg-open", "wslview"]
    #endif

    /// Starts the program, without a shell, in a session of its own, so that it outlives the editor; nobody waits for it.
    ///
    /// - Throws: `CommandFailure` where the address is of another kind than a browser or a mail program shows, or where
    ///   there is no such program.
    static func open(_ address: String, _ environment: ProcessEnvironment) throws(CommandFailure) {
        let schemes = ["http://", "https://", "mailto:"]
        guard schemes.contains(where: address.lowercased().hasPrefix) else {
            throw CommandFailure(
                "only http, https and mailto are opened", exitCode: CommandFailure.refused)
        }
        let folders = (environment.nonEmpty("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        let paths = names.flatMap { name in folders.map { "\($0)/\(name)" } }
        guard
            let program = paths.first(where: { path in
                path.hasPrefix("/") && (try? FileStatus.ofPath(path)) ?? nil != nil
            })
        else {
            throw CommandFailure(
                "there is no \(names[0]) on this machine to open \(address)",
                exitCode: CommandFailure.unavailable)
        }
        var plan = ChildProcess.Plan(program, [address])
        plan.environment = environment.variables
        plan.isInNewSession = true
        plan.input = .null
        plan.output = .null
        plan.error = .null
        do throws(SystemError) { StartedChildren.add(try ChildProcess(plan)) } catch {
            throw CommandFailure("\(program): \(error)", exitCode: CommandFailure.unavailable)
        }
    }
}
