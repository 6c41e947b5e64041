import TripModel
import TripProtocol

extension ImportMaker {
    private struct PlannedEdit {
        let phase: Phase
        /// The index of its step; nil for a removal.
        let step: Int?
        let edit: Edit
    }

    /// All edits in order, and the report.
    ///
    /// The edits are tried on a copy of the trip first. An entry that the trip refuses is skipped; the others
    /// are imported.
    consuming func finished() -> ([Edit], ImportReport) {
        var maker = self
        var planned = maker.planned()
        var outcome = maker.outcome(of: planned)
        while outcome == nil {
            maker.refuse(planned)
            planned = maker.planned()
            outcome = maker.outcome(of: planned)
        }
        var edits = planned.map(\.edit)
        if var after = outcome {
            let accepted = maker.acceptances(in: after)
            if !accepted.isEmpty, (try? after.apply(accepted, by: Self.author)) != nil { edits += accepted }
            edits += maker.rateEdits(in: after) + maker.todoEdits(in: after)
            maker.reportProblems(of: after)
            maker.reportBorrowedZones(of: after)
        }
        maker.count(in: outcome ?? maker.trip)
        return (edits, maker.report)
    }

    /// The edits that accept the problems that were accepted in the exported trip, with the ids of the new items.
    /// Problems of items that this trip had before are not accepted by an import.
    private func acceptances(in after: Trip) -> [Edit] {
        guard !entries.acceptedProblems.isEmpty else { return [] }
        let wanted = Set(
            entries.acceptedProblems.compactMap { key in
                Problem.key(key) { itemsByFileID[$0] ?? $0 }
            })
        return after.problems.filter { problem in
            wanted.contains(problem.key) && !problem.isAccepted
                && problem.items.contains(where: newItems.contains)
        }.map { .trip(TripChange(acceptance: .init(of: $0.key, true))) }
    }

    /// The edit that sets the file's exchange rates; none if the trip has rates, or if the file's cannot be read.
    private mutating func rateEdits(in trip: Trip) -> [Edit] {
        guard !entries.rates.isEmpty, trip.header.rates.isEmpty else { return [] }
        var copy = trip
        let edits = [Edit.trip(TripChange(rates: entries.rates))]
        do throws(EditFailure) { _ = try copy.apply(edits, by: Self.author) } catch {
            report.notes.append(
                FileNote(text: "the exchange rates \(shown(entries.rates)) are left out: they cannot be read")
            )
            return []
        }
        return edits
    }

    /// The edits that add the file's things to do, and tick off those that are done in the file. Users' changes of
    /// texts and ticks are kept.
    private mutating func todoEdits(in trip: Trip) -> [Edit] {
        var (copy, edits) = (trip, [Edit]())
        for todo in entries.todo {
            let id = todo.own ?? TodoID(derivedFrom: ["todo", options.source, todo.id])
            let old = copy.header.todo.first { $0.id == id }
            guard old == nil || todo.isDone && old?.doneBy == nil else { continue }
            let change = TodoChange(
                id, text: old == nil ? todo.text : nil, isDone: todo.isDone ? true : nil,
                item: old == nil ? todo.item : nil)
            let edit = Edit.trip(TripChange(todo: change))
            do throws(EditFailure) { _ = try copy.apply([edit], by: Self.author) } catch {
                if case .invalid(_, let reason) = error.rejection {
                    report.notes.append(FileNote(text: "\(shown(todo.text)) is left out: \(reason)"))
                    continue
                }
                report.notes.append(FileNote(text: "\(shown(todo.text)): the list of things to do is full"))
                break
            }
            edits.append(edit)
        }
        let count = edits.count
        if count > 0 {
            report.notes.append(
                FileNote(
                    text: count == 1
                        ? "1 thing to do added or ticked off" : "\(count) things to do added or ticked off"))
        }
        return edits
    }

    private func planned() -> [PlannedEdit] {
        var planned = removals.map { PlannedEdit(phase: .removal, step: nil, edit: .remove($0)) }
        planned += cancellations.map { PlannedEdit(phase: .games, step: nil, edit: $0) }
        for (index, step) in steps.enumerated() where step.refusal == nil {
            planned += step.edits.map { PlannedEdit(phase: $0.phase, step: index, edit: $0.edit) }
        }
        // The sort is stable: within a phase edits keep the file's order.
        return planned.sorted { $0.phase.rawValue < $1.phase.rawValue }
    }

    static let author = Author(name: "import", at: Timestamp(milliseconds: 0))

    /// The trip after all edits as one change; nil if one is refused.
    private func outcome(of planned: [PlannedEdit]) -> Trip? {
        var copy = trip
        do throws(EditFailure) {
            _ = try copy.apply(planned.map(\.edit), by: Self.author)
            return copy
        } catch {
            return nil
        }
    }

