import TripModel

/// A file format, by its file name extension.
package enum FileFormat: String, CaseIterable, Sendable {
    case ics, csv, json, md, txt, html, gpx

    /// The format for a file name; nil if the extension is unknown.
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        switch fileName[dot...].dropFirst().lowercased() {
        case "ics", "ical", "ifb", "icalendar": self = .ics
        case "csv", "tsv", "tab": self = .csv
        case "json": self = .json
        case "md", "markdown": self = .md
        case "txt", "text": self = .txt
        case "html", "htm": self = .html
        case "gpx": self = .gpx
        default: return nil
        }
    }

    /// The importable format that the content looks like.
    package init(content bytes: [UInt8]) {
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = bytes.dropFirst(isMarked ? 3 : 0).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") {
            self = .json
        } else if upperCased(text.prefix(15)) == "BEGIN:VCALENDAR" {
            self = .ics
        } else {
            self = .csv
        }
    }

    /// The formats that can be imported.
    package static let imported: [FileFormat] = [.ics, .csv, .json]
}

/// A parsed file that can be imported.
package enum ScheduleFile: Sendable {
    /// An iCalendar file.
    case calendar(CalendarFile)
    /// A CSV table.
    case table(TableFile)
    /// A trip exported by us.
    case trip(TripFile)
    /// Bookings in JSON-LD.
    case bookings(BookingFile)

    /// Parses a file.
    ///
    /// - Parameter encoding: the file's encoding; nil for UTF-8, or to find it out.
    /// - Throws: `FileError` if the whole file is invalid. A format that cannot be imported is a bug of the
    ///   caller.
    package init(
        _ bytes: [UInt8], _ format: FileFormat, encoding: TextEncoding? = nil
    ) throws(FileError) {
        let text = try FileText(bytes, isFolded: format == .ics, encoding: encoding)
        switch format {
        case .ics: self = .calendar(try CalendarFile(text))
        case .csv: self = .table(try TableFile(text))
        case .json:
            if let file = BookingFile(text) {
                self = .bookings(file)
            } else {
                self = .trip(try TripFile(text))
            }
        case .md, .txt, .html, .gpx: preconditionFailure("\(format) cannot be imported")
        }
    }

    /// The name of the exported trip; nil if the file does not contain it.
    package var tripName: String? {
        switch self {
        case .calendar, .bookings: nil
        case .table(let file): file.tripName
        case .trip(let file): file.header.name
        }
    }

    /// The name that a new trip takes from the file: that of the exported trip or of the calendar.
    package var ownName: String? { tripName ?? calendarName.flatMap { EntryText.line($0).text } }

    /// The name of a calendar; nil for other files.
    package var calendarName: String? {
        if case .calendar(let file) = self { file.name } else { nil }
    }

    /// The entries, resolved for the days of a trip.
    ///
    /// - Throws: `FileError.tooManyEntries`.
    package func entries(for frame: TripFrame) throws(FileError) -> FileEntries {
        switch self {
        case .calendar(let file): try file.entries(for: frame)
        case .table(let file): file.entries
        case .trip(let file): file.entries
        case .bookings(let file): file.entries
        }
    }
}
