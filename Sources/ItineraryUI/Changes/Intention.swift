import TripModel

/// A change that may need a confirmation. It stores the intention instead of edits: others may change the
/// trip while the question is open, and old edits would revert their changes.
enum Intention: Equatable, Sendable {
    case insertDay(after: Int)
    case removeDay(Int)
    case changeTrip(TripChange)
    case remove([ItemID])
}

/// The edits and effects of an intention in the present trip.
struct Proposal: Sendable {
    let edits: [Edit]
    let description: ChangeDescription
    /// The question that the user answers before the edits are made.
    let question: String
    /// Whether it has effects on items that its description does not mention.
    let hasConsequences: Bool
}

/// The reason why an intention is impossible.
struct Impossible: Error {
    let reason: String
}

extension EditorState {
    /// Requests a change, after a question if it has effects on items.
    mutating func propose(_ intention: Intention) {
        do throws(Impossible) {
            let proposal = try proposal(for: intention)
            guard proposal.hasConsequences else { return make(proposal, intention) }
            ask(proposal, intention, proposal.question)
        } catch {
            refuse(error.reason)
        }
    }

    /// Requests a confirmed change. If its edits have changed since the question, asks again.
    mutating func makeAgreed(_ intention: Intention, asked edits: [Edit]) {
        do throws(Impossible) {
            let proposal = try proposal(for: intention)
            if case .remove = intention { return make(proposal, intention) }
            guard proposal.edits != edits else { return make(proposal, intention) }
            ask(proposal, intention, "The trip has changed since. \(proposal.question)")
            repeatMessage()
        } catch {
            refuse(error.reason)
        }
    }

    private mutating func ask(_ proposal: Proposal, _ intention: Intention, _ text: String) {
        ask(Question(purpose: .change(intention, proposal.edits), text: text))
    }

    private mutating func make(_ proposal: Proposal, _ intention: Intention) {
        if case .remove = intention { marks.clear() }
        apply(proposal.edits, as: proposal.description)
        offerUndo()
    }

    private func proposal(for intention: Intention) throws(Impossible) -> Proposal {
        guard let board else { throw Impossible(reason: "No trip is open.") }
        return switch intention {
        case .insertDay(let day): try insertion(ofDayAfter: day, board.outline.trip)
        case .removeDay(let day): try removal(ofDay: day, board.outline.trip)
        case .changeTrip(let change): try proposal(toChange: change, board.outline.trip)
        case .remove(let items): try removal(of: items, board.outline.trip)
        }
    }
}
