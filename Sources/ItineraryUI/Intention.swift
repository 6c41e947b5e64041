import TripModel

/// A change that may be asked about before it is made. What was meant is kept, not what it came to: others go on
/// while a question stands, and the edits of a moment ago would take back what they have done since.
enum Intention: Equatable, Sendable {
    case insertDay(after: Int)
    case removeDay(Int)
    case changeTrip(TripChange)
    case remove([ItemID])
}

/// What an intention comes to in the trip as it is.
struct Proposal: Sendable {
    let edits: [Edit]
    let deed: Deed
    /// Asks whether to do it.
    let question: String
    /// Something becomes of items that its words do not say by themselves.
    let hasConsequences: Bool
}

/// Why an intention cannot be carried out, in a sentence.
struct Impossible: Error {
    let reason: String
}

extension EditorState {
    /// Makes a change, after a question where something becomes of items by it.
    mutating func propose(_ intention: Intention) {
        do throws(Impossible) {
            let proposal = try proposal(for: intention)
            guard proposal.hasConsequences else { return make(proposal, intention) }
            ask(proposal, intention, proposal.question)
        } catch {
            refuse(error.reason)
        }
    }

    /// Makes what was agreed to, as it is meant in the trip by now; where that is another thing than what was asked
    /// about, it is asked again.
    mutating func makeAgreed(_ intention: Intention, asked edits: [Edit]) {
        do throws(Impossible) {
            let proposal = try proposal(for: intention)
            if case .remove = intention { return make(proposal, intention) }
            guard proposal.edits != edits else { return make(proposal, intention) }
            ask(proposal, intention, "The trip has changed meanwhile. \(proposal.question)")
            refuse(focusSentence)
        } catch {
            refuse(error.reason)
        }
    }

    private mutating func ask(_ proposal: Proposal, _ intention: Intention, _ text: String) {
        ask(Question(purpose: .change(intention, proposal.edits), text: text))
    }

    private mutating func make(_ proposal: Proposal, _ intention: Intention) {
        if case .remove = intention { marks.clear() }
        apply(proposal.edits, as: proposal.deed)
        offerUndo()
    }

    private func proposal(for intention: Intention) throws(Impossible) -> Proposal {
        guard let board else { throw Impossible(reason: "There is no trip.") }
        return switch intention {
        case .insertDay(let day): try insertion(ofDayAfter: day, board.outline.trip)
        case .removeDay(let day): try removal(ofDay: day, board.outline.trip)
        case .changeTrip(let change): try proposal(toChange: change, board.outline.trip)
        case .remove(let items): try removal(of: items, board.outline.trip)
        }
    }
}
