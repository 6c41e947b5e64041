import TripModel

/// What a file changes in a trip: the edits, in order, and what they come to.
package struct ImportPlan: Equatable, Sendable {
    /// The edits; all of them together are one change.
    package let edits: [Edit]
    /// What they come to.
    package let report: ImportReport

    /// Why nothing of a file is imported.
    package enum Refusal: Error, Hashable, Sendable {
        /// The file cannot be understood.
        case file(FileError)
        /// The trip would have more items than a trip may have.
        case tooManyItems(Int)
    }

    /// Compares a file with a trip.
    ///
    /// - Parameters:
    ///   - file: the schedule as it should be.
    ///   - trip: the trip as it is; for a new trip, the empty one that it begins as.
    ///   - options: how it is to be imported.
    ///   - generator: where the ids of new items come from.
    package init(
        importing file: ScheduleFile, into trip: Trip, _ options: ImportOptions,
        using generator: inout some RandomNumberGenerator
    ) throws(Refusal) {
        var frame = TripFrame(trip.header)
        frame.countsByTripClock = options.timed == .custom
        let entries: FileEntries
        do throws(FileError) { entries = try file.entries(for: frame) } catch { throw .file(error) }
        var maker = ImportMaker(entries, trip, options)
        maker.matchAll(using: &generator)
        let total = trip.itemCount + maker.growth
        guard total <= TripLimits.items else { throw .tooManyItems(total) }
        (edits, report) = maker.finished()
    }
}

extension ImportPlan.Refusal: CustomStringConvertible {
    /// The reason, in words.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .tooManyItems(let count):
            "the trip would have \(count) items, and a trip has at most \(TripLimits.items)"
        }
    }
}
