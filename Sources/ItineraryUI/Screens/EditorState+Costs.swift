import TripModel

/// The panel with the costs, and who owes whom.
extension EditorState {
    mutating func showCosts() {
        guard let chooser = costsChooser() else { return say("Nothing has a cost.") }
        begin(.choosing(chooser))
    }

    /// The list of costs; nil if there is none.
    func costsChooser() -> Chooser? {
        guard let trip = board?.outline.trip else { return nil }
        let lines = CostShares.all(of: trip, in: trip.header.exchangeRates, by: .kind).flatMap(\.lines)
        if lines.isEmpty { return nil }
        return Chooser("Costs:", .costs(lines), lines.map { Chooser.Choice(text: $0.text, detail: "") })
    }

    /// Records that the debt of a line is paid, as a done entry of the list of things to do. Two people who record it at
    /// once add one entry, because its id depends on the text and the number of equal entries.
    mutating func settle(_ line: CostShares.Line) {
        guard let payment = line.settlement else { return refuse("Only a debt can be paid.") }
        if refusesChange() { return }
        let earlier = board?.outline.trip.header.todo.count { $0.text == payment } ?? 0
        let id = TodoID(derivedFrom: ["payment", payment, "\(earlier)"])
        let entry = TodoChange(id, text: payment, isDone: true)
        guard
            make(
                [.trip(TripChange(todo: entry))], done: "Recorded: \(payment).", name: "recording \(payment)")
        else { return }
        returnToList()
    }
}
