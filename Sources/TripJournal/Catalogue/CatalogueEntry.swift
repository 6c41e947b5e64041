import LocalSystem
import TripModel

/// What the catalogue knows of one trip.
package struct CatalogueEntry: Equatable, Sendable {
    /// Every slug that the trip may have: the one on the disk, and those on their way there.
    package var slugs: Set<String>
    /// A place that its journal has reached; a journal without it is not this one.
    package var place: JournalPlace?
    /// What the trip was when its journal was closed; only a hint.
    package var summary: TripDigest?

    /// Whether it says only how a trip is to be called that is being made, and nothing of a journal. The disk may have
    /// an earlier one of that id all the same, under another name: one whose maker was told that the outcome is unknown.
    package var isClaim: Bool { place == nil }

    /// An entry from its parts.
    package init(slugs: Set<String>, place: JournalPlace? = nil, summary: TripDigest? = nil) {
        self.slugs = slugs
        self.place = place
        self.summary = summary
    }
}

/// A place in one unbroken history.
package struct JournalPlace: Hashable, Sendable {
    /// Names the history.
    package let epoch: String
    /// The place in its journal.
    package let checkpoint: JournalCheckpoint

    /// A place from its parts.
    package init(epoch: String, checkpoint: JournalCheckpoint) {
        self.epoch = epoch
        self.checkpoint = checkpoint
    }
}

/// What a list tells of a trip.
package struct TripDigest: Equatable, Sendable {
    /// What is said of the trip besides its items.
    package let header: TripHeader
    /// Its version.
    package let version: Int
    /// How many items it has.
    package let itemCount: Int
    /// The file that this was read from, or written to, last.
    package let stamp: JournalStamp

    /// A summary from its parts.
    package init(header: TripHeader, version: Int, itemCount: Int, stamp: JournalStamp) {
        self.header = header
        self.version = version
        self.itemCount = itemCount
        self.stamp = stamp
    }
}

/// Which file a journal is, and how long: a journal only grows, and what takes its place is another file.
package struct JournalStamp: Hashable, Sendable {
    /// Bytes.
    package let size: Int64
    /// The file's number in its file system.
    package let number: UInt64

    /// A stamp from its parts.
    package init(size: Int64, number: UInt64) {
        self.size = size
        self.number = number
    }
}

extension JournalStore {
    /// The stamp of a trip's journal; nil where there is no regular file.
    package func stamp(of trip: TripID) throws(SystemError) -> JournalStamp? {
        guard let status = try fileSystem.status(journal(of: trip)), status.kind == .regular else {
            return nil
        }
        return JournalStamp(size: status.size, number: status.number)
    }
}
