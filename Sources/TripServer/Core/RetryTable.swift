import LocalSystem
import TripModel
import TripProtocol

/// The results of each client's durable changes by sequence number, so that a retry is recognized and never applied twice.
///
/// The latest answers are cached. For older changes only the version is known, in a few bytes per run of numbers.
struct RetryTable {
    /// A cached answer.
    struct Answer {
        let seq: Int
        /// Identifies the request, to distinguish a retry from another one with the same number.
        let fingerprint: UInt64
        /// The version of the commit.
        let version: Int
        private let content: Content
        /// The approximate memory size of the encoded result.
        let size: Int

        /// The result, or what it is encoded from when it is needed: few answers are ever sent again.
        enum Content {
            case result([UInt8])
            /// The item after a change of one item.
            case item(Item)
            /// The header after a change that concerns no item.
            case header(TripHeader)
            /// The removal of an item.
            case nothing
        }

        init(seq: Int, fingerprint: UInt64, version: Int, _ content: Content) {
            self.seq = seq
            self.fingerprint = fingerprint
            self.version = version
            self.content = content
            let bytes =
                switch content {
                case .result(let result): result.count
                case .item(let item): DurableState.leastItemBytes + item.textBytes
                case .header(let header): header.byteCount
                case .nothing: 0
                }
            size = 64 + min(bytes, RetryTable.maximumAnswerBytes)
        }

        /// The encoded result, or a short one if it is too long.
        var result: [UInt8] {
            func encoded(_ body: EncodedChange.Body) -> [UInt8] {
                EncodedChange(version: version, isNoop: false, body: body, respacedDays: []).result()
            }
            let result =
                switch content {
                case .result(let result): result
                case .item(let item): encoded(.item(item.encoded()))
                case .header(let header): encoded(.trip(header, moved: []))
                case .nothing: encoded(.nothing)
                }
            return result.count <= RetryTable.maximumAnswerBytes
                ? result : EncodedChange.repeated(version: version)
        }

        /// Whether a request with its number is its retry.
        func verdict(_ fingerprint: UInt64) -> Verdict {
            fingerprint == self.fingerprint ? .again(result: result, version: version) : .reused
        }
    }

    /// The classification of a request.
    enum Verdict: Equatable {
        case new
        /// A retry with a cached answer.
        case again(result: [UInt8], version: Int)
        /// A retry of a change that was applied at or before this version; its answer was evicted.
        case applied(version: Int)
        /// The number belongs to a different request.
        case reused
        /// The number is below an applied one, and is not known to have been applied itself.
        case tooOld
    }

    /// The data of one client.
    struct Client {
        /// In the order of their numbers, and of their versions.
        fileprivate(set) var answers: [Answer] = []
        var applied = AppliedNumbers()
        /// The total size of the answers.
        fileprivate(set) var byteCount = 0

        /// The version of its last commit.
        var lastVersion: Int { applied.lastVersion }
        /// The highest of its numbers without a cached answer.
        var highestWithoutAnswer: Int? {
            guard let first = answers.first else { return applied.highest }
            return applied.highest(before: first.seq)
        }

        /// Evicts the oldest answers.
        fileprivate mutating func drop(_ count: Int) {
            byteCount -= answers[..<count].reduce(0) { $0 + $1.size }
            answers.removeFirst(count)
        }
    }

    /// The maximum number of clients with cached answers per trip; beyond it the least recently active ones
    /// lose theirs.
    static let maximumClients = 512
    /// The maximum size of the last answers of all clients; beyond it the least recently active clients lose
    /// their answers.
    static let maximumLastBytes = 64 << 20
    /// The maximum number of known clients; beyond it the least recently active are forgotten.
    static let maximumKnownClients = 8192
    /// The maximum size of all other answers of a trip; beyond it the oldest are evicted.
    static let maximumBytes = 8 << 20
    /// The maximum size of a cached answer. A retry of a change with a longer answer gets a short result.
    static let maximumAnswerBytes = 1 << 20
    /// The maximum number of ranges of numbers of all clients. Above it ranges are joined, and then the oldest evicted.
    static let maximumRuns = 65_536

    private(set) var clients: [ClientID: Client] = [:]
    /// The total size of all answers.
    private(set) var byteCount = 0
    /// The total size of the last answers of all clients.
    private(set) var lastByteCount = 0
    private var answeredClients = 0
    private var runCount = 0

