import EditorSessions
import ItineraryUI
import TripModel

/// Another user, Ben, changes the trip.
func ben(_ editor: inout Editor, _ edits: Edit...) throws {
    let before = editor.sample.trip
    _ = try editor.sample.trip.apply(
        edits, by: Author(name: "Ben", at: Timestamp(milliseconds: 1_790_000_000_000)))
    var view = editor.sample.view
    view.news = edits.compactMap(\.item).map {
        RemoteEdit(user: "Ben", before: before[$0], after: editor.sample.trip[$0])
    }
    editor.send(.loaded(view))
}

func applied(_ effects: [Did]) -> [Edit]? {
    guard case .apply(let edits)? = effects.first else { return nil }
    return edits
}
