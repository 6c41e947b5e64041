import TerminalCore

/// A small terminal: a grid that interprets the output of `FrameRenderer` and rejects anything else.
///
/// It joins scalars to clusters by Unicode's rules if no move is between them.
struct TerminalEmulator {
    /// A column: the first one of a cluster, or a later one of the cluster that begins `offset` columns
    /// before.
    struct Cell: Equatable {
        var text = " "
        var style = Style.plain
        var offset = 0
    }

    let width: Int
    let height: Int
    private(set) var cells: [Cell]
    private(set) var row = 0
    private(set) var column = 0
    private(set) var isCursorVisible = true
    private(set) var pen = Style.plain
    private(set) var isUpdating = false
    /// Output that could not be interpreted.
    private(set) var complaints: [String] = []
    /// The columns that this terminal adds to clusters of uncertain width; may be negative.
    var disagreement = 0
    /// Clusters to which this terminal, with older tables, gives one column.
    var narrow: Set<Character> = []

    private var isWrapPending = false
    private var lastPrinted: Int?

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        cells = Array(repeating: Cell(), count: width * height)
    }

    mutating func write(_ bytes: [UInt8]) {
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\u{1B}": escape(&scalars)
            case "\r": move(row: row, column: 0)
            case "\n": move(row: min(row + 1, height - 1), column: column)
            case "\u{8}": move(row: row, column: max(column - 1, 0))
            case "\0"..." " where scalar != " ": complaints.append("control \(scalar.value)")
            default: print(scalar)
            }
        }
    }

    // MARK: Text

    private mutating func print(_ scalar: Unicode.Scalar) {
        if let last = lastPrinted {
            let joined = cells[last].text + String(scalar)
            if joined.count == 1 {
                let style = cells[last].style
                put(joined, style, at: last)
                return
            }
        }
        put(String(scalar), pen, at: row * width + column)
    }

    private mutating func put(_ text: String, _ style: Style, at index: Int) {
        let character = Character(text)
        var columns = max(TextWidth.columns(of: character), 1)
        if !TextWidth.isCertain(character) { columns = max(columns + disagreement, 1) }
        if narrow.contains(character) { columns = 1 }
        let end = (index / width + 1) * width
        columns = min(columns, end - index)
        for place in index..<index + columns { clear(place) }
        for offset in 0..<columns {
            cells[index + offset] = Cell(text: offset == 0 ? text : "", style: style, offset: offset)
        }
        lastPrinted = index
        column = index % width + columns
        isWrapPending = column >= width
        if isWrapPending { column = width - 1 }
    }

    /// Blanks the whole cluster that has a part at `index`.
    private mutating func clear(_ index: Int) {
        let lead = index - cells[index].offset
        var place = lead
        repeat {
            cells[place] = Cell(text: " ", style: cells[place].style, offset: 0)
            place += 1
        } while place < cells.count && place % width != 0 && cells[place].offset > 0
    }

    private mutating func move(row: Int, column: Int) {
        if row < 0 || row >= height || column < 0 || column >= width {
            complaints.append("move to \(row), \(column)")
        }
        self.row = min(max(row, 0), height - 1)
        self.column = min(max(column, 0), width - 1)
        isWrapPending = false
        lastPrinted = nil
    }

    // MARK: Sequences

    private mutating func escape(_ scalars: inout ArraySlice<Unicode.Scalar>) {
        guard scalars.popFirst() == "[" else { return complaints.append("escape") }
        var body = ""
        while let scalar = scalars.popFirst() {
            guard (0x40...0x7E).contains(scalar.value) else {
                body.unicodeScalars.append(scalar)
                continue
            }
            return control(body, final: scalar)
        }
        complaints.append("cut sequence")
    }

    private mutating func control(_ body: String, final: Unicode.Scalar) {
        let numbers = body.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = max(numbers.first ?? 1, 1)
        if isWrapPending, "CDK".unicodeScalars.contains(final) {
            complaints.append("relative move at the margin")
        }
        switch (body, final) {
        case ("?2026", "h"): isUpdating = true
        case ("?2026", "l"): isUpdating = false
        case ("?25", "h"): isCursorVisible = true
        case ("?25", "l"): isCursorVisible = false
        case (_, "H"): move(row: first - 1, column: numbers.count > 1 ? max(numbers[1], 1) - 1 : 0)
        case (_, "C"): move(row: row, column: column + first)
        case (_, "D"): move(row: row, column: column - first)
        case ("", "K"):
            for place in column..<width { erase(row * width + place) }
        case ("2", "J"):
            for place in cells.indices { cells[place] = Cell(style: pen) }
        case (_, "m"): selectStyle(numbers)
        default: complaints.append("sequence \(body)\(final)")
        }
    }

    private mutating func erase(_ index: Int) {
        clear(index)
        cells[index] = Cell(style: pen)
        lastPrinted = nil
    }

    private mutating func selectStyle(_ numbers: [Int]) {
        var rest = numbers[...]
        if rest.isEmpty { pen = .plain }
        while let code = rest.popFirst() {
            switch code {
            case 0: pen = .plain
            case 1: pen.attributes.insert(.bold)
            case 2: pen.attributes.insert(.dim)
            case 3: pen.attributes.insert(.italic)
            case 4: pen.attributes.insert(.underline)
            case 7: pen.attributes.insert(.reverse)
            case 22: pen.attributes.subtract([.bold, .dim])
            case 23: pen.attributes.remove(.italic)
            case 24: pen.attributes.remove(.underline)
            case 27: pen.attributes.remove(.reverse)
            case 39: pen.foreground = .default
            case 49: pen.background = .default
            case 30...37, 90...97: pen.foreground = ansi(code < 90 ? code - 30 : code - 82)
            case 40...47, 100...107: pen.background = ansi(code < 100 ? code - 40 : code - 92)
            case 38: pen.foreground = extended(&rest)
            case 48: pen.background = extended(&rest)
            default: complaints.append("style \(code)")
            }
        }
    }

    private func ansi(_ index: Int) -> Color {
        AnsiColor(rawValue: UInt8(index)).map(Color.ansi) ?? .default
    }

    private mutating func extended(_ rest: inout ArraySlice<Int>) -> Color {
        let kind = rest.popFirst()
        let values = rest.prefix(kind == 5 ? 1 : 3).map { UInt8(clamping: $0) }
        rest = rest.dropFirst(values.count)
        switch (kind, values.count) {
        case (5, 1): return .indexed(values[0])
        case (2, 3): return .rgb(red: values[0], green: values[1], blue: values[2])
        default:
            complaints.append("extended colour")
            return .default
        }
    }
}
