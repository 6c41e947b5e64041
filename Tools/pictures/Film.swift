import EditorSessions
import TerminalCore

/// An animation of two terminals side by side. A row that is the same in several frames is drawn once and
/// shown for their time. A reader without motion sees the last frame.
struct Film {
    private let sides: [[Frame]]
    /// The start of each frame and the end of the last one, in milliseconds.
    private let times: [Int]

    init(left: [SessionRun.Picture], right: [SessionRun.Picture]) {
        precondition(left.map(\.name) == right.map(\.name), "both sides have the same frames")
        sides = [left.map(\.frame), right.map(\.frame)]
        times = left.reduce(into: [0]) { times, picture in
            let milliseconds = picture.name.split(separator: " ").last.flatMap { Int($0) }
            times.append((times.last ?? 0) + (milliseconds ?? 1000))
        }
    }

    private struct Run: Hashable {
        let first: Int
        let last: Int

        var name: String { "r\(first)-\(last)" }
    }

    var text: String {
        let columns = sides[0][0].width
        let rows = sides[0][0].height
        let width = Double(columns) * SVG.cellWidth + 2 * SVG.margin
        let height = Double(rows) * SVG.cellHeight + 2 * SVG.margin
        let gap = 20.0
        var runs: Set<Run> = []
        var body: [String] = []
        for (side, frames) in sides.enumerated() {
            let x = Double(side) * (width + gap)
            body.append("<g transform=\"translate(\(SVG.short(x)) 0)\">")
            body.append(
                "<rect width=\"\(SVG.short(width))\" height=\"\(SVG.short(height))\" rx=\"8\" fill=\"\(SVG.background)\" stroke=\"#6c6f6a\"/>"
            )
            for row in 0..<rows {
                for (run, lines) in Self.runs(of: row, in: frames) where !lines.isEmpty {
                    if run.last - run.first + 1 < frames.count {
                        runs.insert(run)
                        body.append("<g class=\"\(run.name)\">")
                        body += lines + ["</g>"]
                    } else {
                        body += lines
                    }
                }
            }
            body.append("</g>")
        }
        return SVG.document(
            width: 2 * width + gap, height: height, style: runs.sorted { $0.name < $1.name }.map(style), body)
    }

    /// The distinct drawings of a row, and the frames that show each.
    private static func runs(of row: Int, in frames: [Frame]) -> [(Run, [String])] {
        var runs: [(first: Int, last: Int, lines: [String])] = []
        for (index, frame) in frames.enumerated() {
            let lines = SVG.elements(of: row, frame)
            if let last = runs.last, last.lines == lines {
                runs[runs.count - 1].last = index
            } else {
                runs.append((index, index, lines))
            }
        }
        return runs.map { (Run(first: $0.first, last: $0.last), $0.lines) }
    }

    private func style(_ run: Run) -> String {
        let total = times.last ?? 1
        func percent(_ time: Int) -> String { SVG.short(Double(time) * 100 / Double(total)) + "%" }
        var steps: [String] = []
        if run.first > 0 { steps.append("0%{visibility:hidden}") }
        steps.append("\(percent(times[run.first])){visibility:visible}")
        let isLast = run.last == times.count - 2
        if !isLast { steps.append("\(percent(times[run.last + 1])){visibility:hidden}") }
        let name = run.name
        return "@keyframes \(name){\(steps.joined())}"
            + ".\(name){visibility:\(isLast ? "visible" : "hidden");animation:\(name) \(total)ms step-end infinite}"
    }
}
