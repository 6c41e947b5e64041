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

    /// Clients whose answers are kept, per trip; past it the one that is silent longest is forgotten.
    static let maximumClients = 512

    private var answers: [ClientID: [Answer]] = [:]

    /// Looks up a request.
    func verdict(client: ClientID, seq: Int, fingerprint: UInt64) -> Verdict {
        guard let kept = answers[client], let highest = kept.last?.seq else { return .new }
        if seq > highest { return .new }
        let index = kept.partitioningIndex { $0.seq >= seq }
        guard index < kept.count, index >= kept.count - WireLimits.keptAnswers, kept[index].seq == seq else {
            return .tooOld
        }
        guard kept[index].fingerprint == fingerprint else { return .reused }
        return .again(result: kept[index].result, version: kept[index].version)
    }

    /// Keeps the answer to a commit; its seq is above all that are kept of this client.
    mutating func keep(_ answer: Answer, of client: ClientID) {
        if answers[client] == nil, answers.count >= Self.maximumClients { forgetSilentClient() }
        answers[client, default: []].append(answer)
        // Trimmed in blocks, so that a commit does not move the whole array.
        if let count = answers[client]?.count, count >= 2 * WireLimits.keptAnswers {
            answers[client]?.removeFirst(count - WireLimits.keptAnswers)
        }
    }

    /// Forgets the answers to commits that were rolled back.
    mutating func forget(after version: Int) {
        for client in Array(answers.keys) {
            answers[client]?.removeAll { $0.version > version }
            if answers[client]?.isEmpty == true { answers[client] = nil }
        }
    }

    private mutating func forgetSilentClient() {
        let silent = answers.min { ($0.value.last?.version ?? 0) < ($1.value.last?.version ?? 0) }
        if let silent { answers[silent.key] = nil }
    }
}

/// FNV-1a over the canonical form of a request: equal requests have equal fingerprints.
func fingerprint(of canonical: some Sequence<UInt8>) -> UInt64 {
    canonical.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
