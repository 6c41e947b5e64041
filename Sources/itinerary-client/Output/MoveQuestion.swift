import CommandLineKit
import JSONLine
import LocalSystem
import TripModel
import TripProtocol

/// A warning before an edit that moves other items, and a question on a terminal.
struct MoveQuestion {
    static let dryRun = OptionRow.flag("--dry-run", "report the changes without making them")
    static let yes = OptionRow.flag("--yes", "do not ask for confirmation")
    static let options = [dryRun, yes]

    /// Other items whose day or time of day changes.
    private let moved: [(before: Item, after: Item)]
    private let header: TripHeader

    /// Tries edits on a trip. Refused edits move nothing; the daemon reports the reason.
    init(_ edits: [Edit], in trip: Trip) {
        var copy = trip
        let named = Set(edits.compactMap(\.item))
        let author = Author(name: "", at: Timestamp(milliseconds: 0))
        let commit = try? copy.apply(edits, by: author)
        let others = commit?.itemIDs.filter { !named.contains($0) } ?? []
        moved = others.compactMap { id in
            guard let before = trip[id], let after = copy[id],
                before.position.day != after.position.day || before.clockTime != after.clockTime
            else { return nil }
            return (before, after)
        }
        header = copy.header
    }

    /// The outcome of the question.
    enum Outcome {
        case agreed
        /// Only a dry run.
        case plan(MoveQuestion)

        var isAgreed: Bool { if case .agreed = self { true } else { false } }
    }

    /// Lists the moved items, and asks.
    ///
    /// - Throws: `CommandFailure` if the user does not agree.
    func answer(_ invocation: Invocation) throws(CommandFailure) -> Outcome {
        if invocation.has(Self.dryRun) { return .plan(self) }
        guard !moved.isEmpty else { return .agreed }
        if !invocation.isJSON { invocation.note((["This moves \(count):"] + lines).joined(separator: "\n")) }
        guard !invocation.has(Self.yes), invocation.mayAsk else { return .agreed }
        guard Confirmation.ask("Go on?") else {
            throw CommandFailure("nothing was changed", exitCode: .refused)
        }
        return .agreed
    }

    /// Prints the plan of a dry run.
    static func printPlan(_ outcome: Outcome, _ invocation: Invocation) {
        guard case .plan(let question) = outcome else { return }
        if invocation.isJSON {
            return Answer.print { json in
                json.member("dryRun", true)
                json.objects("moved", question.moved) { item, json in
                    json.member("item", item.after.id)
                    json.member("title", item.after.content.title)
                    json.member("fromDay", item.before.position.day)
                    json.member("toDay", item.after.position.day)
                }
            }
        }
        StandardStream.output.print(
            question.moved.isEmpty
                ? "No other item would move."
                : (["This would move \(question.count):"] + question.lines).joined(separator: "\n"))
    }

    private var count: String { counted(moved.count, "other item") }

    private static let shownCount = 20

    private var lines: [String] {
        let lines = moved.prefix(Self.shownCount).map { item in
            let title = PlainText.visible(item.after.content.title)
            return "  \(title): \(place(item.before)) to \(place(item.after))"
        }
        return lines + (moved.count > Self.shownCount ? ["  and \(moved.count - Self.shownCount) more"] : [])
    }

    private func place(_ item: Item) -> String {
        "day \(item.position.day)" + (item.isGame ? " \(item.position.clockTime)" : "")
    }
}

/// A yes-or-no question on the terminal.
enum Confirmation {
    static func ask(_ question: String) -> Bool {
        StandardStream.error.write(Array("\(question) [y/N] ".utf8))
        let answer = (readLine() ?? "").lowercased()
        return answer == "y" || answer == "yes"
    }
}
