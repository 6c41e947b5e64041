import ItineraryUI
import LocalSystem
import ScheduleFiles
import TripModel

/// A schedule dropped on the editor.
extension EditorSession {
    /// The most bytes of a schedule that are read.
    private static let fileLimit: Int64 = 16 * 1024 * 1024

    /// Tells the editor what a schedule would change in the trip as it is shown.
    func previewImport(of path: String) async {
        let table: ScheduleTable
        do throws(CommandFailure) { table = try await read(path) } catch {
            handle(.failed(error.message))
            return
        }
        guard let trip = shown?.trip else { return }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let preview = Self.preview(of: Self.plan(table, trip), name)
        previewed = (table, preview)
        handle(.importPreview(preview))
    }

    /// Imports what was previewed; where it has come to another thing by now, that is shown first.
    func takeImport() {
        guard let (table, preview) = previewed, let trip = shown?.trip else { return }
        let plan = Self.plan(table, trip)
        let now = Self.preview(of: plan, preview.name)
        guard now == preview else {
            previewed = (table, now)
            return handle(.importPreview(now))
        }
        previewed = nil
        handle(.importEdits(plan.batches))
    }

    private static func plan(_ table: ScheduleTable, _ trip: Trip) -> ImportPlan {
        var generator = SystemRandomNumberGenerator()
        return ImportPlan(importing: table, into: trip, using: &generator)
    }

    private static func preview(of plan: ImportPlan, _ name: String) -> ImportPreview {
        ImportPreview(name: name, lines: lines(of: plan), hasChanges: !plan.batches.isEmpty)
    }

    private static func lines(of plan: ImportPlan) -> [String] {
        var lines = [
            "\(plan.imported) new, \(plan.updated) changed, \(plan.unchanged) as they are, "
                + "\(plan.badRows.count) rows that give no game"
        ]
        for case .add(_, let content, _) in plan.additions { lines.append("+ \(content.title)") }
        lines += plan.badRows.map { "! \($0)" }
        return lines
    }

    /// Reads a file on a thread of its own, as a disk may take its time.
    private func read(_ path: String) async throws(CommandFailure) -> ScheduleTable {
        let home = CurrentUser.home(environment: ProcessEnvironment.current.variables) ?? ""
        let path = path.hasPrefix("~/") ? home + path.dropFirst() : path
        let result: Result<ScheduleTable, CommandFailure> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                reader = try WorkerThread {
                    continuation.resume(
                        returning: Result { () throws(CommandFailure) in try Self.load(path) })
                }
            } catch {
                continuation.resume(
                    returning: .failure(
                        CommandFailure("\(error)", exitCode: CommandFailure.unavailable)))
            }
        }
        reader = nil
        return try result.get()
    }

    private static func load(_ path: String) throws(CommandFailure) -> ScheduleTable {
        var bytes: [UInt8]?
        var isTooLarge = false
        do throws(SystemError) {
            // Opening a pipe would wait for whoever writes into it.
            if try FileStatus.ofPath(path)?.kind == .regular {
                let file = try OpenFile(path, .read, in: RealFileSystem())
                let size = try file.size()
                isTooLarge = size > fileLimit
                if !isTooLarge { bytes = try file.read(at: 0, count: Int(size)) }
            }
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.noInput)
        }
        if isTooLarge {
            throw CommandFailure(
                "\(path) has more than \(fileLimit >> 20) MiB", exitCode: CommandFailure.badData)
        }
        guard let bytes else {
            throw CommandFailure("\(path) is no file", exitCode: CommandFailure.noInput)
        }
        do throws(ScheduleFileError) { return try ScheduleTable(csv: bytes) } catch {
            throw CommandFailure("\(path): \(error)", exitCode: CommandFailure.badData)
        }
    }
}
