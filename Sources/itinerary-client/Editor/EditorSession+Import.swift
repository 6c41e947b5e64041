import ItineraryUI
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel

/// A schedule dropped on the editor.
extension EditorSession {
    /// Tells the editor what a schedule would change in the trip as it is shown: all that differs, but for the items that
    /// people have removed.
    func previewImport(of path: String) async {
        var file: NamedSchedule
        do throws(CommandFailure) {
            file = try await read(path)
            guard let trip = shown?.trip.header.id else { return }
            file.options.removedItems = try await withDaemon { client throws(ClientError) in
                try await RemovedItems.of(trip, client)
            }
        } catch {
            handle(.failed(.importPreview, error.message))
            return
        }
        guard let trip = shown?.trip else { return }
        do throws(ImportPlan.Refusal) {
            let preview = Self.preview(of: try file.plan(into: trip), file.name)
            previewed = (file, preview)
            handle(.importPreview(preview))
        } catch {
            handle(.failed(.importPreview, "\(path): \(error)"))
        }
    }

    /// Imports what was previewed; where it has come to another thing by now, that is shown first.
    func takeImport() {
        guard let (file, preview) = previewed, let trip = shown?.trip else { return }
        do throws(ImportPlan.Refusal) {
            let plan = try file.plan(into: trip)
            let now = Self.preview(of: plan, preview.name)
            guard now == preview else {
                previewed = (file, now)
                return handle(.importPreview(now))
            }
            previewed = nil
            handle(.importEdits(plan.edits))
        } catch {
            handle(.failed(.aside, "\(file.name): \(error)"))
        }
    }

    private static func preview(of plan: ImportPlan, _ name: String) -> ImportPreview {
        ImportPreview(name: name, lines: lines(of: plan), hasChanges: !plan.edits.isEmpty)
    }

    private static func lines(of plan: ImportPlan) -> [String] {
        let report = plan.report
        var lines = [
            "\(report.imported) new, \(report.updated) changed, \(report.unchanged) as they are, "
                + "\(report.skipped.count) skipped"
        ]
        for case .add(_, let content, _) in plan.edits { lines.append("+ \(content.title)") }
        lines += report.skipped.map { "! \($0)" }
        lines += report.notes.map(\.description)
        return lines
    }

    /// Reads a file on a thread of its own, as a disk may take its time.
    private func read(_ path: String) async throws(CommandFailure) -> NamedSchedule {
        let home = CurrentUser.home(environment: ProcessEnvironment.current.variables) ?? ""
        let path = path.hasPrefix("~/") ? home + path.dropFirst() : path
        let patience = caller.timeout
        let result: Result<NamedSchedule, CommandFailure> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                reader = try WorkerThread {
                    continuation.resume(
                        returning: Result { () throws(CommandFailure) in
                            try NamedSchedule(path, patience: patience)
                        })
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
}
