import TripModel

extension FileFormat {
    /// A trip in this format, in UTF-8.
    package func text(of trip: Trip) -> [UInt8] {
        switch self {
        case .ics: CalendarWriter.text(of: trip)
        case .csv: TableWriter.text(of: trip)
        case .json: TripFile.text(of: trip)
        case .md: MarkdownWriter.text(of: trip)
        case .txt: TextWriter.text(of: trip)
        case .html: PageWriter.text(of: trip)
        case .gpx: GPXWriter.text(of: trip)
        }
    }
}
