import TripModel

/// A format of files, by the end of a file's name.
package enum FileFormat: String, CaseIterable, Sendable {
    case ics, csv, json, md, txt, html, gpx

    /// The format that a file's name tells; nil where it tells none.
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

    /// The format that a file's bytes look like, of those that can be imported.
    package init(content bytes: [UInt8]) {
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let text = bytes.dropFirst(isMarked ? 3 : 0).drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        if text.first == UInt8(ascii: "{") {
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

/// A file that can be imported, read.
package enum ScheduleFile: Sendable {
    /// An iCalendar.
    case calendar(CalendarFile)
    /// A CSV table.
    case table(TableFile)
    /// A trip of our own.
    case trip(TripFile)

    /// Reads a file.
    ///
    /// - Throws: `FileError` where it cannot be understood as a whole; a format that cannot be imported is a bug of the
    ///   caller's.
    package init(_ bytes: [UInt8], _ format: FileFormat) throws(FileError) {
        let text = try FileText(bytes, isFolded: format == .ics)
        switch format {
        case .ics: self = .calendar(try CalendarFile(text))
        case .csv: self = .table(try TableFile(text))
        case .json: self = .trip(try TripFile(text))
        case .md, .txt, .html, .gpx: preconditionFailure("\(format) cannot be imported")
        }
    }

    /// What the file comes to on the days of a trip.
    ///
    /// - Throws: `FileError.tooManyEntries`.
    package func entries(for frame: TripFrame) throws(FileError) -> FileEntries {
        switch self {
        case .calendar(let file): try file.entries(for: frame)
        case .table(let file): file.entries
        case .trip(let file): file.entries
        }
    }
}
