import TripModel
import TripProtocol

extension ImportMaker {
    private struct PlannedEdit {
        let phase: Phase
        /// The step that it belongs to; nil for a removal.
        let step: Int?
        let edit: Edit
    }

    /// All edits in order, and the report of what they come to.
    ///
    /// They are tried on a copy of the trip first: an entry that the trip refuses is skipped, and the others count.
    consuming func finished() -> ([Edit], ImportReport) {
        var maker = self
        var planned = maker.planned()
        var outcome = maker.outcome(of: planned)
        while outcome == nil {
            maker.refuse(planned)
            planned = maker.planned()
            outcome = maker.outcome(of: planned)
        }
        if let after = outcome { maker.tellProblems(of: after) }
        maker.count()
        return (planned.map(\.edit), maker.report)
    }

    private func planned() -> [PlannedEdit] {
        var planned = removals.map { PlannedEdit(phase: .removal, step: nil, edit: .remove($0)) }
        for (index, step) in steps.enumerated() where step.refusal == nil {
            planned += step.edits.map { PlannedEdit(phase: $0.phase, step: index, edit: $0.edit) }
        }
        // The sort is stable: within a phase edits keep the order of the file.
        return planned.sorted { $0.phase.rawValue < $1.phase.rawValue }
    }

    private static let author = Author(name: "import", at: Timestamp(milliseconds: 0))

    /// The trip after all edits as one change; nil where it refuses one.
    private func outcome(of planned: [PlannedEdit]) -> Trip? {
        var copy = trip
        do throws(EditFailure) {
            _ = try copy.apply(planned.map(\.edit), by: Self.author)
            return copy
        } catch {
            return nil
        }
    }

    /// Finds what the trip refuses, by making the edits one by one, and leaves it out; travel gets another place first.
    private mutating func refuse(_ planned: [PlannedEdit]) {
        var copy = trip
        var refused: Set<Int?> = []
        for edit in planned where !refused.contains(edit.step) {
            do throws(EditFailure) {
                _ = try copy.apply([edit.edit], by: Self.author)
            } catch {
                if edit.step != nil { refused.insert(edit.step) }
                refuse(edit, error.rejection, in: copy)
            }
        }
        // What is accepted one by one is accepted together; should it not be, the last of it goes.
        if refused.isEmpty, let last = planned.last(where: { $0.step != nil }), let step = last.step {
            steps[step].refusal = "it does not go together with the others"
        }
    }

    private mutating func refuse(_ planned: PlannedEdit, _ rejection: Rejection, in copy: Trip) {
        guard let index = planned.step else {
            if let id = planned.edit.item { removals.removeAll { $0 == id } }
            return
        }
        if planned.phase != .references, let elsewhere = steps[index].elsewhere {
            steps[index].elsewhere = nil
            steps[index].edits = steps[index].edits.filter { $0.phase == .references }
            steps[index].edits.append((.travel, elsewhere))
            return
        }
        let error = WireError(rejection, in: copy, prefix: "", holder: { _ in "somebody" })
        steps[index].refusal = TextRule.visible(error.message)
    }

    // MARK: The report

    private mutating func count() {
        for step in steps {
            let entry = entries.entries[step.entry]
            if let refusal = step.refusal {
                report.skipped.append(SkippedEntry(line: entry.line, id: entry.id, reason: refusal))
            } else if step.isNew {
                report.imported += 1
            } else if step.edits.isEmpty {
                report.unchanged += 1
            } else {
                report.updated += 1
            }
        }
        report.removed = removals.count
        report.skipped.sort { $0.line < $1.line }
    }

    private mutating func tellProblems(of after: Trip) {
        struct Key: Hashable {
            let kind: Problem.Kind
            let items: [ItemID]
        }
        let before = Set(trip.problems.map { Key(kind: $0.kind, items: $0.items) })
        report.problems = after.problems.filter { !before.contains(Key(kind: $0.kind, items: $0.items)) }
        for problem in report.problems where problem.kind == .travelInvalid {
            guard let id = problem.items.first, let item = after[id] else { continue }
            let title = item.content.title
            let head = title + ": "
            let reason =
                problem.message.hasPrefix(head)
                ? String(problem.message.dropFirst(head.count)) : problem.message
            report.invalidTravel.append(.init(item: id, title: title, reason: reason))
        }
    }
}
