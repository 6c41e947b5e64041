import JSONLine
import TripModel
import TripProtocol

/// Refusals of the daemon in the words of somebody at a command line, who sees neither the request nor its fields: made
/// of the reason and of what belongs to it, never of the daemon's own sentence.
enum RefusalText {
    /// `root is dragging Hotel`, `the title must not be empty`, `Hotel must be after Brazil v Morocco 18:00`; nil where the
    /// daemon's sentence says all that there is to say.
    ///
    /// - Parameters:
    ///   - edit: what was refused.
    ///   - trip: as it was when that was asked for.
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
            guard let title = title(of: edit, in: trip), let place = place(refusal, data),
                let requirement = trip.requirement(of: place)
            else { return nil }
            return "\(title) \(PlainText.visible(requirement))"
        }
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

    /// The rule about places that is broken, if one is.
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
