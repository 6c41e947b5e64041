/// Which of a client's numbers were made, and as which versions: runs of numbers, in rising order.
struct MadeNumbers: Equatable {
    /// Numbers without a gap. Where their versions have none either, each is known exactly; else only that all were
    /// made by the last of these versions.
    struct Run: Equatable {
        var seqs: ClosedRange<Int>
        var versions: ClosedRange<Int>

        var isExact: Bool { seqs.count == versions.count }

        /// The version as which a number of the run was made, or a later one.
        func version(of seq: Int) -> Int {
            isExact ? versions.lowerBound + (seq - seqs.lowerBound) : versions.upperBound
        }
    }

    private(set) var runs: [Run] = []
    /// Of the numbers up to this one that are in no run, it is not known whether they were made.
    private(set) var forgotten: (seq: Int, version: Int)?

    init() {}

    /// What a snapshot tells.
    ///
    /// - Throws: `RecordFailure` where the runs do not rise.
    init(_ runs: [Run], forgotten: (seq: Int, version: Int)?) throws(RecordFailure) {
        for (run, next) in zip(runs, runs.dropFirst())
        where run.seqs.upperBound >= next.seqs.lowerBound
            || run.versions.upperBound >= next.versions.lowerBound
        {
            throw RecordFailure("numbers that do not rise")
        }
        self.runs = runs
        self.forgotten = forgotten
    }

    static func == (one: MadeNumbers, other: MadeNumbers) -> Bool {
        one.runs == other.runs && one.forgotten?.seq == other.forgotten?.seq
            && one.forgotten?.version == other.forgotten?.version
    }

    /// The highest number of which anything is known; nil where nothing is.
    var highest: Int? { runs.last?.seqs.upperBound ?? forgotten?.seq }

    /// The version of the last one; 0 where nothing is known.
    var lastVersion: Int { runs.last?.versions.upperBound ?? forgotten?.version ?? 0 }

    /// The version as which a number was made, or a later one; nil where it was not made as far as is known.
    func version(of seq: Int) -> Int? {
        let index = runs.partitioningIndex { $0.seqs.upperBound >= seq }
        guard index < runs.count, runs[index].seqs.contains(seq) else { return nil }
        return runs[index].version(of: seq)
    }

    /// The highest number below another of which anything is known.
    func highest(before seq: Int) -> Int? {
        let index = runs.partitioningIndex { $0.seqs.upperBound >= seq }
        if index < runs.count, runs[index].seqs.lowerBound < seq { return seq - 1 }
        return index > 0 ? runs[index - 1].seqs.upperBound : forgotten?.seq
    }

    /// Takes in a number above all others.
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

    /// Takes back the numbers that were made after a version.
    mutating func forget(after version: Int) {
        while let last = runs.last, last.versions.upperBound > version {
            runs.removeLast()
            // Only exact runs reach beyond what is durable.
            guard last.versions.lowerBound <= version else { continue }
            let count = version - last.versions.lowerBound
            runs.append(
                Run(
                    seqs: last.seqs.lowerBound...last.seqs.lowerBound + count,
                    versions: last.versions.lowerBound...version))
        }
    }

    /// Joins runs without a gap between their numbers, as far as they are durable.
    mutating func coarsen(upTo version: Int) {
        var joined: [Run] = []
        for run in runs {
            if let last = joined.last, last.seqs.upperBound + 1 == run.seqs.lowerBound,
                run.versions.upperBound <= version
            {
                joined[joined.count - 1] = Run(
                    seqs: last.seqs.lowerBound...run.seqs.upperBound,
                    versions: last.versions.lowerBound...run.versions.upperBound)
            } else {
                joined.append(run)
            }
        }
        runs = joined
    }

    /// Forgets the runs that end by a version.
    mutating func forgetRuns(upTo version: Int) {
        let count = runs.partitioningIndex { $0.versions.upperBound > version }
        guard count > 0 else { return }
        forgotten = (runs[count - 1].seqs.upperBound, runs[count - 1].versions.upperBound)
        runs.removeFirst(count)
    }
}
