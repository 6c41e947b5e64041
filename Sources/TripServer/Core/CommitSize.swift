import TripJournal
import TripModel
import TripProtocol

/// The size limits of a commit's record and of the record of its undo.
///
/// A change is measured together with its undo, so that no undo exceeds a limit. An older daemon did not do
/// this: the undo of its change may be too large for the journal.
struct CommitSize {
    private let isBrief: Bool
    private let onlyMoves: Bool
    private let isUndo: Bool

    /// Maximum bytes of an item of which only the place is recorded.
    static let placedBytes = 160
    // Maximum bytes of the rest of the record. The answer is counted even without a `seq`, so that a client
    // that retries may change as much.
    static let recordBytes = 16 * 1024 + RetryTable.maximumAnswerBytes

    /// - Parameter isBrief: whether the record omits derivable data, as from format 2.
    init(isBrief: Bool, _ command: ChangeCommand) {
        self.isBrief = isBrief
        onlyMoves = command.onlyMoves
        isUndo = command.reversed != nil
    }

    /// True if the record contains only the places of the edited items.
    func writesPlacesOnly(_ commit: Commit) -> Bool {
        isBrief
            && (onlyMoves
                || commit.changes.allSatisfy {
                    !$0.isEdit || $0.isRemoval || $0.before?.content == $0.after?.content
                })
    }

    /// Returns an error if the commit or its undo would be too large, or if it makes an item too large.
    func refusal(of commit: Commit) -> WireError? {
        let writesPlaces = writesPlacesOnly(commit)
        var size = Self.recordBytes + Self.placedBytes * commit.shifts.count
        for change in commit.changes {
            guard let item = change.after, change.isEdit, !writesPlaces else {
                size += Self.placedBytes
                continue
            }
            let count = item.stored(item.encoded()).count
            if count > TripLimits.itemBytes, !isUndo {
                return .limit(
                    "itemBytes", max: TripLimits.itemBytes,
                    "\(item.content.title): an item has at most \(TripLimits.itemBytes) bytes, not \(count)")
            }
            size += count
        }
        if isUndo {
            guard size > JournalFormat.maximumPayload else { return nil }
            return .limit(
                "undoBytes", max: WireLimits.undoBytes, "it would restore \(size) bytes of items at once")
        }
        guard size <= WireLimits.changeBytes else {
            return .limit(
                "changeBytes", max: WireLimits.changeBytes,
                "it would change \(size) bytes of items at once; do it in smaller steps")
        }
        let undoSize =
            writesPlaces && !commit.changes.contains(where: \.isRemoval) ? 0 : Self.undoSize(of: commit)
        guard undoSize > WireLimits.undoBytes else { return nil }
        return .limit(
            "undoBytes", max: WireLimits.undoBytes,
            "its undo would restore \(undoSize) bytes of items at once; do it in smaller steps")
    }

    /// The maximum number of bytes that the undo of a commit writes.
    private static func undoSize(of commit: Commit) -> Int {
        let items = commit.changes.lazy.filter(\.isEdit).compactMap(\.before)
        let estimate = items.reduce(0) { $0 + $1.encodedBytes }
        return estimate <= WireLimits.undoBytes
            ? estimate : items.reduce(0) { $0 + $1.stored($1.encoded()).count }
    }
}