    /// Classifies a request.
    func verdict(client: ClientID, seq: Int, fingerprint: UInt64) -> Verdict {
        guard let client = clients[client], let highest = client.applied.highest, seq <= highest else {
            return .new
        }
        let index = client.answers.partitioningIndex { $0.seq >= seq }
        if index < client.answers.count, client.answers[index].seq == seq {
            return client.answers[index].verdict(fingerprint)
        }
        return client.applied.version(of: seq).map { .applied(version: $0) } ?? .tooOld
    }

    /// Caches the answer to a commit; its number is above all known ones of the client. Evicts entries over the limits,
    /// the oldest first.
    mutating func cache(_ answer: Answer, of id: ClientID) {
        change(id) { client in
            client.answers.append(answer)
            client.byteCount += answer.size
            client.applied.append(answer.seq, version: answer.version)
            // Trimmed in blocks, so that a commit does not move the whole array.
            if client.answers.count >= 2 * WireLimits.cachedAnswers {
                client.drop(client.answers.count - WireLimits.cachedAnswers)
            }
        }
        if answeredClients > Self.maximumClients || lastByteCount > Self.maximumLastBytes {
            dropInactiveAnswers()
        }
        if byteCount - lastByteCount > Self.maximumBytes { dropOldest() }
        if runCount > Self.maximumRuns { shortenRuns() }
        if clients.count > Self.maximumKnownClients { forgetInactiveClients() }
    }

    /// Caches the answer of a replayed commit. A number that is not above all known ones shows that the
    /// client had been forgotten by then.
    mutating func restore(_ answer: Answer, of id: ClientID) {
        if let highest = clients[id]?.applied.highest, answer.seq <= highest { change(id) { $0 = Client() } }
        cache(answer, of: id)
    }

    /// Restores a client's numbers from a snapshot.
    mutating func restore(_ applied: AppliedNumbers, of id: ClientID) { change(id) { $0.applied = applied } }

    // MARK: Limits

    /// Evicts the answers of the least recently active clients, an eighth more than needed to amortize the cost.
    private mutating func dropInactiveAnswers() {
        let answered = clients.filter { !$0.value.answers.isEmpty }.sorted {
            $0.value.lastVersion < $1.value.lastVersion
        }
        func target(_ maximum: Int, for count: Int) -> Int { count > maximum ? maximum / 8 * 7 : maximum }
        let count = target(Self.maximumClients, for: answeredClients)
        let bytes = target(Self.maximumLastBytes, for: lastByteCount)
        for (id, _) in answered {
            guard answeredClients > count || lastByteCount > bytes else { return }
            change(id) { $0.drop($0.answers.count) }
        }
    }

    /// Evicts answers until a quarter of the limit is free, to amortize the cost. The last answer of a client stays.
    private mutating func dropOldest() {
        var oldest: [(version: Int, client: ClientID, size: Int)] = []
        for (id, client) in clients {
            oldest += client.answers.dropLast().map { ($0.version, id, $0.size) }
        }
        oldest.sort { $0.version < $1.version }
        var counts: [ClientID: Int] = [:]
        var rest = byteCount - lastByteCount
        for answer in oldest {
            guard rest > Self.maximumBytes / 4 * 3 else { break }
            counts[answer.client, default: 0] += 1
            rest -= answer.size
        }
        for (id, count) in counts { change(id) { $0.drop(count) } }
    }

    /// Joins old runs; if that is not enough, evicts the oldest half.
    private mutating func shortenRuns() {
        for id in clients.keys { change(id) { $0.applied.coarsen() } }
        guard runCount > Self.maximumRuns / 4 * 3 else { return }
        let ends = clients.values.flatMap { $0.applied.runs.map(\.versions.upperBound) }.sorted()
        for id in clients.keys { change(id) { $0.applied.evictRuns(upTo: ends[ends.count / 2]) } }
    }

    private mutating func forgetInactiveClients() {
        let inactive = clients.sorted { $0.value.lastVersion < $1.value.lastVersion }
        for (id, _) in inactive.prefix(clients.count - Self.maximumKnownClients / 2) {
            change(id) { $0 = Client() }
            clients[id] = nil
        }
    }

    /// Changes one client's data and updates the totals; all changes go through this function.
    private mutating func change(_ id: ClientID, _ body: (inout Client) -> Void) {
        var client = clients.removeValue(forKey: id) ?? Client()
        let before = (
            client.byteCount, client.answers.last?.size ?? 0, client.answers.isEmpty,
            client.applied.runs.count
        )
        body(&client)
        byteCount += client.byteCount - before.0
        lastByteCount += (client.answers.last?.size ?? 0) - before.1
        answeredClients += (client.answers.isEmpty ? 0 : 1) - (before.2 ? 0 : 1)
        runCount += client.applied.runs.count - before.3
        if client.applied.highest != nil { clients[id] = client }
    }
}

