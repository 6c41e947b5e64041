import LocalSystem
import TripModel
import TripProtocol

/// The answers to the last commits of each client, so that a repeat gets the first one again.
struct RetryTable {
    /// A kept answer.
    struct Answer {
        let seq: Int
        /// Tells whether a repeat is the same request.
        let fingerprint: UInt64
        /// The trip's version of the commit.
        let version: Int
        let result: [UInt8]
    }

    /// What the table says of a request.
    enum Verdict: Equatable {
        case new
        /// It was made as this version.
        case again(result: [UInt8], version: Int)
        case reused
        case tooOld
    }

    /// The highest number of a client whose answer is kept no more: it, and all below it, are too old.
    struct Dropped {
        let seq: Int
        let version: Int
    }

    /// Clients whose answers are kept, per trip; past it those of the one that is silent longest go.
    static let maximumClients = 512
    /// Clients of which nothing is known but how far their numbers went; past it the longest silent are forgotten.
    static let maximumKnownClients = 8192
    /// Bytes of all answers of a trip; past it the oldest go, whosever they are, but never the last one.
    static let maximumBytes = 8 << 20

    /// By client, in the order of their numbers.
    private(set) var answers: [ClientID: [Answer]] = [:]
    var dropped: [ClientID: Dropped] = [:]
    private(set) var byteCount = 0

    /// Looks up a request.
    func verdict(client: ClientID, seq: Int, fingerprint: UInt64) -> Verdict {
        if let gone = dropped[client], seq <= gone.seq { return .tooOld }
        guard let kept = answers[client], let highest = kept.last?.seq else { return .new }
        if seq > highest { return .new }
        if PlantedBug.retryAppliedTwice.isPlanted, seq == highest { return .new }
        let index = kept.partitioningIndex { $0.seq >= seq }
        guard index < kept.count, index >= kept.count - WireLimits.keptAnswers, kept[index].seq == seq else {
            return .tooOld
        }
        guard kept[index].fingerprint == fingerprint else { return .reused }
        return .again(result: kept[index].result, version: kept[index].version)
    }

    /// Keeps the answer to a commit; its seq is above all that are kept of this client.
    mutating func keep(_ answer: Answer, of client: ClientID) {
        answers[client, default: []].append(answer)
        byteCount += answer.size
        // Trimmed in blocks, so that a commit does not move the whole array.
        if let count = answers[client]?.count, count >= 2 * WireLimits.keptAnswers {
            drop(count - WireLimits.keptAnswers, of: client)
        }
    }

    /// Everything up to a version is durable: what is over the limits goes, the oldest first.
    ///
    /// Not before, since what is dropped does not come back where a later commit is rolled back.
    mutating func settle(upTo version: Int) {
        if answers.count > Self.maximumClients { dropSilent(upTo: version) }
        if byteCount > Self.maximumBytes { dropOldest(upTo: version) }
        if dropped.count > Self.maximumKnownClients {
            let kept = dropped.sorted { $0.value.version > $1.value.version }
            dropped = [:]
            for (client, last) in kept.prefix(Self.maximumKnownClients / 2) { dropped[client] = last }
        }
    }

    /// Forgets the answers to commits that were rolled back.
    mutating func forget(after version: Int) {
        for (client, kept) in answers {
            let count = kept.partitioningIndex { $0.version > version }
            byteCount -= kept[count...].reduce(0) { $0 + $1.size }
            answers[client] = count == 0 ? nil : Array(kept[..<count])
        }
    }

    /// Drops all answers of an eighth of the clients, so that it is not done for each new one.
    private mutating func dropSilent(upTo version: Int) {
        let last = answers.map {
            (client: $0.key, version: $0.value.last?.version ?? 0, count: $0.value.count)
        }
        .sorted { $0.version < $1.version }
        let count = answers.count - Self.maximumClients / 8 * 7
        for silent in last.prefix(count) where silent.version <= version {
            drop(silent.count, of: silent.client)
        }
    }

    /// Drops answers until a quarter of the room is free, so that it is not done at each commit.
    private mutating func dropOldest(upTo version: Int) {
        var all: [(version: Int, client: ClientID, size: Int)] = []
        for (client, kept) in answers { all += kept.map { ($0.version, client, $0.size) } }
        all.sort { $0.version < $1.version }
        var counts: [ClientID: Int] = [:]
        var rest = byteCount
        for answer in all.dropLast() where answer.version <= version && rest > Self.maximumBytes / 4 * 3 {
            counts[answer.client, default: 0] += 1
            rest -= answer.size
        }
        for (client, count) in counts { drop(count, of: client) }
    }

    private mutating func drop(_ count: Int, of client: ClientID) {
        guard let kept = answers[client], count > 0 else { return }
        let last = kept[count - 1]
        byteCount -= kept[..<count].reduce(0) { $0 + $1.size }
        dropped[client] = Dropped(seq: last.seq, version: last.version)
        answers[client] = count == kept.count ? nil : Array(kept[count...])
    }
}

extension RetryTable.Answer {
    /// Bytes that it takes, all told.
    fileprivate var size: Int { result.count + 64 }
}

/// FNV-1a over the canonical form of a request: equal requests have equal fingerprints.
func fingerprint(of canonical: some Sequence<UInt8>) -> UInt64 {
    canonical.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
