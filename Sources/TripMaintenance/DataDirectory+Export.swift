import LocalSystem
import TripJournal
import TripModel
import TripServer

extension DataDirectory {
    /// A trip in one file: a sealed journal, so that any modification is detected.
    package struct Export: Sendable {
        /// The content of the file.
        package let bytes: [UInt8]
        /// The exported version.
        package let version: Int
        /// A sentence about missing data; nil if the export is complete.
        package var missing: String?
    }

    /// Exports a trip with its whole history. Beside a running daemon it contains everything written so far.
    package func export(_ trip: TripID) throws(MaintenanceFailure) -> Export {
        let reading = try read(trip)
        switch JournalRecovery(reading.scan, of: trip) {
        case .use(let contents): return Self.sealed(contents, reading.bytes)
        case .cutTail(let contents, let tail):
            guard DirectoryLock.holder(of: path) != nil else {
                throw .refused(
                    "\(reading.file), byte \(tail.offset): its end is incomplete; start the daemon, which repairs it, or salvage it"
                )
            }
            return Self.sealed(contents, reading.bytes)
        case .quarantine(let damage):
            throw .refused(
                "\(reading.file), byte \(damage.offset): it is damaged: \(damage.sentence); salvage it")
        case .refuse(let lowestReader):
            throw .refused("\(reading.file) needs an itineraryd that reads format \(lowestReader)")
        }
    }

    /// Exports the readable part of a damaged journal, up to the damage. The journal is not changed.
    package func salvage(_ trip: TripID) throws(MaintenanceFailure) -> Export {
        let reading = try read(trip)
        let contents: JournalContents
        let offset: Int
        let reason: String
        switch reading.scan {
        case .whole(let whole): (contents, offset, reason) = (whole, whole.end, "")
        case .torn(let good, let tail):
            (contents, offset, reason) = (
                good, tail.offset,
                "its end is incomplete"
            )
        case .damaged(let damage, before: let good?):
            (contents, offset, reason) = (good, damage.offset, damage.sentence)
        case .damaged(let damage, before: nil):
            throw .refused("\(reading.file), byte \(damage.offset): \(damage.sentence); nothing can be read")
        case .newerFormat(let lowestReader):
            throw .refused("\(reading.file) needs an itineraryd that reads format \(lowestReader)")
        }
        guard contents.snapshot != nil || !contents.entries.isEmpty else {
            throw .refused(
                "\(reading.file), byte \(offset): \(reason); not even the first version can be read")
        }
        let journal = OpenedJournal(contents, in: reading.bytes)
        do throws(ReplayFailure) {
            _ = try TripReplay(journal)
        } catch {
            return try salvage(before: error, contents, reading)
        }
        var export = Self.sealed(contents, reading.bytes)
        if offset < reading.bytes.count {
            export.missing = Self.missing(reading, from: offset, after: export.version, reason)
        }
        return export
    }

    /// Exports the versions before an invalid one, whose bytes are intact.
    private func salvage(
        before failure: ReplayFailure, _ contents: JournalContents, _ reading: Reading
    ) throws(MaintenanceFailure) -> Export {
        let journal = OpenedJournal(contents, in: reading.bytes)
        let records = journal.records.filter { $0.version < failure.version }
        let place = contents.entries.first { $0.version == failure.version }
        guard let place, journal.snapshot != nil || !records.isEmpty else {
            throw .refused("\(reading.file): version \(failure.version) is invalid: \(failure.message)")
        }
        var image = JournalImage(contents.header, snapshot: journal.snapshot, records: records)
        image.seal()
        return Export(
            bytes: image.bytes, version: image.checkpoint.version,
            missing: Self.missing(
                reading, from: place.offset, after: image.checkpoint.version, failure.message))
    }

    private static func missing(
        _ reading: Reading, from offset: Int, after version: Int, _ reason: String
    ) -> String {
        let last = JournalScanner.highestVersionNamed(in: reading.bytes, from: offset)
        let versions =
            last.map {
                $0 > version ? "versions \(version + 1) to \($0)" : "anything after version \(version)"
            }
            ?? "anything after version \(version)"
        let count = reading.bytes.count - offset
        return "\(reading.file), byte \(offset): \(reason); \(count) bytes are left out: \(versions)"
    }

    /// The good part of a journal, with a checksum footer at its end.
    private static func sealed(_ contents: JournalContents, _ bytes: [UInt8]) -> Export {
        let good = Array(bytes[..<contents.end])
        let sealed = JournalImage.sealing(good, contents.header)
        return Export(bytes: sealed, version: contents.checkpoint.version)
    }

    /// Writes a new file, and syncs it and its directory.
    package func write(_ bytes: [UInt8], to file: String) throws(MaintenanceFailure) {
        let directory = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        do throws(SystemError) {
            try store.writeExport(bytes, to: file, in: directory)
        } catch {
            throw .system(error)
        }
    }
}
