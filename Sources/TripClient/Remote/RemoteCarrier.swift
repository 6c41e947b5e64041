import LocalSystem

/// The program that connects to another machine: ssh, or the value of `ITINERARYD_SSH`.
final class RemoteCarrier: Sendable {
    private let host: DaemonAddress.Host
    private let child: ChildProcess

    /// Whether the program may write to standard error and ask for a password.
    enum Audience: Sendable {
        /// It may use this process's terminal.
        case person
        /// It may not: its output would damage the screen.
        case nobody
    }

    /// The timeout for a program to exit after closing its end.
    private static let timeout = Duration.milliseconds(300)

    /// Starts the program.
    ///
    /// - Returns: the carrier, and the socket for writing and reading lines.
    static func start(
        _ host: DaemonAddress.Host, for audience: Audience
    ) throws(ClientError) -> (carrier: RemoteCarrier, socket: Int32) {
        let environment = ProcessEnvironment.current
        let program = environment.nonEmpty("ITINERARYD_SSH") ?? "ssh"
        guard let path = ExecutablePath.find(program, environment: environment) else {
            throw .unreachable("\(host) cannot be reached: there is no program \(program)")
        }
        do throws(SystemError) {
            let (near, far) = try UnixSocket.pair().release()
            let ours = Descriptor(owning: near, kind: .socket)
            let theirs = Descriptor(owning: far, kind: .socket)
            try theirs.setNonBlocking(false)
            var plan = ChildProcess.Plan(path, host.arguments)
            plan.environment = environment.variables
            plan.input = .descriptor(theirs.rawValue)
            plan.output = .descriptor(theirs.rawValue)
            if audience == .nobody {
                plan.isInNewSession = true
                plan.error = .null
            }
            let child = try ChildProcess(plan)
            StartedChildren.add(child)
            return (RemoteCarrier(host, child), ours.release())
        } catch {
            throw .unreachable("\(host) cannot be reached: \(error)")
        }
    }

    private init(_ host: DaemonAddress.Host, _ child: ChildProcess) {
        self.host = host
        self.child = child
    }

    deinit {
        // Its input has ended already; a program that hangs in the network is terminated, too.
        child.kill(Signals.terminate)
    }

    /// The reason why the connection ended, from the program's exit status.
    var ending: ClientError {
        switch child.end(within: Self.timeout) {
        case .exited(0)?, nil: .closed(nil)
        case .exited(127)?: .unreachable("\(host) has no itineraryd that can be run")
        case .exited(let code)?: .unreachable("the connection to \(host) ended with exit code \(code)")
        case .signalled(let signal)?: .unreachable("the connection to \(host) was ended by signal \(signal)")
        }
    }
}
