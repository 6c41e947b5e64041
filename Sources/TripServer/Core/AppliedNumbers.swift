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
