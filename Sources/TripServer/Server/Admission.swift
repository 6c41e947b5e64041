import LocalSystem
import TripModel
import TripProtocol

/// Who may connect.
struct Admission {
    fileprivate(set) var rules: AccessRules
    var listener: (any ConnectionSource)?
    fileprivate var refusals = Refusals()
    /// The number of connections whose accounts are being looked up.
    fileprivate(set) var arriving = 0

    init(rules: AccessRules) { self.rules = rules }
}

extension Server {

    /// Identifies the account of a new connection, and accepts or refuses it. On the loop.
    func admit(_ arrival: Arrival) {
        guard let user = arrival.userID else {
            return configuration.log(
                .warning("a connection is refused: the system does not report its user"))
        }
        guard connections.count + admission.arriving < WireLimits.connections else {
            let error = WireError.limit(
                "connections", max: WireLimits.connections,
                "the daemon has \(WireLimits.connections) connections, the maximum")
            return reject(arrival.channel, error)
        }
        if user == configuration.userID {
            return serve(arrival.channel, of: Opener(ownerNamed: configuration.account))
        }
        guard !admission.rules.isEmpty, let lookUp = configuration.lookUp else {
            logRefusal(of: "uid \(user)")
            return reject(arrival.channel, .accessDenied("uid \(user)"))
        }
        admission.arriving += 1
        let channel = arrival.channel
        lookUp(user) { [self] account in
            enter { server in
                server.admission.arriving -= 1
                if server.life == .running { server.admit(channel, of: account) }
            }
        }
    }

    private func admit(_ channel: any ByteChannel, of account: Account) {
        guard let rights = admission.rules.rights(of: account) else {
            let name = Opener.name(of: account)
            logRefusal(of: name, ": the file access has no rule for this account")
            return reject(channel, .accessDenied(name))
        }
        serve(channel, of: Opener(account, rights))
    }

    /// Limits the log lines about repeated refusals.
    private func logRefusal(of user: String, _ reason: String = "") {
        guard let more = admission.refusals.note(user, at: loop.now) else { return }
        let others = more == 0 ? "" : "; so were \(more) more since the last such warning"
        configuration.log(.warning("a connection of another user, \(user), is refused\(reason)\(others)"))
    }

    /// Sends the reason and closes the connection. One line fits into an empty socket buffer; the peer need
    /// not read it.
    private func reject(_ channel: any ByteChannel, _ error: WireError) {
        _ = try? channel.write(gathering: [ServerLine.error(nil, error)], skipping: 0)
    }

    // MARK: Changed rules

    /// Applies new access rules. Connections whose permissions change get `goodbye`, and learn their new
    /// permissions with their next `hello`. On the loop.
    package func apply(_ rules: AccessRules) {
        admission.rules = rules
        for connection in connections.values.sorted(by: { $0.id < $1.id }) {
            guard let account = connection.session.opener.account else { continue }
            let id = connection.id
            // The account's groups may have changed.
            configuration.lookUp?(account.userID) { [self] account in
                enter { $0.check(id, account) }
            }
        }
    }

    private func check(_ id: ConnectionID, _ account: Account) {
        guard let connection = connections[id], !connection.isEnding else { return }
        let opener = connection.session.opener
        if admission.rules.rights(of: account) == opener.rights, opener.name == Opener.name(of: account) {
            return
        }
        end(connection, .accessChanged)
    }
}
