import JSONLine

/// The measurements, as tables for a person or one JSON object for a program.
struct Report {
    var title: String
    var tables: [Table]
    /// Notes on reading the tables.
    var notes: [String]
    /// The curves; nil if there is nothing to draw.
    var picture: GrowthPicture?

    func text() -> String {
        ([title] + tables.map { $0.text() } + [notes.joined(separator: "\n")]).joined(separator: "\n\n")
    }

    /// One line of JSON: a member per table, and in it one per row.
    func json() -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("title", title)
        for table in tables {
            json.key(escaping: table.name)
            json.beginObject()
            for row in table.rows {
                json.key(escaping: row.name)
                json.beginObject()
                for (column, cell) in zip(table.columns, row.cells) {
                    json.key(escaping: column)
                    if let value = cell.value { json.value(value) } else { json.null() }
                }
                json.endObject()
            }
            json.endObject()
        }
        json.endObject()
        json.endLine()
        return json.take()
    }
}

/// Rows of numbers with common headings.
struct Table {
    struct Cell {
        /// Nil if unknown or not applicable.
        let value: Double?
        let decimals: Int

        init(_ value: Double?, decimals: Int = 0) {
            self.value = value
            self.decimals = decimals
        }

        static let none = Cell(nil)

        fileprivate var text: String {
            guard let value else { return "–" }
            let scale = [1.0, 10, 100, 1000][decimals]
            let scaled = Int((value.magnitude * scale).rounded())
            let sign = value < 0 && scaled > 0 ? "-" : ""
            let digits = String(scaled)
            if decimals == 0 { return sign + digits }
            let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
            return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
        }
    }

    let name: String
    let columns: [String]
    var rows: [(name: String, cells: [Cell])] = []

    fileprivate func text() -> String {
        let lines = [[name] + columns] + rows.map { [$0.name] + $0.cells.map(\.text) }
        let widths = (0...columns.count).map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            line.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column == 0 ? text + space : space + text
            }.joined(separator: "   ")
        }.joined(separator: "\n")
    }
}