    /// Applies the edits one by one, and drops those that the trip refuses. Travel is first tried at another
    /// place.
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
        // Edits that are accepted one by one should be accepted together. If not, the last one is dropped.
        if refused.isEmpty, let last = planned.last(where: { $0.step != nil }), let step = last.step {
            steps[step].refusal = "it conflicts with the other entries"
        }
    }

    private mutating func refuse(_ planned: PlannedEdit, _ rejection: Rejection, in copy: Trip) {
        guard let index = planned.step else {
            if let id = planned.edit.item {
                removals.removeAll { $0 == id }
                cancellations.removeAll { $0.item == id }
            }
            return
        }
        if case .place(.noValidPosition) = rejection, planned.phase != .references,
            let opened = openingSide(planned.edit, of: entries.entries[steps[index].entry], in: copy)
        {
            steps[index].edits = [(.travel, opened)]
            return
        }
        if planned.phase != .references, let alternative = steps[index].alternative {
            steps[index].alternative = nil
            steps[index].edits = steps[index].edits.filter { $0.phase == .references }
            steps[index].edits.append((.travel, alternative))
            return
        }
        let error = WireError(rejection, in: copy, prefix: "", holder: { _ in "somebody" })
        steps[index].refusal = TextRule.visible(error.message)
    }

    /// New travel without a valid place gets an open side, unless the file names its games.
    private mutating func openingSide(_ edit: Edit, of entry: FileEntry, in copy: Trip) -> Edit? {
        guard case .add(let id, .travel(let travel), let place) = edit, entry[.afterGame] == nil,
            entry[.beforeGame] == nil,
            let open = copy.openingSide(of: travel, onDay: place?.day) ?? copy.openingSide(of: travel)
        else { return nil }
        report.notes.append(
            entry.note(copy.openedSentence(for: open.travel, open.side)))
        return .add(id, .travel(open.travel), to: place)
    }

    /// Sets the games that travel names, which all exist by then.
    mutating func addReferences(_ index: Int) {
        let entry = entries.entries[steps[index].entry]
        guard entry.kind == .travel else { return }
        var changes: [FieldChange] = []
        for field in [ItemField.afterGame, .beforeGame] {
            guard case .side(var side)? = entry[field] else { continue }
            if case .game(let named) = side {
                let game = itemsByFileID[named] ?? named
                guard trip[game] != nil || newItems.contains(game) else { continue }
                side = .game(game)
            }
            if trip[steps[index].item]?.content[field] != .side(side) {
                changes.append(FieldChange(field, .side(side)))
            }
        }
        if !changes.isEmpty { steps[index].edits.append((.references, .update(steps[index].item, changes))) }
    }

    // MARK: The report

    /// Counts and names what happens to each item, according to the trip after the import.
    private mutating func count(in after: Trip) {
        for step in steps {
            let entry = entries.entries[step.entry]
            if let refusal = step.refusal {
                report.skipped.append(entry.skipped(reason: refusal))
            } else if step.isNew, step.replaced == nil {
                report.imported += 1
                if let item = after[step.item] { report.added.append(NamedEntry(item, after.header)) }
            } else if step.edits.isEmpty || !step.isChange {
                report.unchanged += 1
            } else {
                report.updated += 1
                guard let before = trip[step.replaced ?? step.item], let item = after[step.item] else {
                    continue
                }
                let change = EntryChange(before, item, after.header)
                if !change.differences.isEmpty { report.changed.append(change) }
            }
        }
        report.removed = removals.count
        report.gone = (removals + report.vanished).compactMap { trip[$0] }.map { NamedEntry($0, trip.header) }
        // Others only record that the source cancels them.
        report.updated += cancellations.count {
            if case .update(_, let changes) = $0 {
                changes.contains { $0.field == .cancelled }
            } else {
                false
            }
        }
        report.skipped.sort { $0.line < $1.line }
    }

    /// Notes the zones that new travel takes from other items, and those of events that are given by an offset.
    private mutating func reportBorrowedZones(of after: Trip) {
        for (note, events) in zoneNotes.sorted(by: { ($0.value[0], $0.key) < ($1.value[0], $1.key) }) {
            let first = entries.entries[events[0]]
            let others = events.count == 1 ? "" : " (\(events.count) events)"
            report.notes.append(first.note(note + others))
        }
        for step in steps where step.isNew && step.refusal == nil {
            let entry = entries.entries[step.entry]
            guard entry.own == nil, let item = after[step.item], case .travel(let travel) = item.content
            else { continue }
            let day = item.position.day
            for zone in after.borrowedZones(of: travel, at: item, onDay: day, isByArrival: false) {
                report.notes.append(entry.note(shown(zone.sentence)))
            }
        }
    }

    private mutating func reportProblems(of after: Trip) {
        struct Key: Hashable {
            let kind: Problem.Kind
            let items: [ItemID]
        }
        let before = Set(trip.problems.map { Key(kind: $0.kind, items: $0.items) })
        report.problems = after.problems.filter {
            !$0.kind.isHint && !before.contains(Key(kind: $0.kind, items: $0.items))
        }
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
