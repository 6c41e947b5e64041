import JSONLine
import TripModel
import TripProtocol

/// Rewords the daemon's refusals for a user at a command line, who sees neither the request nor its fields.
/// Uses only the reason and its data, not the daemon's sentence.
enum RefusalText {
    /// `root is dragging Hotel`, `the title must not be empty`, `Hotel must be after Brazil v Morocco 18:00`;
    /// nil if the daemon's own sentence is to be used.
    ///
    /// - Parameters:
    ///   - edit: the refused edit.
    ///   - trip: the trip before the edit.
    static func sentence(_ refusal: RemoteError, of edit: Edit, in trip: Trip) -> String? {
        guard let data = refusal.data.flatMap({ try? JSONDocument(parsing: $0).root }) else { return nil }
        switch refusal.known {
        case .itemHeld?:
            guard let title = title(of: edit, in: trip), let user = data["by"]?.string else { return nil }
            return "\(PlainText.visible(user)) is dragging \(title)"
        case .invalidParams?:
            guard let name = data["field"]?.string?.split(separator: ".").last.map(String.init),
                let field = ItemField(name: name), isEmpty(field, in: edit)
            else { return nil }
            return "the \(name) must not be empty"
        default:
            if let sentence = wayOut(refusal, of: edit, in: trip) { return sentence }
            guard let title = title(of: edit, in: trip), let place = place(refusal, data),
                let requirement = trip.requirement(of: place)
            else { return nil }
            return "\(title) \(PlainText.visible(requirement))"
        }
    }

    /// The reason why travel has no valid place, and a command that changes this; nil for another refusal, or if some
    /// place is valid.
    private static func wayOut(_ refusal: RemoteError, of edit: Edit, in trip: Trip) -> String? {
        let reasons: [ErrorReason] = [
            .noValidPosition, .outsideValidDays, .beforeDepartureGame, .afterArrivalGame,
        ]
        guard case .move(let id, _) = edit, let reason = refusal.known, reasons.contains(reason),
            let item = trip[id],
            case .noValidPosition(let after, let before)? = trip.noPlace(for: item.content),
            let command = trip.remedyCommand(for: item)
        else { return nil }
        return PlainText.visible(
            "\(item.content.title) has no place: \(trip.wrongOrder(of: after, before)); \(command)")
    }

    private static func title(of edit: Edit, in trip: Trip) -> String? {
        let title: String? =
            if case .add(_, let content, _) = edit {
                content.title
            } else {
                edit.item.flatMap { trip[$0]?.content.title }
            }
        guard let title, !title.isEmpty else { return nil }
        return PlainText.visible(title)
    }

    private static func isEmpty(_ field: ItemField, in edit: Edit) -> Bool {
        let value: FieldValue? =
            switch edit {
            case .add(_, let content, _): content[field]
            case .update(_, let changes): changes.last { $0.field == field }?.value
            case .move, .remove, .trip: nil
            }
        guard case .text(let text)? = value else { return false }
        return text.allSatisfy(\.isWhitespace)
    }

    /// The violated rule about places, if any.
    private static func place(_ refusal: RemoteError, _ data: JSONNode) -> PlaceRefusal? {
        let games = data["games"]?.elements.compactMap { $0.string.flatMap(ItemID.init) } ?? []
        switch refusal.known {
        case .outsideValidDays?:
            let days = data["validDays"]?.elements.compactMap(\.int) ?? []
            guard days.count == 2, days[0] <= days[1] else { return nil }
            return .outsideValidDays(days[0]...days[1])
        case .beforeDepartureGame? where !games.isEmpty: return .beforeDepartureGame(games)
        case .afterArrivalGame? where !games.isEmpty: return .afterArrivalGame(games)
        default: return nil
        }
    }
}
