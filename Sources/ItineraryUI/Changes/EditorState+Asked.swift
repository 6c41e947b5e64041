import TripModel

/// The outcomes of requested changes: done, refused with the reason, or unknown.
extension EditorState {
    /// Sets the words for requested changes when a view shows them.
    mutating func wordAsked() {
        for number in asked.numbers {
            if let change = asked[number], change.words == nil {
                asked.word(number, words(for: change.description))
            }
        }
    }

    private func words(for description: ChangeDescription) -> AskedChange.Words {
        switch description {
        case .move(let id, let title, let from, _):
            guard let outline = board?.outline, let row = outline.row(of: id) else {
                return ("Moved \(title).\(undoHint)", "moving \(title)")
            }
            let to = outline.placeName(ofRow: row)
            // The view may not show it at the requested place.
            if to == from { return ("Moved \(title).\(undoHint)", "moving \(title)") }
            return ("Moved \(title) from \(from) to \(to).\(undoHint)", "moving \(title) to \(to)")
        case .add(let ids, let what):
            let what = ids.count == 1 ? currentTitle(ids[0]) ?? what : what
            return ("Added \(what).\(undoHint)", "adding \(what)")
        case .remove(let title): return ("Removed \(title).\(undoHint)", "removing \(title)")
        case .change(let id, let title, let fields):
            let name = "changing \(fields) of \(title)"
            guard fields == "title", options.style.showsRows,
                let new = board?.outline.trip[id]?.content.title
            else {
                let what = options.style.showsRows ? currentTitle(id) ?? title : "\(fields) of \(title)"
                return ("Changed \(what).\(undoHint)", name)
            }
            return ("The title is now \(new).", name)
        case .other(let done, let name): return ("\(done)\(undoHint)", name)
        case .undo: return ("Your last change was undone.", "undo")
        case .redo: return ("Your last change was redone.", "redo")
        }
    }

    private func currentTitle(_ id: ItemID) -> String? { board?.outline.trip[id]?.content.title }

    /// Shows a message while changes are being delivered before the trip is closed.
    mutating func sayLeaving(opensOther: Bool) {
        guard !asked.isEmpty else { return }
        let name = asked.count == 1 ? " (\(unresolvedChanges[0]))" : ""
        let next = opensOther ? "opening the other trip" : "leaving"
        if !opensOther { returnToList() }
        say("Waiting for \(counted(asked.count, "change"))\(name) before \(next). Ctrl-C leaves now.")
    }

    /// Descriptions of changes without an outcome, in order.
    var unresolvedChanges: [String] {
        asked.numbers.compactMap { asked[$0] }.map { $0.words?.name ?? words(for: $0.description).name }
    }

    /// The unread reports of failed or uncertain changes, a sentence each.
    package var notDoneSentences: [String] {
        notDone.entries.map(\.text)
            + (notDone.moreCount > 0 ? ["\(counted(notDone.moreCount, "change")) more"] : [])
    }

    /// The unread reports, each with its trip.
    package var notDoneByTrip: [String] {
        notDone.carried(from: board?.outline.trip.header.name ?? "").entries.map(\.text)
    }

    /// The unread reports, and reports of changes without an outcome, which may or may not be applied.
    package var unconfirmedByTrip: [String] {
        var all = notDone
        for what in unresolvedChanges {
            all.note("\(Self.uncertainPrefix)\(what): the window was closed before the daemon answered")
        }
        return all.carried(from: board?.outline.trip.header.name ?? "").entries.map(\.text)
    }

    /// Adds reports of an earlier session that could not be shown.
    mutating func recall(unsaid sentences: [String]) {
        for sentence in sentences { notDone.note(recalled: sentence) }
        let what = counted(sentences.count, "change")
        let verb = sentences.count == 1 ? "was" : "were"
        let key = keys.advertisedKey(of: .notDone, in: .list).map { "; \($0) shows more" } ?? ""
        refuse("\(what) \(verb) not saved or not confirmed when a window was closed\(key).")
    }

    /// Handles the outcome of a change.
    mutating func resolve(_ number: Int, _ outcome: ChangeOutcome) {
        guard let change = asked.remove(number) else { return }
        let words = change.words ?? words(for: change.description)
        let run = asked.advanceRun(of: change, outcome)
        switch outcome {
        case .made(let summary, let items): made(change, words.done, summary, items)
        case _ where run != nil: motion.hideToast()
        // No change is lost, so there is nothing to list.
        case .noneLeft(let reason):
            motion.hideToast()
            refuse("\(capitalized(reason)).")
        case .refused(let reason): notMade(change, "\(Self.notDonePrefix)\(words.name)", named(reason))
        case .unknown(let reason): notMade(change, "\(Self.uncertainPrefix)\(words.name)", named(reason))
        }
        if let run, run.isResolved { report(run, of: words.name) }
        // The reason why the trip is closed stays visible. Failed changes are counted, and reported at the
        // end.
        if case .ended(let end) = mode { refuse(end.sentence) }
    }

