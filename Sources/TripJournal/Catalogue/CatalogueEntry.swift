import LocalSystem
import TripModel

/// The catalogue's entry of one trip.
package struct CatalogueEntry: Equatable, Sendable {
    /// Every slug that the trip may have: the durable one, and those in flight.
    package var slugs: Set<String>
    /// A position that its journal has reached; a journal without it is not the same.
    package var place: JournalPlace?
    /// The trip's summary when its journal was closed; only a hint.
    package var summary: TripDigest?

    /// True if it only reserves the slug of a trip that is being created. The disk may still have an earlier
    /// trip of that id with another name, whose creation had an unknown outcome.
    package var isReservation: Bool { place == nil }

    package init(slugs: Set<String>, place: JournalPlace? = nil, summary: TripDigest? = nil) {
        self.slugs = slugs
        self.place = place
        self.summary = summary
    }
}

/// A position in one epoch.
package struct JournalPlace: Hashable, Sendable {
    /// The epoch.
    package let epoch: String
    /// The position in its journal.
    package let checkpoint: JournalCheckpoint

    package init(epoch: String, checkpoint: JournalCheckpoint) {
        self.epoch = epoch
        self.checkpoint = checkpoint
    }
}

/// The summary of a trip for a list.
package struct TripDigest: Equatable, Sendable {
    /// The trip's header.
    package let header: TripHeader
    /// Its version.
    package let version: Int
    /// The number of items.
    package let itemCount: Int
    /// The file that it was last read from or written to.
    package let stamp: JournalStamp

    package init(header: TripHeader, version: Int, itemCount: Int, stamp: JournalStamp) {
        self.header = header
        self.version = version
        self.itemCount = itemCount
        self.stamp = stamp
    }
}

/// Identifies a journal file and its size: a journal only grows, and its replacement is another file.
package struct JournalStamp: Hashable, Sendable {
    /// The size in bytes.
    package let size: Int64
    /// The file's number in its file system.
    package let number: UInt64

    package init(size: Int64, number: UInt64) {
        self.size = size
        self.number = number
    }
}

extension JournalStore {
    /// The stamp of a trip's journal; nil if there is no regular file.
    package func stamp(of trip: TripID) throws(SystemError) -> JournalStamp? {
        guard let status = try fileSystem.status(journal(of: trip)), status.kind == .regular else {
            return nil
        }
        return JournalStamp(size: status.size, number: status.number)
    }
}
