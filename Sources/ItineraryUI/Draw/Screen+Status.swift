import TripModel

/// The sentences of the status line.
extension Screen {
    /// The description of the focus, shown while there is no message.
    var focusSentence: String {
        switch mode {
        case .dragging(let drag): return board.map { drag.gapSentence(in: $0.outline.trip) } ?? ""
        case .confirming(let question):
            return "\(question.news ?? question.text) "
                + "\(keys.name(of: .accept, in: .confirmation))/\(keys.name(of: .cancel, in: .confirmation))"
        case .acknowledging(let notice): return notice.sentence
        case .awaiting(let operation): return operation.label
        case .ended(let end): return end.sentence
        case .choosing(let chooser): return sentence(of: chooser)
        case .helping(let page): return sentence(of: page)
        case .filling(let form) where form.remover != nil: return form.goneSentence(state.options) ?? ""
        case .browsing, .prompting, .filling, .planning: break
        }
        guard let board else { return "" }
        let outline = board.outline
        let problems = outline.problems(atRow: board.cursor)
        if !problems.isEmpty { return "! " + problems.joined(separator: "; ") }
        switch outline.rows[board.cursor] {
        case .day(let day):
            let days = outline.days(ofHeader: board.cursor)
            if days.count > 1 { return "Days \(days.lowerBound) to \(days.upperBound): nothing yet." }
            let count = outline.place(ofRow: board.cursor).count
            let what =
                ([count == 0 ? "nothing yet" : counted(count, "item")] + outline.totalsText(ofDay: day))
            return "\(outline.dayName(day)): \(what.joined(separator: ", "))."
        case .item(let id):
            let title = outline.trip.title(of: id)
            let held = state.holder(of: id).map { " \($0) is moving it." } ?? ""
            return "\(title): \(outline.placeName(ofRow: board.cursor)).\(held)\(restOfRow(id, outline))"
        }
    }

    /// The fields that are not in the row of an item; empty while the details are visible.
    private func restOfRow(_ id: ItemID, _ outline: Outline) -> String {
        guard !window.hasPane, detailHeight == 0, state.options.style.showsRows,
            let content = outline.trip[id]?.content
        else { return "" }
        let texts = [ItemField.reference, .cost, .place, .venue, .note].compactMap { field in
            content.shownText(of: field, in: outline.trip)?.replacing("\n", with: " ")
        }
        return texts.isEmpty ? "" : " \(texts.joined(separator: " · "))"
    }

    /// The number of others' deferred changes; empty if none.
    var waitingText: String {
        let count = state.waitingCount
        guard count > 0 else { return notDoneText }
        return !window.isRoomy ? "\(count) waiting" : "\(counted(count, "change")) waiting"
    }

    /// The number of failed changes, until they are read.
    private var notDoneText: String {
        // A visible message needs no reference to it.
        guard state.notDone.count > 0, !state.status.isRefusal, !isReadingNotDone else { return "" }
        let key = keys.advertisedKey(of: .notDone, in: state.context)
        return "\(state.notDone.count) not done\(key.map { ": \($0)" } ?? "")"
    }

    /// Whether the list of failed changes is open.
    var isReadingNotDone: Bool {
        if case .choosing(let chooser) = mode, case .notDone = chooser.purpose { true } else { false }
    }

    // MARK: Open screens

    /// The status line of the help.
    private func sentence(of page: HelpPage) -> String {
        let key = keys.name(of: .search, in: .help)
        return page.filter.text.isEmpty
            ? "\(key) filters the lines."
            : "Lines with “\(page.filter.text)”; \(key) changes the filter."
    }

    /// The status line for the list: the whole text of a line that is cut, else its number.
    func sentence(of chooser: Chooser) -> String {
        if let gone = chooser.goneSentence { return "\(gone) Enter or Esc closes the list." }
        if let lost = chooser.lostChoice { return lost }
        guard let (_, choice) = chooser.current else { return sentence(ofNothingIn: chooser) }
        if state.options.style.showsRows, showsWhole(choice, of: chooser) {
            return "\(chooser.selected + 1) of \(chooser.shown.count)."
        }
        return choice.detail.isEmpty ? choice.text : "\(choice.text): \(choice.detail)"
    }

    /// The status line for a list in which no line is selected.
    private func sentence(ofNothingIn chooser: Chooser) -> String {
        let isTyped = chooser.typedText != nil
        switch chooser.purpose {
        case _ where state.isViewer: return "Nothing in the list matches."
        case .todo where !isTyped:
            return "Nothing to do yet; \(keys.name(of: .addTodo, in: .todo)) adds something."
        case .todo: return "Nothing in the list matches; \(keys.name(of: .accept, in: .todo)) adds it."
        case .trips where isTyped:
            return
                "Nothing in the list matches; \(keys.name(of: .accept, in: .trips)) makes a trip of this name."
        default: return "Nothing in the list matches."
        }
    }
}
