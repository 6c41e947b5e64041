import TripModel

extension FileFormat {
    /// A trip in this format, in UTF-8.
    ///
    /// - Parameter alarmMinutes: in a calendar, the time of an alarm before each item with a time; nil for no alarms.
    package func text(of trip: Trip, alarmMinutes: Int? = nil) -> [UInt8] {
        switch self {
        case .ics: CalendarWriter.text(of: trip, alarmMinutes: alarmMinutes)
        case .csv: TableWriter.text(of: trip)
        case .json: TripFile.text(of: trip)
        case .md: MarkdownWriter.text(of: trip)
        case .txt: TextWriter.text(of: trip)
        case .html: PageWriter.text(of: trip)
        case .gpx: GPXWriter.text(of: trip)
        }
    }
}
