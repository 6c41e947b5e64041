/// Draws the curves: the cost of a move above, the memory below, each against a logarithmic size.
struct GrowthPicture {
    private static let (width, height) = (230.0, 150.0)
    private static let (left, top) = (52.0, 46.0)
    private static let (columnStep, rowStep) = (310.0, 236.0)

    let title: String
    let curves: [GrowthCurve]

    /// The picture in SVG, with a light and a dark style.
    func svg() -> String {
        let (width, height) = (Self.columnStep * Double(curves.count), 2 * Self.rowStep + 30)
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
            font-family="sans-serif" font-size="11">
            """,
            """
            <style>:root{color-scheme:light dark}svg{background:light-dark(#fff,#16181d)}text{fill:light-dark(#222,#ddd)}\
            .axis{stroke:light-dark(#999,#666)}.it{stroke:#2f7ed8;fill:none;stroke-width:2}.dot{fill:#2f7ed8}\
            .floor{stroke:#d98324;fill:none;stroke-width:2;stroke-dasharray:4 3}</style>
            """,
            "<text x=\"8\" y=\"16\" font-size=\"13\">\(title)</text>",
        ]
        for (column, curve) in curves.enumerated() {
            let x = Self.left + Double(column) * Self.columnStep
            let points = curve.points
            lines += panel(
                "CPU a move, µs", x, Self.top, sizes: points.map(\.size), values: points.map(\.cost),
                floor: points.map(\.copies), beneath: "")
            lines += panel(
                "memory, MB", x, Self.top + Self.rowStep, sizes: points.map(\.size),
                values: points.map(\.memory),
                floor: [], beneath: curve.title)
        }
        lines.append("</svg>")
        return lines.joined(separator: "\n")
    }

    private func panel(
        _ name: String, _ x: Double, _ y: Double, sizes: [Int], values: [Double?], floor: [Double?],
        beneath: String
    ) -> [String] {
        let highest = Self.round((values + floor).compactMap(\.self).max() ?? 1)
        func place(_ index: Int, _ value: Double) -> (x: Double, y: Double) {
            let step = sizes.count > 1 ? Self.width / Double(sizes.count - 1) : 0
            return (x + step * Double(index), y + Self.height * (1 - value / highest))
        }
        func line(_ values: [Double?], _ kind: String) -> String {
            let places = values.enumerated().compactMap { index, value in value.map { place(index, $0) } }
            let text = places.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
            return "<polyline class=\"\(kind)\" points=\"\(text)\"/>"
        }
        let bottom = y + Self.height
        var lines = [
            "<text x=\"\(number(x))\" y=\"\(number(y - 10))\">\(name)</text>",
            "<line class=\"axis\" x1=\"\(number(x))\" y1=\"\(number(bottom))\" x2=\"\(number(x + Self.width))\" y2=\"\(number(bottom))\"/>",
            "<text x=\"\(number(x - 6))\" y=\"\(number(y + 4))\" text-anchor=\"end\">\(number(highest))</text>",
            "<text x=\"\(number(x - 6))\" y=\"\(number(bottom))\" text-anchor=\"end\">0</text>",
        ]
        if floor.contains(where: { $0 != nil }) {
            lines.append(line(floor, "floor"))
            lines.append(
                "<text x=\"\(number(x + 110))\" y=\"\(number(y - 10))\">dashed: the copies alone</text>")
        }
        lines.append(line(values, "it"))
        for (index, value) in values.enumerated() {
            let foot = place(index, 0)
            lines.append(
                "<text x=\"\(number(foot.x))\" y=\"\(number(bottom + 15))\" text-anchor=\"middle\">\(sizes[index])</text>"
            )
            guard let value else { continue }
            let dot = place(index, value)
            lines.append("<circle class=\"dot\" cx=\"\(number(dot.x))\" cy=\"\(number(dot.y))\" r=\"3\"/>")
            lines.append(
                "<text x=\"\(number(dot.x))\" y=\"\(number(dot.y - 7))\" text-anchor=\"middle\">\(number(value))</text>"
            )
        }
        lines.append(
            "<text x=\"\(number(x + Self.width / 2))\" y=\"\(number(bottom + 32))\" text-anchor=\"middle\">\(beneath)</text>"
        )
        return lines
    }

    /// The next of 1, 2 or 5 times a power of ten.
    private static func round(_ value: Double) -> Double {
        var unit = 1.0
        while unit * 10 < value { unit *= 10 }
        return [1, 2, 5, 10].map { $0 * unit }.first { $0 >= value } ?? value
    }

    /// The number with one decimal if it is small.
    private func number(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() || tenths >= 100 ? "\(Int(tenths.rounded()))" : "\(tenths)"
    }
}
