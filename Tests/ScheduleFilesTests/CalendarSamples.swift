import ScheduleFiles
import TestSupport
import TripModel

/// Calendars for tests, with helpers to check their entries.
enum CalendarSamples {
    /// A calendar with these lines, separated by CRLF.
    static func calendar(_ lines: String...) -> [UInt8] {
        Array(
            (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
                .utf8)
    }

    /// A calendar with one event with these properties.
    static func event(_ lines: String...) -> [UInt8] {
        Array(
            (["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u1", "SUMMARY:One"] + lines
                + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\r\n").utf8)
    }

    /// A frame; by default June 2026 in New York.
    static func frame(
        _ zone: String = "America/New_York", from first: String = "2026-06-01", days: Int = 30
    ) -> TripFrame {
        guard let date = CalendarDate(first) else { preconditionFailure("a test writes dates that exist") }
        return TripFrame(timeZone: zone, firstDay: date, dayCount: days)
    }

    static func entries(
        _ bytes: [UInt8], _ frame: TripFrame = frame(), format: FileFormat = .ics
    ) throws -> FileEntries {
        try ScheduleFile(bytes, format).entries(for: frame)
    }

    /// The starts of all entries, as text.
    static func starts(_ entries: FileEntries) -> [String] {
        entries.entries.map { entry in
            switch entry.when {
            case .moment(let start, let zone): start.text + (zone.map { " " + $0 } ?? "")
            case .clock(let date, let minute): "\(date) \(minute)"
            case .date(let date): date.description
            case .day(let day): "day \(day)"
            case .written(let text, let zone): text + (zone.map { " " + $0 } ?? "")
            }
        }
    }
}

extension FileEntry {
    /// A field's value as text; nil if it is absent.
    func words(_ field: ItemField) -> String? {
        switch self[field] {
        case .text(let text)?: text
        case .minutes(let minutes)?: String(minutes)
        case .coordinate(let place)?: "\(place.latitude) \(place.longitude)"
        case let other?: "\(other)"
        case nil: nil
        }
    }
}
