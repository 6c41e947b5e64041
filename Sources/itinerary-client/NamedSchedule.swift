import LocalSystem
import ScheduleFiles
import TripModel

/// A schedule read from a file, with what the file is called.
struct NamedSchedule: Sendable {
    /// The last part of the file's path.
    let name: String
    let file: ScheduleFile
    var options: ImportOptions

    /// Reads a file; blocks until it is read. A pipe is not waited for.
    ///
    /// - Parameter format: its format; nil where its name or what it holds tells.
    init(_ path: String, as given: FileFormat? = nil) throws(CommandFailure) {
        try self.init(try Self.bytes(of: path), named: path, as: given)
    }

    /// Reads what a file has in it.
    ///
    /// - Parameters:
    ///   - path: what the file is called.
    ///   - format: its format; nil where its name or what it holds tells.
    init(_ bytes: [UInt8], named path: String, as given: FileFormat? = nil) throws(CommandFailure) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        options = ImportOptions(source: ImportOptions.source(ofPath: path))
        let format = given ?? FileFormat(fileName: path) ?? FileFormat(content: bytes)
        guard FileFormat.imported.contains(format) else {
            throw CommandFailure(
                "\(path): a .\(format.rawValue) cannot be imported; .ics, .csv and .json can",
                exitCode: CommandFailure.badData)
        }
        do throws(FileError) { file = try ScheduleFile(bytes, format) } catch {
            throw CommandFailure("\(path): \(error)", exitCode: CommandFailure.badData)
        }
    }

    /// What it changes in a trip.
    func plan(into trip: Trip) throws(ImportPlan.Refusal) -> ImportPlan {
        var generator = SystemRandomNumberGenerator()
        return try ImportPlan(importing: file, into: trip, options, using: &generator)
    }

    /// The bytes of a file; blocks until they are read. A pipe is not waited for.
    static func bytes(of path: String) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8]?
        var isTooLarge = false
        do throws(SystemError) {
            // Opening a pipe would wait for whoever writes into it.
            if try FileStatus.ofPath(path)?.kind == .regular {
                let file = try OpenFile(path, .read, in: RealFileSystem())
                let size = try file.size()
                isTooLarge = size > FileText.maximumBytes
                if !isTooLarge { bytes = try file.read(at: 0, count: Int(size)) }
            }
        } catch {
            let what = error.path == nil ? "\(path): " : ""
            throw CommandFailure("\(what)\(error)", exitCode: CommandFailure.noInput)
        }
        if isTooLarge {
            throw CommandFailure("\(path): \(FileError.tooLarge)", exitCode: CommandFailure.badData)
        }
        guard let bytes else {
            throw CommandFailure("\(path) is no file", exitCode: CommandFailure.noInput)
        }
        return bytes
    }
}
