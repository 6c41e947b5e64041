import TripModel

/// A journal that was read or repaired, and is on disk up to `end`.
package struct OpenedJournal: Equatable, Sendable {
    /// The first line.
    package let header: JournalHeader
    /// The state before the records; nil if they begin with the trip's creation.
    package let snapshot: JournalSnapshot?
    /// All commits after the snapshot; without a snapshot, all commits, at least one.
    package let records: [JournalRecord]
    /// The position at which an encoder continues.
    package let checkpoint: JournalCheckpoint
    /// The file's size in bytes.
    package let end: Int
    /// Byte offset after the header and the snapshot: the minimum that a compaction would write again.
    package let baseEnd: Int
    /// The repair, if one was needed; the epoch is new then.
    package let repair: JournalRepair?

    package init(
        header: JournalHeader, snapshot: JournalSnapshot? = nil, records: [JournalRecord],
        checkpoint: JournalCheckpoint, end: Int, baseEnd: Int = 0, repair: JournalRepair?
    ) {
        self.header = header
        self.snapshot = snapshot
        self.records = records
        self.checkpoint = checkpoint
        self.end = end
        self.baseEnd = baseEnd
        self.repair = repair
    }

    /// The good content of a scan of `bytes`.
    package init(_ contents: JournalContents, in bytes: [UInt8]) {
        self.init(
            header: contents.header, snapshot: contents.snapshot(in: bytes),
            records: contents.records(in: bytes),
            checkpoint: contents.checkpoint, end: contents.end, baseEnd: contents.baseEnd, repair: nil)
    }
}

/// The result of cutting a torn end.
package struct JournalRepair: Equatable, Sendable {
    /// The torn end.
    package let tail: TornTail
    /// The number of bytes that were cut.
    package let droppedBytes: Int
    /// The path of the copy of the whole old file.
    package let copy: String
}

/// The result of opening a trip's journal.
package enum JournalOpening: Equatable, Sendable {
    case opened(OpenedJournal)
    /// The trip must not be served; `file` was not touched.
    case quarantined(file: String, JournalDamage)
    /// The trip needs an itineraryd that reads format `lowestReader`; `file` was not touched.
    case newerFormat(file: String, lowestReader: Int)
}

/// The decision about a journal that was read. Pure; `JournalStore` carries it out.
package enum JournalRecovery: Equatable, Sendable {
    /// Use the journal unchanged.
    case use(JournalContents)
    /// Use the good part: keep a copy of the whole file, and replace the journal by one with the same records
    /// and a new epoch, because clients may have seen the rest.
    case cutTail(JournalContents, TornTail)
    /// Leave the journal unchanged, and do not serve the trip.
    case quarantine(JournalDamage)
    /// Leave the journal unchanged: a program that reads format `lowestReader` is needed.
    case refuse(lowestReader: Int)

    /// Decides for the journal in the directory of `trip`.
    package init(_ scan: JournalScan, of trip: TripID) {
        switch scan {
        case .newerFormat(let lowestReader):
            self = .refuse(lowestReader: lowestReader)
        case .whole(let contents) where contents.header.tripID == trip:
            self = .use(contents)
        case .torn(let contents, let tail) where contents.header.tripID == trip:
            self = .cutTail(contents, tail)
        case .damaged(let damage, before: let contents) where (contents?.header.tripID ?? trip) == trip:
            self = .quarantine(damage)
        case .whole(let contents), .torn(let contents, _), .damaged(_, before: let contents?):
            // Another trip's journal is never repaired here, so this check comes first.
            let reason = JournalDamage.Reason.foreignTrip(contents.header.tripID)
            self = .quarantine(JournalDamage(offset: 0, reason: reason))
        case .damaged(let damage, before: nil):
            self = .quarantine(damage)
        }
    }
}
