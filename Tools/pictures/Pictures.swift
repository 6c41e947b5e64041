import EditorSessions
import Foundation
import TerminalCore

/// Draws the pictures of the README: runs the sessions in `scenes/` and writes each frame that they ask for to
/// `svg/`, under its name.
@main
enum Pictures {
    static func main() throws {
        let folder = URL(filePath: CommandLine.arguments.dropFirst().first ?? "Tools/pictures")
        let scenes = folder.appending(path: "scenes")
        let files = try FileManager.default.contentsOfDirectory(atPath: scenes.path).sorted()
        for file in files where file.hasSuffix(".session") {
            let script = try String(contentsOf: scenes.appending(path: file), encoding: .utf8)
            let run: SessionRun
            do { run = try SessionRun(script, colorDepth: .trueColor) } catch {
                FileHandle.standardError.write(Data("\(file), \(error)\n".utf8))
                exit(65)
            }
            for picture in run.pictures {
                let target = folder.appending(path: "svg/\(picture.name).svg")
                try Data(SVG.text(of: picture.frame).utf8).write(to: target)
                print(target.path)
            }
        }
    }
}
