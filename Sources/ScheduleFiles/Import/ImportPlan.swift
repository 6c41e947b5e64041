import TripModel

/// The edits that import a file into a trip, in order, and the report.
package struct ImportPlan: Equatable, Sendable {
    /// The edits, to be applied as one change.
    package let edits: [Edit]
    /// The result for the user.
    package private(set) var report: ImportReport

    /// The reason why nothing is imported.
    package enum Refusal: Error, Hashable, Sendable {
        /// The file is invalid.
        case file(FileError)
        /// The trip would exceed the maximum number of items.
        case tooManyItems(Int)
        /// `--prune` would remove this many of the source's items, which is too many.
        case prunesTooMany(Int, of: Int, source: String)
        /// With `--prune`, the file has none of the source's items; the trip has this many of them.
        case sharesNothing(Int, source: String)
        /// `--prune` with a source of which the trip has no items, while it has the file's entries from another source.
        case otherSource(String, source: String)
    }

    /// Compares a file with a trip.
    ///
    /// - Parameters:
    ///   - file: the parsed file.
    ///   - trip: the present trip; for a new trip an empty one.
    ///   - options: the options.
    ///   - generator: the source of new ids.
    package init(
        importing file: ScheduleFile, into trip: Trip, _ options: ImportOptions,
        using generator: inout some RandomNumberGenerator
    ) throws(Refusal) {
        var frame = TripFrame(trip.header)
        frame.countsByTripClock = options.timed == .custom
        var entries: FileEntries
        do throws(FileError) { entries = try file.entries(for: frame) } catch { throw .file(error) }
        var trip = trip
        let extending = options.extends ? trip.edits(extendingFor: entries, frame) : []
        if !extending.isEmpty, (try? trip.apply(extending, by: ImportMaker.author)) != nil {
            (frame.firstDay, frame.dayCount) = (trip.header.startDate, trip.header.dayCount)
            do throws(FileError) { entries = try file.entries(for: frame) } catch { throw .file(error) }
        }
        var options = options
        options.name(source: options.source(of: file, in: trip, present: entries.present))
        var maker = ImportMaker(entries, trip, options)
        maker.matchAll(using: &generator)
        if options.isSourceNamed, options.pruning != .none, let other = maker.otherSource {
            throw .otherSource(other, source: options.source)
        }
        try maker.findVanished()
        let total = trip.itemCount + maker.growth
        guard total <= TripLimits.items else { throw .tooManyItems(total) }
        let (edits, report) = maker.finished()
        self.edits = extending + edits
        self.report = report
        if !extending.isEmpty {
            let header = trip.header
            let last = header.date(ofDay: header.dayCount).map { " to \($0)" } ?? ""
            self.report.notes.append(
                FileNote(text: "the trip has \(header.dayCount) days now, from \(header.startDate)\(last)"))
        }
    }
}

extension ImportPlan.Refusal: CustomStringConvertible {
    /// The reason in words.
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .prunesTooMany(let count, let total, let source):
            "--prune would remove \(count) of the \(total) items of \(shown(source)); "
                + "--prune=all removes them"
        case .sharesNothing(let count, let source):
            "the trip has \(count) items of \(shown(source)), but none of them is in the file: "
                + "--prune would mix two sources; give --source NAME, or with it --prune=all to remove them"
        case .otherSource(let other, let source):
            "the trip has no items of \(shown(source)), but those of the file are of \(shown(other)): "
                + "give --source \(shown(other))"
        case .tooManyItems(let count):
            "the trip would have \(count) items, and a trip has at most \(TripLimits.items)"
        }
    }
}
