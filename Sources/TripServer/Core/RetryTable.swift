import LocalSystem
import TripModel
import TripProtocol

/// What each client's numbered changes came to, so that a repeat of one is never made again and always learns that it
/// was made.
///
/// The last answers are kept whole. Of what was made before, only the version is known: a few bytes for each run of
/// numbers.
struct RetryTable {
    /// A kept answer.
    struct Answer {
        let seq: Int
        /// Tells whether a repeat is the same request.
        let fingerprint: UInt64
        /// The trip's version of the commit.
        let version: Int
        /// The whole of it, unless that is too long.
        let result: [UInt8]

        init(seq: Int, fingerprint: UInt64, version: Int, result: [UInt8]) {
            self.seq = seq
            self.fingerprint = fingerprint
            self.version = version
            self.result =
                result.count <= RetryTable.maximumAnswerBytes
                ? result : EncodedChange.repeated(version: version)
        }
    }

    /// What the table says of a request.
    enum Verdict: Equatable {
        case new
        /// It was made as this version, and answered so.
        case again(result: [UInt8], version: Int)
        /// It was made, as this version or before it; its answer is not kept any more.
        case made(version: Int)
        /// Its number is that of another request.
        case reused
        /// It is below a number that was made, and was not made itself as far as is known.
        case tooOld
    }

    /// What is known of one client.
    struct Client {
        /// In the order of their numbers, and of their versions.
        fileprivate(set) var answers: [Answer] = []
        var made = MadeNumbers()
        /// Bytes of the answers.
        fileprivate(set) var byteCount = 0

        /// The version of its last commit.
        var lastVersion: Int { made.lastVersion }
        /// The highest of its numbers whose answer is not kept.
        var highestWithoutAnswer: Int? {
            guard let first = answers.first else { return made.highest }
            return made.highest(before: first.seq)
        }
    }

    /// Clients whose answers are kept, per trip; past it those of the ones that are silent longest go.
    static let maximumClients = 512
    /// Bytes of the last answers of all clients; past it the answers of the ones that are silent longest go.
    static let maximumLastBytes = 64 << 20
    /// Clients of which anything is known; past it the longest silent are forgotten.
    static let maximumKnownClients = 8192
    /// Bytes of all answers of a trip but the last one of each client; past it the oldest of these go.
    static let maximumBytes = 8 << 20
    /// Bytes of an answer that is kept; the repeat of a change with a longer one is told that it was made.
    static let maximumAnswerBytes = 1 << 20
    /// Runs of numbers that are known, of all clients; past it they are told less exactly, and then the oldest go.
    static let maximumRuns = 65_536

    private(set) var clients: [ClientID: Client] = [:]
    /// Bytes of all answers.
    private(set) var byteCount = 0
    /// Bytes of the last answers of all clients.
    private(set) var lastByteCount = 0
    private var answeredClients = 0
    private var runCount = 0
    /// Clients that have many more answers than are kept.
    private var overfull: Set<ClientID> = []

    /// Looks up a request.
    func verdict(client: ClientID, seq: Int, fingerprint: UInt64) -> Verdict {
        guard let client = clients[client] else { return .new }
        if PlantedBug.retryAppliedTwice.isPlanted, seq == client.made.highest { return .new }
        let index = client.answers.partitioningIndex { $0.seq >= seq }
        if index < client.answers.count, client.answers[index].seq == seq {
            let answer = client.answers[index]
            return answer.fingerprint == fingerprint
                ? .again(result: answer.result, version: answer.version) : .reused
        }
        if let version = client.made.version(of: seq), !PlantedBug.madeForgottenWithAnswer.isPlanted {
            return .made(version: version)
        }
        return seq > client.made.highest ?? .min ? .new : .tooOld
    }

    /// Keeps the answer to a commit; its seq is above all that are known of this client.
    mutating func keep(_ answer: Answer, of id: ClientID) {
        change(id) { client in
            client.answers.append(answer)
            client.byteCount += answer.size
            client.made.append(answer.seq, version: answer.version)
        }
        if let count = clients[id]?.answers.count, count >= 2 * WireLimits.keptAnswers {
            overfull.insert(id)
            if PlantedBug.answersTrimmedTooEarly.isPlanted { trimTooEarly(id) }
        }
    }

    /// Keeps the answer to a commit that is read back. A number that is not above all that are known of the client tells
    /// that it had been forgotten by then.
    mutating func restore(_ answer: Answer, of id: ClientID) {
        if let highest = clients[id]?.made.highest, answer.seq <= highest { change(id) { $0 = Client() } }
        keep(answer, of: id)
    }

    /// What the planted bug does: whether the changes are durable is not looked at.
    private mutating func trimTooEarly(_ id: ClientID) {
        change(id) { client in
            let gone = client.answers.prefix(client.answers.count - WireLimits.keptAnswers)
            guard let last = gone.last else { return }
            client.byteCount -= gone.reduce(0) { $0 + $1.size }
            client.answers.removeFirst(gone.count)
            client.made = (try? MadeNumbers([], forgotten: (last.seq, last.version))) ?? client.made
        }
    }

    /// Takes in what a snapshot knows of a client besides its answers.
    mutating func know(_ made: MadeNumbers, of id: ClientID) { change(id) { $0.made = made } }

