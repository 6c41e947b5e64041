import LocalSystem

/// Opens URLs with the system's opener.
enum LinkOpener {
    #if canImport(Darwin)
    private static let names = ["open"]
    #else
    private static let names = ["xdg-open", "wslview"]
    #endif

    /// Starts the opener without a shell and in a session of its own, so that it outlives the editor. Does
    /// not wait for it.
    ///
    /// - Parameter failed: called with the reason if the program fails.
    /// - Throws: `CommandFailure` if the URL is not for a browser or a mail program, or if there is no
    ///   opener.
    static func open(
        _ address: String, _ environment: ProcessEnvironment, failed: @escaping @Sendable (String) -> Void
    ) throws(CommandFailure) {
        let schemes = ["http://", "https://", "mailto:"]
        guard schemes.contains(where: address.lowercased().hasPrefix) else {
            throw CommandFailure(
                "only http, https and mailto are opened", exitCode: .refused)
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
                exitCode: .unavailable)
        }
        var plan = ChildProcess.Plan(program, [address])
        plan.environment = environment.variables
        plan.isInNewSession = true
        plan.input = .null
        plan.output = .null
        plan.error = .null
        let name = program.split(separator: "/").last ?? ""
        do throws(SystemError) {
            StartedChildren.add(try ChildProcess(plan)) { status in
                if status != .exited(0) { failed("\(name) could not open \(address)") }
            }
        } catch {
            throw CommandFailure("\(program): \(error)", exitCode: .unavailable)
        }
    }
}