extension TripHeader {
    /// The approximate size of its encoding.
    fileprivate var byteCount: Int {
        256 + name.utf8.count + acceptedProblems.reduce(0) { $0 + $1.utf8.count + 3 }
            + todo.reduce(0) { $0 + 96 + $1.byteCount }
    }
}

/// The applied sequence numbers of a client and their versions, as ascending runs.
struct AppliedNumbers: Equatable {
    /// A contiguous run of sequence numbers. If the versions are contiguous too, the mapping is exact;
    /// otherwise all numbers were applied by the last version.
    struct Run: Equatable {
        var seqs: ClosedRange<Int>
        var versions: ClosedRange<Int>

        var isExact: Bool { seqs.count == versions.count }

        /// The version that applied a number of the run, or a later one.
        func version(of seq: Int) -> Int {
            isExact ? versions.lowerBound + (seq - seqs.lowerBound) : versions.upperBound
        }
    }

    private(set) var runs: [Run] = []
    /// Runs up to this number were evicted: a number below it that is in no run may or may not have been applied.
    private(set) var evicted: (seq: Int, version: Int)?

    init() {}

    /// Restores the runs of a snapshot.
    ///
    /// - Throws: `RecordFailure` if the runs do not ascend.
    init(_ runs: [Run], evicted: (seq: Int, version: Int)?) throws(RecordFailure) {
        for (run, next) in zip(runs, runs.dropFirst())
        where run.seqs.upperBound >= next.seqs.lowerBound
            || run.versions.upperBound >= next.versions.lowerBound
        {
            throw RecordFailure("sequence numbers that do not ascend")
        }
        self.runs = runs
        self.evicted = evicted
    }

    static func == (one: AppliedNumbers, other: AppliedNumbers) -> Bool {
        one.runs == other.runs && one.evicted?.seq == other.evicted?.seq
            && one.evicted?.version == other.evicted?.version
    }

    /// The highest known number; nil if there is none.
    var highest: Int? { runs.last?.seqs.upperBound ?? evicted?.seq }

    /// The version of the highest known number; 0 if there is none.
    var lastVersion: Int { runs.last?.versions.upperBound ?? evicted?.version ?? 0 }

    /// The version that applied a number, or a later one; nil if it is not known to have been applied.
    func version(of seq: Int) -> Int? {
        let index = runs.partitioningIndex { $0.seqs.upperBound >= seq }
        guard index < runs.count, runs[index].seqs.contains(seq) else { return nil }
        return runs[index].version(of: seq)
    }

    /// The highest known number below `seq`.
    func highest(before seq: Int) -> Int? {
        let index = runs.partitioningIndex { $0.seqs.upperBound >= seq }
        if index < runs.count, runs[index].seqs.lowerBound < seq { return seq - 1 }
        return index > 0 ? runs[index - 1].seqs.upperBound : evicted?.seq
    }

    /// Appends a number above all others.
    mutating func append(_ seq: Int, version: Int) {
        if let last = runs.last, last.isExact, last.seqs.upperBound + 1 == seq,
            last.versions.upperBound + 1 == version
        {
            runs[runs.count - 1] = Run(
                seqs: last.seqs.lowerBound...seq, versions: last.versions.lowerBound...version)
        } else {
            runs.append(Run(seqs: seq...seq, versions: version...version))
        }
    }

    /// Joins runs with contiguous numbers.
    mutating func coarsen() {
        var joined: [Run] = []
        for run in runs {
            if let last = joined.last, last.seqs.upperBound + 1 == run.seqs.lowerBound {
                joined[joined.count - 1] = Run(
                    seqs: last.seqs.lowerBound...run.seqs.upperBound,
                    versions: last.versions.lowerBound...run.versions.upperBound)
            } else {
                joined.append(run)
            }
        }
        runs = joined
    }

    /// Evicts the runs that end by a version.
    mutating func evictRuns(upTo version: Int) {
        let count = runs.partitioningIndex { $0.versions.upperBound > version }
        guard count > 0 else { return }
        evicted = (runs[count - 1].seqs.upperBound, runs[count - 1].versions.upperBound)
        runs.removeFirst(count)
    }
}
