import TripModel

/// Reads games from the records under one header row, and knows which gameIds came before.
struct GameRowReader {
    /// What each field of a record is; nil where its column is not known.
    let columns: [ScheduleColumn?]
    private var firstLines: [TextKey: Int] = [:]

    init(columns: [ScheduleColumn?]) {
        self.columns = columns
    }

    mutating func game(in record: CSVRecord) throws(BadRow) -> Game {
        let row = try Row(record, columns)
        let gameID = try row.required(.gameID)
        if let first = firstLines[TextKey(gameID)] {
            throw row.bad(.gameID, "\(shown(gameID)) is on line \(first) already")
        }
        let game = Game(
            gameID: gameID, title: try row.required(.title), city: row[.city], venue: row[.venue],
            startsAt: try row.startsAt(), timeZone: try row.timeZone(), durationMinutes: try row.duration())
        guard game.date(inTripZone: "UTC") != nil else {
            throw row.bad(.startsAt, "a game is played in the years 1583 to 9999, by the clocks of its zone")
        }
        // A bad row does not take its gameId with it.
        firstLines[TextKey(gameID)] = record.line
        return game
    }
}

/// The fields of one record by column: text that may be shown, without those left empty.
private struct Row {
    private let line: Int
    private var values: [ScheduleColumn: String] = [:]

    init(_ record: CSVRecord, _ columns: [ScheduleColumn?]) throws(BadRow) {
        line = record.line
        guard record.fields.count == columns.count else {
            throw BadRow(
                line: line, column: nil,
                message: "it has \(record.fields.count) fields and the header row \(columns.count)")
        }
        for (column, field) in zip(columns, record.fields) {
            guard let column else { continue }
            guard let text = String(validating: field, as: UTF8.self) else {
                throw bad(column, "it is not UTF-8")
            }
            do throws(Rejection) {
                try TextRule.line(.textBytes).check(text, field: column.rawValue)
            } catch {
                throw bad(column, Self.explanation(of: error))
            }
            if text.contains(where: { !$0.isWhitespace }) { values[column] = text }
        }
    }

    subscript(column: ScheduleColumn) -> String? { values[column] }

    func bad(_ column: ScheduleColumn, _ message: String) -> BadRow {
        BadRow(line: line, column: column.rawValue, message: message)
    }

    func required(_ column: ScheduleColumn) throws(BadRow) -> String {
        guard let value = values[column] else { throw bad(column, "it must not be empty") }
        return value
    }

    func startsAt() throws(BadRow) -> OffsetDateTime {
        let text = try required(.startsAt)
        guard let start = OffsetDateTime(text) else {
            throw bad(
                .startsAt,
                "\(shown(text)) is no date and time with an offset; right is 2026-06-11T13:00:00-06:00")
        }
        return start
    }

    func timeZone() throws(BadRow) -> String? {
        guard let zone = values[.timeZone] else { return nil }
        guard TimeZoneName.isKnown(zone) else {
            let right = TimeZoneName.suggestion(for: zone) ?? "America/Mexico_City"
            throw bad(.timeZone, "no IANA zone is called \(shown(zone)); right is \(right)")
        }
        return zone
    }

    func duration() throws(BadRow) -> Int? {
        guard let text = values[.durationMinutes] else { return nil }
        let digits = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        guard digits.allSatisfy({ ("0"..."9").contains($0) }), let minutes = Int(String(digits)),
            (0...TripLimits.durationMinutes).contains(minutes)
        else {
            throw bad(
                .durationMinutes,
                "\(shown(text)) is no number of minutes from 0 to \(TripLimits.durationMinutes); right is 120"
            )
        }
        return minutes
    }

    private static func explanation(of rejection: Rejection) -> String {
        switch rejection {
        case .textNotAllowed(_, let scalar):
            "the character U+\(String(scalar, radix: 16, uppercase: true)) is not allowed"
        case .limitExceeded(.combiningMarks, _):
            "a character has more than \(TripLimits.combiningMarks) combining marks"
        case .limitExceeded(let limit, _): "it is longer than \(limit.maximum) bytes"
        case .invalid(_, let message): message
        case .place, .itemNotFound, .readOnly, .itemHeld, .versionConflict, .anchorNotFound, .anchorMoved,
            .duplicateItemID, .duplicateGameID, .overtaken, .slugTaken:
            preconditionFailure("a rule of text refuses text only")
        }
    }
}
