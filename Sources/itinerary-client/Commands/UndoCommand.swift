import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// `undo TRIP`: undoes the user's last change.
enum UndoCommand {
    static let command = Command(
        name: "undo", summary: "undo your last change", forms: ["TRIP [--dry-run]"], words: [.trip],
        options: [StepBack.dryRun],
        examples: [
            .init("undo japan", "your last change, made with any program"),
            .init("undo japan --dry-run", "only show which change that is"),
        ],
        details: [
            "Prints the change that was undone, including changes made in the editor. If someone has",
            "changed the same item since, your change stays and its undo is given up; the message",
            "says which change the next undo would revert.",
        ],
        exits: [
            .done: "undone, or nothing to undo",
            .refused: "given up: someone has changed the same item since",
        ],
        run: { (invocation) async throws(CommandFailure) in try await StepBack.run(invocation, .undo) })
}

/// `redo TRIP`: redoes the change that the user undid last.
enum RedoCommand {
    static let command = Command(
        name: "redo", summary: "redo your last undo", forms: ["TRIP [--dry-run]"], words: [.trip],
        options: [StepBack.dryRun], examples: [.init("redo japan", "after an undo")],
        details: ["Prints the change that was redone."],
        exits: [
            .done: "redone, or nothing to redo",
            .refused: "given up: someone has changed the same item since",
        ],
        run: { (invocation) async throws(CommandFailure) in try await StepBack.run(invocation, .redo) })
}

/// The common code of undo and redo.
enum StepBack {
    static let dryRun = OptionRow.flag("--dry-run", "report the change without making it")

    enum Direction: String {
        case undo, redo

        func request(_ trip: TripReference, _ options: ChangeOptions) -> Request {
            self == .undo ? .undo(trip, options) : .redo(trip, options)
        }
    }

    static func run(_ invocation: Invocation, _ direction: Direction) async throws(CommandFailure) {
        let client = try await SteadyClient(invocation.caller)
        let trip = TripReference.id(try await invocation.trip.trip(client.client))
        let isDryRun = invocation.has(dryRun)
        guard let answer = try await make(direction, trip, client, isDryRun: isDryRun) else {
            if invocation.isJSON { return Answer.print { $0.member("noop", true) } }
            return invocation.note("there is nothing of yours to \(direction.rawValue)")
        }
        if invocation.isJSON { return Answer.print(answer) }
        let summary = PlainText.visible(answer["summary"]?.string ?? "")
        let done = direction == .redo ? "Redone: " : ""
        StandardStream.output.print((isDryRun ? "Would \(direction.rawValue): " : done) + summary)
    }

    /// Undoes or redoes a change.
    ///
    /// - Returns: the daemon's answer; nil if there is nothing to do.
    /// - Throws: `CommandFailure`; if the change was dropped from the undo history, its sentence names the
    ///   next one.
    static func make(
        _ direction: Direction, _ trip: TripReference, _ client: SteadyClient, isDryRun: Bool = false
    ) async throws(CommandFailure) -> JSONNode? {
        do throws(CommandFailure) {
            return try await client.once { sequence in
                direction.request(trip, ChangeOptions(seq: isDryRun ? nil : sequence, isDryRun: isDryRun))
            }
        } catch {
            if error.isNothingLeft { return nil }
            guard error.refusal?.isGivenUp == true else { throw error }
            let next = try await next(direction, trip, client)
            let word = direction.rawValue
            throw error.saying("\(error.message); its \(word) is given up. \(next)").exiting(.refused)
        }
    }

    /// A sentence about the next undo or redo.
    private static func next(
        _ direction: Direction, _ trip: TripReference, _ client: SteadyClient
    ) async throws(CommandFailure) -> String {
        let word = direction.rawValue
        do throws(CommandFailure) {
            let answer = try await client.once { _ in direction.request(trip, ChangeOptions(isDryRun: true)) }
            let verb = direction == .undo ? "revert" : "make again"
            return "The next \(word) would \(verb): \(answer["summary"]?.string ?? "")"
        } catch {
            if error.isNothingLeft { return "There is nothing else of yours to \(word)" }
            return "The next \(word) would be refused too: \(error.message)"
        }
    }
}

extension CommandFailure {
    /// Whether there is nothing to undo or redo.
    fileprivate var isNothingLeft: Bool {
        refusal?.known == .nothingToUndo || refusal?.known == .nothingToRedo
    }
}

extension RemoteError {
    /// Whether the refused change was dropped from the undo history.
    fileprivate var isGivenUp: Bool {
        guard let data, let root = try? JSONDocument(parsing: data).root else { return false }
        return root["dropped"]?.bool == true
    }
}
