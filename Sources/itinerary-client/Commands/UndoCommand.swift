import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// `undo TRIP`: takes back this person's last change.
enum UndoCommand {
    static let command = Command(
        name: "undo", summary: "undo your last change", forms: ["TRIP"], words: [.trip],
        examples: [.init("undo japan", "your last change, made with any program")],
        details: ["Prints the change that was undone, including changes made in the editor."],
        exits: [
            .done: "undone, or nothing to undo", .conflict: "someone has changed the same item since",
        ],
        run: { (invocation) async throws(CommandFailure) in
            try await StepBack.run(invocation, .undo, nothing: "there is nothing of yours to undo")
        })
}

/// `redo TRIP`: makes again what this person took back last.
enum RedoCommand {
    static let command = Command(
        name: "redo", summary: "redo your last undo", forms: ["TRIP"], words: [.trip],
        examples: [.init("redo japan", "after an undo")],
        details: ["Prints the change that was redone."],
        exits: [
            .done: "redone, or nothing to redo", .conflict: "someone has changed the same item since",
        ],
        run: { (invocation) async throws(CommandFailure) in
            try await StepBack.run(invocation, .redo, nothing: "there is nothing of yours to redo")
        })
}

/// What undo and redo have in common.
enum StepBack {
    enum Direction {
        case undo
        case redo
    }

    static func run(
        _ invocation: Invocation, _ direction: Direction, nothing: String
    ) async throws(CommandFailure) {
        let client = try await SteadyClient(invocation.caller)
        let trip = TripReference.id(try await invocation.trip.trip(client.client))
        let answer: JSONNode
        do throws(CommandFailure) {
            answer = try await client.once { sequence in
                let options = ChangeOptions(seq: sequence)
                return direction == .undo ? .undo(trip, options) : .redo(trip, options)
            }
        } catch {
            guard error.refusal?.known == .nothingToUndo || error.refusal?.known == .nothingToRedo else {
                throw error
            }
            if invocation.isJSON { Answer.print { $0.member("noop", true) } }
            return invocation.isJSON ? () : invocation.tell(nothing)
        }
        if invocation.isJSON { return Answer.print(answer) }
        StandardStream.output.print(PlainText.visible(answer["summary"]?.string ?? ""))
    }
}
