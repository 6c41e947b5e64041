import TripModel

/// Sentences for the status line.
extension EditorState {
    /// The description of the focus, shown while there is no message.
    var focusSentence: String {
        switch mode {
        case .dragging(let drag): return board.map { gapSentence(drag, $0.outline) } ?? ""
        case .confirming(let question):
            return "\(question.news ?? question.text) "
                + "\(keyName(.accept, .confirmation))/\(keyName(.cancel, .confirmation))"
        case .acknowledging(let notice): return notice.sentence
        case .awaiting(let operation): return operation.label
        case .ended(let end): return end.sentence
        case .choosing(let chooser): return sentence(of: chooser)
        case .helping(let page): return sentence(of: page)
        case .filling(let form) where form.goneSentence != nil: return form.goneSentence ?? ""
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
            let what = ([count == 0 ? "nothing yet" : counted(count, "item")] + totals(ofDay: day, outline))
            return "\(dayName(day)): \(what.joined(separator: ", "))."
        case .item(let id):
            let title = outline.trip[id]?.content.title ?? ""
            let held = holder(of: id).map { " \($0) is moving it." } ?? ""
            return "\(title): \(placeName(outline, board.cursor)).\(held)\(restOfRow(id, outline))"
        }
    }

    /// The fields that are not in the row of an item; empty while the details are visible.
    private func restOfRow(_ id: ItemID, _ outline: Outline) -> String {
        guard !window.hasPane, detailHeight == 0, !options.isByLines, let content = outline.trip[id]?.content
        else { return "" }
        let texts = [ItemField.reference, .cost, .place, .venue, .note].compactMap { field in
            content.shownText(of: field, in: outline.trip)?.replacing("\n", with: " ")
        }
        return texts.isEmpty ? "" : " \(texts.joined(separator: " · "))"
    }

    /// `Day 2, 4 of 6`
    func placeName(_ outline: Outline, _ row: Int) -> String {
        let place = outline.place(ofRow: row)
        guard place.number > 0 else { return dayName(place.day) }
        let day = DateText.name(ofDay: place.day, in: outline.trip.header)
        return "\(day), \(place.number) of \(place.count)"
    }

    private func placeName(_ place: Outline.Place) -> String {
        "Day \(place.day), \(place.number) of \(place.count)"
    }

    /// `Day 3` with its date.
    func dayName(_ day: Int) -> String {
        guard let header = board?.outline.trip.header, header.days.contains(day) else {
            return (board.map { DateText.name(ofDay: day, in: $0.outline.trip.header) } ?? "Day \(day)")
                + ", outside the trip"
        }
        return "Day \(day)" + (header.date(ofDay: day).map { " · \(DateText.text(of: $0))" } ?? "")
    }

    /// `1 event`, `1 h 25 min of travel`
    func totals(ofDay day: Int, _ outline: Outline) -> [String] {
        let totals = outline.totals(ofDay: day)
        var parts: [String] = []
        if totals.games > 0 { parts.append(counted(totals.games, "event")) }
        if totals.travelMinutes > 0 {
            parts.append("\(DateText.text(ofMinutes: totals.travelMinutes)) of travel")
        }
        if !totals.costs.isEmpty { parts.append(CostText.grouped(totals.costs.text)) }
        return parts
    }

    func liftSentence(_ drag: Drag, _ outline: Outline) -> String {
        let title = drag.title
        guard let days = drag.report.validDays, drag.report.gaps.contains(where: \.isValid) else {
            let refusal = outline.trip.noPlace(for: drag.content) ?? drag.report.gaps.first?.refusal
            let why = refusal.map { outline.trip.explanation(of: $0, .form) } ?? "no day is allowed"
            return "\(title) has no allowed place: \(why)."
        }
        let range =
            days.count == 1
            ? "day \(days.lowerBound)" : "days \(days.lowerBound) to \(days.upperBound)"
        return "\(title) \(drag.isOrAre) lifted, for \(range)."
    }

    /// `Day 2, 4 of 6. After …, before ….`
    func gapSentence(_ drag: Drag, _ outline: Outline) -> String {
        let gap = drag.current
        let place = placeName(drag.place)
        // The reason comes first, because on a narrow screen the rest may be cut.
        if let refusal = gap.refusal { return "\(capitalized(reason(refusal, outline))). \(place)." }
        if drag.gap == drag.home { return "\(place). Where it was." }
        let after = gap.after.map { "after \(title($0, outline))" }
        let before = gap.before.map { "before \(title($0, outline))" }
        switch (after, before) {
        case (let after?, let before?): return "\(place). \(capitalized(after)), \(before)."
        case (let only?, nil), (nil, let only?): return "\(place). \(capitalized(only))."
        case (nil, nil): return "\(place). Nothing else is on this day."
        }
    }

    /// The text in the line of the current gap.
    func landingText(_ drag: Drag, _ outline: Outline) -> String {
        let gap = drag.current
        if let refusal = gap.refusal { return reason(refusal, outline) }
        let day = "Day \(gap.day) · "
        if let after = gap.after { return day + "after \(title(after, outline))" }
        if let before = gap.before { return day + "before \(title(before, outline))" }
        return day + "nothing else yet"
    }

    /// The message after a drop at an invalid place.
    func refusalSentence(_ refusal: PlaceRefusal, _ outline: Outline) -> String {
        "\(capitalized(reason(refusal, outline))): it was not moved there."
    }

    /// `must be after Brazil v Morocco 18:00`
    func reason(_ refusal: PlaceRefusal, _ outline: Outline) -> String {
        outline.trip.requirement(of: refusal) ?? outline.trip.explanation(of: refusal, .form)
    }

    /// The number of others' deferred changes; empty if none.
    var waitingText: String {
        let count = waitingCount
        guard count > 0 else { return notDoneText }
        return !window.isRoomy ? "\(count) waiting" : "\(counted(count, "change")) waiting"
    }

    /// The number of failed changes, until they are read.
    private var notDoneText: String {
        // A visible message needs no reference to it.
        guard notDone.count > 0, !status.isRefusal, !isReadingNotDone else { return "" }
        let key = keys.advertisedKey(of: .notDone, in: context)
        return "\(notDone.count) not done\(key.map { ": \($0)" } ?? "")"
    }

    /// Whether the list of failed changes is open.
    var isReadingNotDone: Bool {
        if case .choosing(let chooser) = mode, case .notDone = chooser.purpose { true } else { false }
    }

    /// ` u undoes it.`
    var undoHint: String {
        keys.advertisedKey(of: .undo, in: .list).map { " \($0) undoes it." } ?? ""
    }

    func keyName(_ action: Action, _ context: KeyMap.Context) -> String {
        keys.advertisedKey(of: action, in: context)?.description ?? ""
    }

    func title(_ id: ItemID, _ outline: Outline) -> String {
        outline.trip[id]?.content.title ?? ""
    }
}
