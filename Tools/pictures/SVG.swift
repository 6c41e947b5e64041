import TerminalCore

/// A frame as a picture: one text element for each run of cells with the same style, with rectangles behind them.
enum SVG {
    static let cellWidth = 8.4
    static let cellHeight = 18.0
    static let margin = 12.0
    private static let foreground = "#d8d8d4"
    static let background = "#18181c"

    /// The SVG document of a frame.
    static func text(of frame: Frame) -> String {
        let width = Double(frame.width) * cellWidth + 2 * margin
        let height = Double(frame.height) * cellHeight + 2 * margin
        var body = [
            ##"<rect width="100%" height="100%" rx="8" fill="\##(background)" stroke="#6c6f6a"/>"##
        ]
        for row in 0..<frame.height { body += elements(of: row, frame) }
        return document(width: width, height: height, style: [], body)
    }

    /// A document of a size with a style sheet, which applies only to readers who allow motion.
    static func document(width: Double, height: Double, style: [String], _ body: [String]) -> String {
        let size = #"width="\#(short(width))" height="\#(short(height))""#
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" \#(size) viewBox="0 0 \#(short(width)) \#(short(height))">"#
        ]
        if !style.isEmpty {
            let still = "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"
            lines += ["<style>"] + style + [still, "</style>"]
        }
        lines.append(
            #"<g font-family="ui-monospace, 'SF Mono', Menlo, 'DejaVu Sans Mono', monospace" font-size="14" fill="\#(foreground)" xml:space="preserve" style="white-space:pre">"#
        )
        return (lines + body + ["</g>", "</svg>", ""]).joined(separator: "\n")
    }

    /// The elements of a row.
    static func elements(of row: Int, _ frame: Frame) -> [String] {
        var lines: [String] = []
        var column = 0
        while column < frame.width {
            let style = frame[row: row, column: column].style
            let start = column
            var text = ""
            var hasWide = false
            while column < frame.width, frame[row: row, column: column].style == style {
                let cell = frame[row: row, column: column]
                // A run ends after a wide cluster, whose width may differ in a browser.
                if cell.span == .wide, column > start { break }
                if cell.span != .continuation { text.append(cell.grapheme) }
                column += 1
                if cell.span == .wide {
                    hasWide = true
                    column += 1
                    break
                }
            }
            lines += element(text, style, row: row, columns: start..<min(column, frame.width), hasWide)
        }
        return lines
    }

    private static func element(
        _ text: String, _ style: Style, row: Int, columns: Range<Int>, _ hasWide: Bool
    ) -> [String] {
        let x = margin + Double(columns.lowerBound) * cellWidth
        let y = margin + Double(row) * cellHeight
        let width = Double(columns.count) * cellWidth
        var front = color(style.foreground) ?? foreground
        var back = color(style.background)
        if style.attributes.contains(.reverse) { (front, back) = (back ?? background, front) }
        var lines: [String] = []
        if let back {
            lines.append(
                #"<rect x="\#(short(x))" y="\#(short(y))" width="\#(short(width))" height="\#(short(cellHeight))" fill="\#(back)"/>"#
            )
        }
        // Each piece between gaps has its own position, because a renderer may collapse blanks or substitute
        // wider glyphs.
        let keepsGaps = hasWide || style.attributes.contains(.underline)
        for piece in pieces(of: text, keepsGaps: keepsGaps) {
            let left = x + Double(piece.column) * cellWidth
            var attributes = #"x="\#(short(left))" y="\#(short(y + 13.5))""#
            let length = Double(piece.text.count) * cellWidth
            if !hasWide { attributes += #" textLength="\#(short(length))" lengthAdjust="spacingAndGlyphs""# }
            if front != foreground { attributes += #" fill="\#(front)""# }
            if style.attributes.contains(.bold) { attributes += #" font-weight="bold""# }
            if style.attributes.contains(.italic) { attributes += #" font-style="italic""# }
            if style.attributes.contains(.underline) { attributes += #" text-decoration="underline""# }
            if style.attributes.contains(.dim) { attributes += #" opacity="0.55""# }
            lines.append("<text \(attributes)>\(escaped(piece.text))</text>")
        }
        return lines
    }

    /// The parts of a run between gaps of two or more blanks, or the whole run without the blanks at its ends.
    private static func pieces(of text: String, keepsGaps: Bool) -> [(column: Int, text: String)] {
        var pieces: [(column: Int, text: String)] = []
        var end = -2
        for (column, character) in text.enumerated() where character != " " {
            if let last = pieces.indices.last, keepsGaps || column - end <= 1 {
                pieces[last].text += String(repeating: " ", count: column - end) + String(character)
            } else {
                pieces.append((column, String(character)))
            }
            end = column + 1
        }
        return pieces
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// A colour for a browser; nil for the terminal's own.
    private static func color(_ color: Color) -> String? {
        switch color {
        case .default: nil
        case .ansi(let name): ansi[Int(name.rawValue)]
        case .indexed, .rgb: color.reduced(to: .trueColor).description
        }
    }

    private static let ansi = [
        "#2e3436", "#cc4444", "#5fa04e", "#c4a000", "#4a80c4", "#a0609c", "#3fa0a8", "#d3d7cf",
        "#6c6f6a", "#ef5350", "#8ae234", "#fce94f", "#729fcf", "#ad7fa8", "#56c2e6", "#eeeeec",
    ]

    /// A number with at most one decimal.
    static func short(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