    /// Everything up to a version is durable: what is over the limits goes, the oldest first.
    ///
    /// Not before, since what is dropped does not come back where a later commit is rolled back.
    mutating func settle(upTo version: Int) {
        // Trimmed in blocks, so that a commit does not move the whole array.
        for id in overfull {
            let durable = clients[id]?.answers.partitioningIndex { $0.version > version } ?? 0
            drop(durable - WireLimits.keptAnswers, of: id, upTo: version)
            if (clients[id]?.answers.count ?? 0) < 2 * WireLimits.keptAnswers { overfull.remove(id) }
        }
        if answeredClients > Self.maximumClients || lastByteCount > Self.maximumLastBytes {
            dropSilent(upTo: version)
        }
        if byteCount - lastByteCount > Self.maximumBytes { dropOldest(upTo: version) }
        if runCount > Self.maximumRuns { shortenRuns(upTo: version) }
        if clients.count > Self.maximumKnownClients { forgetSilent(upTo: version) }
    }

    /// Forgets what was rolled back: these numbers can be used again.
    mutating func forget(after version: Int) {
        for (id, client) in clients where client.lastVersion > version {
            change(id) { client in
                let count = client.answers.partitioningIndex { $0.version > version }
                client.byteCount -= client.answers[count...].reduce(0) { $0 + $1.size }
                client.answers.removeSubrange(count...)
                client.made.forget(after: version)
            }
        }
    }

    // MARK: Limits

    /// Drops all answers of the clients that are silent longest, an eighth more than needed so that it is not done for each
    /// new one.
    private mutating func dropSilent(upTo version: Int) {
        let answered = clients.filter { !$0.value.answers.isEmpty }.sorted {
            $0.value.lastVersion < $1.value.lastVersion
        }
        func target(_ maximum: Int, for count: Int) -> Int { count > maximum ? maximum / 8 * 7 : maximum }
        let count = target(Self.maximumClients, for: answeredClients)
        let bytes = target(Self.maximumLastBytes, for: lastByteCount)
        for (id, client) in answered {
            guard answeredClients > count || lastByteCount > bytes else { return }
            drop(client.answers.count, of: id, upTo: version)
        }
    }

    /// Drops answers until a quarter of the room is free, so that it is not done at each commit. The last durable one of a
    /// client stays: the later ones may be rolled back.
    private mutating func dropOldest(upTo version: Int) {
        var oldest: [(version: Int, client: ClientID, size: Int)] = []
        for (id, client) in clients {
            let durable = client.answers.partitioningIndex { $0.version > version }
            oldest += client.answers.prefix(durable).dropLast().map { ($0.version, id, $0.size) }
        }
        oldest.sort { $0.version < $1.version }
        var counts: [ClientID: Int] = [:]
        var rest = byteCount - lastByteCount
        for answer in oldest {
            guard rest > Self.maximumBytes / 4 * 3 else { break }
            counts[answer.client, default: 0] += 1
            rest -= answer.size
        }
        for (id, count) in counts { drop(count, of: id, upTo: version) }
    }

    /// Tells old numbers less exactly; where that is not enough, forgets the oldest half.
    private mutating func shortenRuns(upTo version: Int) {
        for id in clients.keys { change(id) { $0.made.coarsen(upTo: version) } }
        guard runCount > Self.maximumRuns / 4 * 3 else { return }
        let ends = clients.values.flatMap { $0.made.runs.map(\.versions.upperBound) }.sorted()
        let limit = min(version, ends[ends.count / 2])
        for id in clients.keys { change(id) { $0.made.forgetRuns(upTo: limit) } }
    }

    private mutating func forgetSilent(upTo version: Int) {
        let silent = clients.sorted { $0.value.lastVersion < $1.value.lastVersion }
        for (id, client) in silent.prefix(clients.count - Self.maximumKnownClients / 2)
        where client.lastVersion <= version {
            change(id) { $0 = Client() }
            clients[id] = nil
        }
    }

    /// Drops a client's oldest answers, as far as they are durable.
    private mutating func drop(_ count: Int, of id: ClientID, upTo version: Int) {
        change(id) { client in
            let durable = client.answers.partitioningIndex { $0.version > version }
            let count = min(count, durable)
            guard count > 0 else { return }
            client.byteCount -= client.answers[..<count].reduce(0) { $0 + $1.size }
            client.answers.removeFirst(count)
        }
    }

    /// The one way to change what is known of a client: the sums over all follow.
    private mutating func change(_ id: ClientID, _ body: (inout Client) -> Void) {
        var client = clients.removeValue(forKey: id) ?? Client()
        let before = (
            client.byteCount, client.answers.last?.size ?? 0, client.answers.isEmpty, client.made.runs.count
        )
        body(&client)
        byteCount += client.byteCount - before.0
        lastByteCount += (client.answers.last?.size ?? 0) - before.1
        answeredClients += (client.answers.isEmpty ? 0 : 1) - (before.2 ? 0 : 1)
        runCount += client.made.runs.count - before.3
        if client.made.highest != nil { clients[id] = client }
    }
}

extension RetryTable.Answer {
    /// Bytes that it takes.
    fileprivate var size: Int { result.count + 64 }
}

/// FNV-1a over the canonical form of a request: equal requests have equal fingerprints.
func fingerprint(of canonical: some Sequence<UInt8>) -> UInt64 {
    canonical.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
