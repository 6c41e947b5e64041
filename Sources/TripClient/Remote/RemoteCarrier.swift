import LocalSystem

/// The program that carries a connection's lines to another machine, ssh or what `ITINERARYD_SSH` names.
final class RemoteCarrier: Sendable {
    private let host: RemoteHost
    private let child: ChildProcess

    /// Who hears what the program says on its standard error, and whom it may ask for a password.
    enum Audience: Sendable {
        /// Whoever started this process.
        case person
        /// Nobody: there is a screen that it would write into.
        case nobody
    }

    /// How long a program that has closed its end may take until it has ended.
    private static let patience = Duration.milliseconds(300)

    /// Starts it.
    ///
    /// - Returns: it, and the socket to write lines into and to read them from.
    static func start(
        _ host: RemoteHost, for audience: Audience
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

    private init(_ host: RemoteHost, _ child: ChildProcess) {
        self.host = host
        self.child = child
    }

    deinit {
        // It has the end of its input already; one that hangs in the network goes too.
        child.kill(Signals.terminate)
    }

    /// Why the connection ended, once it has: a program that failed has said so, if not to whom.
    var ending: ClientError {
        switch child.end(within: Self.patience) {
        case .exited(0)?, nil: .closed(nil)
        case .exited(127)?: .unreachable("\(host) has no itineraryd that can be run")
        case .exited(let code)?: .unreachable("the connection to \(host) ended with exit code \(code)")
        case .signalled(let signal)?: .unreachable("the connection to \(host) was ended by signal \(signal)")
        }
    }
}