    /// Reports how many undos or redos of a key with a count were made, and what stopped the others.
    private mutating func report(_ run: AskedChanges.Run, of name: String) {
        guard let failure = run.failure else {
            return mention("\(name == "undo" ? "Undone" : "Done again"): \(counted(run.made, "change")).")
        }
        let done = "\(run.made) of \(run.requested) changes \(name == "undo" ? "undone" : "done again")"
        let sentence =
            "\(done)\(run.isUncertain ? "; the others may or may not be" : ""): \(named(failure))"
        if run.hasFailed { notDone.note(sentence) }
        refuse(sentence)
    }

    private mutating func made(
        _ change: AskedChange, _ done: String, _ summary: String?, _ items: [ItemID]
    ) {
        var sentence = done
        switch change.description {
        case .undo:
            if let summary { sentence = "Undone: \(summary)." }
            follow(change, items.last)
        case .redo:
            if let summary { sentence = "Redone: \(summary)." }
            follow(change, items.last)
        case .move, .add, .remove, .change, .other: break
        }
        if let changes = change.othersChanges { sentence += " Meanwhile \(changes)." }
        if let overwrites = change.overwrites, mode.isBrowsing {
            return refuse("\(overwrites) \(sentence)")
        }
        // During a drag or while text is written, their own message is more important.
        if mode.isBrowsing { mention(sentence) }
    }

    /// Moves the focus to the item of a change, unless the user has moved the cursor since: the next key is
    /// for the visible focus.
    private mutating func follow(_ change: AskedChange, _ id: ItemID?) {
        let time = options.style.guardsKeys ? lastInput + UnexpectedChanges.glance : nil
        if let time, change.input != inputCount || now > time { return }
        board?.wait(for: id, until: time)
        followFocus()
    }

    private mutating func notMade(_ change: AskedChange, _ what: String, _ reason: String) {
        var sentence = "\(what): \(reason)"
        motion.hideToast()
        unexpectedChanges.forgetRemovals(notMadeIn: board?.view.trip)
        notDone.note(sentence, written: change.written)
        if notDone.count > 1, let key = keys.advertisedKey(of: .notDone, in: .list) {
            sentence = "\(notDone.count) changes not done; \(key) lists them. \(sentence)"
        }
        refuse(sentence)
        if case .move(_, _, _, let drag?) = change.description { snapBack(drag, reason) }
    }

    /// A reason with items' titles instead of ids.
    func named(_ reason: String) -> String {
        var result = reason
        var start = reason.startIndex
        while let end = reason.index(start, offsetBy: 36, limitedBy: reason.endIndex) {
            if reason[start] != " ", let id = ItemID(String(reason[start..<end])) {
                let text = String(reason[start..<end])
                if let title = currentTitle(id) ?? removedTitles[id] {
                    let gone = board?.view.trip[id] == nil ? "has been removed" : "is not in the trip"
                    result = result.replacing("the trip has no item \(text)", with: "\(title) \(gone)")
                        .replacing(text, with: title)
                }
            }
            start = reason.index(after: start)
        }
        return result
    }

    /// The beginning of the sentence about a change with an unknown outcome.
    package static let uncertainPrefix = "May or may not be saved: "

    /// The beginning of the sentence about a failed change.
    package static let notDonePrefix = "Not done: "

    /// A report, and below it the texts that the change would have written.
    private func choices(of entry: NotDone.Entry) -> [Chooser.Choice] {
        let sentence = entry.sentence
        let what =
            sentence.hasPrefix(Self.notDonePrefix)
            ? sentence.dropFirst(Self.notDonePrefix.count) : sentence[...]
        let texts = [entry.prefix + what] + entry.written
        let lines = texts.enumerated().flatMap { index, text in
            // The rest of a sentence, which another session may have stored, is shown in full too.
            Wrapping.lines(
                of: text, columns: max(screen.sheetArea(lines: 1).columns.count - 6, 1), limit: .max
            )
            .enumerated().map { index == 0 && $0 == 0 ? $1 : "  \($1)" }
        }
        return lines.map { Chooser.Choice(text: $0, detail: "") }
    }

    /// Lists the reports, which then count as read.
    mutating func showNotDone() {
        guard notDone.count > 0 else {
            return say("All your changes are saved, or on their way.")
        }
        var choices = notDone.entries.flatMap(choices)
        if notDone.moreCount > 0 {
            choices.append(Chooser.Choice(text: "and \(notDone.moreCount) more", detail: ""))
        }
        begin(.choosing(Chooser("Not done:", .notDone(notDone), choices)))
    }

    /// Returns from the list of reports to the previous mode.
    mutating func leaveNotDone() {
        if board == nil { returnToTrips() } else { returnToList() }
    }
}
