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

/// The access of connections to trips.
extension Server {
    /// The access to a trip; nil if the trip is invisible.
    func access(_ rights: Rights, to trip: TripID) -> Access? {
        rights.access(inTripCalled: rights.isUniform ? [] : directory.names(of: trip))
    }

    /// The access to a deleted trip; nil if the trip is invisible. A rule about a slug applies to the trip that has
    /// the slug now.
    func access(_ rights: Rights, to deleted: TrashedTrip) -> Access? {
        let slug = TripReference.slug(deleted.header.slug)
        return rights.access(
            inTripCalled: [.id(deleted.header.id)] + (directory.id(of: slug) == nil ? [slug] : []))
    }

    /// The connections that have the trip open by a rule about single trips, each with its present access.
    func readers(of trip: TripID) -> [(connection: Connection, access: Access)] {
        connections.values.sorted { $0.id < $1.id }.compactMap { connection in
            guard connection.trips.contains(trip), !connection.isEnding,
                let rights = connection.session.principal?.rights, !rights.isUniform,
                let access = access(rights, to: trip)
            else { return nil }
            return (connection, access)
        }
    }

    /// Disconnects the connections that have less access to a trip after its rename, which ends their drags.
    func renamed(_ trip: TripID, _ readers: [(connection: Connection, access: Access)]) {
        for (connection, before) in readers {
            let now = connection.session.principal.flatMap { access($0.rights, to: trip) }
            if let now, now >= before { continue }
            if now == nil {
                // The client must not even see the change that makes the trip invisible to it.
                connection.outbox.slots.close(trip)
                connection.outbox.replaceLate(of: trip) { id in
                    ServerLine.error(id, .noTrip(.id(trip)))
                }
            }
            end(connection, .accessChanged)
        }
    }
}

/// Limits the log lines about refused connections to one per account and minute.
struct Refusals {
    /// The minimum time between two log lines about the same name.
    static let pause = Duration.seconds(60)
    /// The maximum number of names tracked separately; all others share one entry.
    static let maximumNames = 64

    private struct LogEntry {
        var at: Duration
        /// The number of refusals since then.
        var more = 0
    }

    private var entries: [String: LogEntry] = [:]

    /// Records a refusal.
    ///
    /// - Returns: nil if nothing must be logged now; otherwise the number of refusals since the last log line.
    mutating func note(_ name: String, at now: Duration) -> Int? {
        if entries[name] == nil, entries.count >= Self.maximumNames {
            entries = entries.filter { now - $0.value.at < Self.pause }
        }
        let key = entries[name] != nil || entries.count < Self.maximumNames ? name : ""
        if let last = entries[key], now - last.at < Self.pause {
            entries[key]?.more += 1
            return nil
        }
        let more = entries[key]?.more ?? 0
        entries[key] = LogEntry(at: now)
        return more
    }
}
