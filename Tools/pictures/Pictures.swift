import EditorSessions
import Foundation
import TerminalCore

/// Draws the pictures of the documents from real frames: runs the sessions in `scenes/` and writes each
/// requested frame to `svg/` under its name. A scene `NAME.left.session` with its `NAME.right.session`
/// becomes one animation of two terminals, whose frames are named `NUMBER MILLISECONDS`.
@main
enum Pictures {
    static func main() throws {
        let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? "Tools/pictures")
        let scenes = folder.appending(path: "scenes")
        let svg = folder.appending(path: "svg")
        for file in try FileManager.default.contentsOfDirectory(atPath: scenes.path).sorted() {
            guard file.hasSuffix(".session"), !file.hasSuffix(".right.session") else { continue }
            let pictures = try run(scenes.appending(path: file))
            if file.hasSuffix(".left.session") {
                let name = file.replacing(".left.session", with: "")
                let right = try run(scenes.appending(path: "\(name).right.session"))
                let film = Film(left: pictures, right: right)
                try write(film.text, to: svg.appending(path: "\(name).svg"))
            } else {
                for picture in pictures {
                    try write(SVG.text(of: picture.frame), to: svg.appending(path: "\(picture.name).svg"))
                }
            }
        }
    }

    private static func run(_ file: URL) throws -> [SessionRun.Picture] {
        let script = try String(contentsOf: file, encoding: .utf8)
        do { return try SessionRun(script, colorDepth: .trueColor).pictures } catch {
            FileHandle.standardError.write(Data("\(file.lastPathComponent), \(error)\n".utf8))
            exit(65)
        }
    }

    private static func write(_ text: String, to file: URL) throws {
        try Data(text.utf8).write(to: file)
        print(file.path)
    }
}
