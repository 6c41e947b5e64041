import ItineraryUI
import LocalSystem
import ScheduleFiles
import TripClient
import TripModel

/// Importing a schedule file that was dropped on the editor.
extension EditorSession {
    /// Previews the changes that a schedule makes in the shown trip. Items that users have removed are not
    /// added again.
    func previewImport(of path: String) async {
        var file: NamedSchedule
        let said: [ItemID: SourceValues]
        do throws(CommandFailure) {
            file = try await read(path)
            guard let trip = shown?.trip.header.id else { return }
            (file.options.removedItems, said) = try await withDaemon { client throws(ClientError) in
                let removed = try await RemovedItems.of(trip, client)
                return (
                    removed, try await client.snapshot(of: .id(trip), includingSourceValues: true).trip.said
                )
            }
        } catch {
            handle(.failed(.importPreview, error.message))
            return
        }
        guard var trip = shown?.trip else { return }
        trip.learn(said: said)
        do throws(ImportPlan.Refusal) {
            let preview = Self.preview(of: try file.plan(into: trip), file.name)
            previewed = (file, preview, said)
            handle(.importPreview(preview))
        } catch {
            handle(.failed(.importPreview, "\(path): \(error)"))
        }
    }

    /// Imports the previewed schedule. If the result would differ by now, a new preview is shown instead.
    func takeImport() {
        guard let (file, preview, said) = previewed, var trip = shown?.trip else { return }
        trip.learn(said: said)
        do throws(ImportPlan.Refusal) {
            let plan = try file.plan(into: trip)
            let now = Self.preview(of: plan, preview.name)
            guard now == preview else {
                previewed = (file, now, said)
                return handle(.importPreview(now))
            }
            previewed = nil
            handle(.importEdits(plan.edits))
        } catch {
            handle(.failed(.aside, "\(file.name): \(error)"))
        }
    }

    private static func preview(of plan: ImportPlan, _ name: String) -> ImportPreview {
        let report = plan.report
        let result = "\(report.imported) new, \(report.updated) changed"
        let first = "\(result), \(report.unchanged) as they are, \(report.skipped.count) skipped"
        let lines = [first] + report.names() + report.concerns + report.notes.map(\.description)
        return ImportPreview(name: name, result: result, lines: lines, hasChanges: !plan.edits.isEmpty)
    }

    /// Reads a file on a separate thread, because a disk may be slow.
    private func read(_ path: String) async throws(CommandFailure) -> NamedSchedule {
        let home = CurrentUser.home(environment: ProcessEnvironment.current.variables) ?? ""
        let path = path.hasPrefix("~/") ? home + path.dropFirst() : path
        let timeout = caller.timeout
        let result: Result<NamedSchedule, CommandFailure> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                reader = try WorkerThread {
                    continuation.resume(
                        returning: Result { () throws(CommandFailure) in
                            try NamedSchedule(path, timeout: timeout)
                        })
                }
            } catch {
                continuation.resume(
                    returning: .failure(
                        CommandFailure("\(error)", exitCode: .unavailable)))
            }
        }
        reader = nil
        return try result.get()
    }
}
