/// A separately counted part of the work for a move, a start or a key.
enum Part: String, CaseIterable {
    case readRequest = "read-request"
    case validateMove = "validate-move"
    case encodeItem = "encode-item"
    case smallSnapshot = "snapshot-500"
    case largeSnapshot = "snapshot-10000"
    case gaps = "gaps-10000"
    case recovery = "recover-100000"
    case frame = "frame"
    case key = "key"

    /// Its title in the table.
    var title: String {
        switch self {
        case .readRequest: "read a request: item.move, from its line"
        case .validateMove: "validate and apply a move, 200 items"
        case .encodeItem: "encode an item"
        case .smallSnapshot: "encode a snapshot, 500 items"
        case .largeSnapshot: "encode a snapshot, 10,000 items"
        case .gaps: "gaps for one of 10,000 items"
        case .recovery: "read back a journal of 100,000 moves"
        case .frame: "a frame's difference, the cursor one row on"
        case .key: "a key, from the event to those bytes"
        }
    }

    /// The number of repetitions per count: fewer for expensive parts, which take long to count.
    var repetitions: Int {
        switch self {
        case .readRequest, .validateMove, .encodeItem: 2000
        case .smallSnapshot, .frame, .key: 100
        case .largeSnapshot, .gaps: 10
        case .recovery: 1
        }
    }

    /// Prepares the part, and then runs it a number of times.
    ///
    /// - Parameter directory: the data that `recovery` reads; the others need none.
    func run(times: Int, in directory: String) throws {
        switch self {
        case .readRequest: try RequestParts().read(times: times)
        case .validateMove: try TripParts(items: 200).move(times: times)
        case .encodeItem: try TripParts(items: 200).encodeItem(times: times)
        case .smallSnapshot: try TripParts(items: 500).encode(times: times)
        case .largeSnapshot: try TripParts(items: 10_000).encode(times: times)
        case .gaps: try TripParts(items: 10_000).gaps(times: times)
        case .recovery: try RecordedJournal.read(in: directory, times: times)
        case .frame: try ScreenParts().difference(times: times)
        case .key: try ScreenParts().key(times: times)
        }
    }
}

/// A part and its repetitions, run by the counted program.
struct RepeatedPart {
    let part: Part
    let times: Int

    /// Runs the part; a failure ends the run.
    func run(in directory: String) throws(BenchFailure) {
        do { try part.run(times: times, in: directory) } catch {
            throw .counting(part.rawValue, log: "\(error)")
        }
    }
}

/// Uses the result of a part, so that the optimizer cannot remove its computation.
@inline(never)
func keep(_ count: Int) {
    precondition(count > 0, "a part makes something")
}
