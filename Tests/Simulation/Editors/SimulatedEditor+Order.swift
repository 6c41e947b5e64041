import ItineraryUI
import TripClient
import TripModel

/// Checks that a user's changes to an item are applied in order, even if one must be requested again.
extension SimulatedEditor {
    /// The items of a change. Must be called before a drop ends its drag.
    func items(of effect: EditorEffect) -> Set<ItemID> {
        switch (effect, core.state()?.drag) {
        case (.apply(_, let edits), _): Set(edits.compactMap(\.item))
        case (.drop, .asked(let item)), (.drop, .held(let item)): [item]
        default: []
        }
    }

    /// Checks that a change is applied after all earlier changes of its user to its items.
    func checkOrder(of number: Int) throws {
        guard let change = typed[number], let made = change.made else { return }
        for (other, before) in typed where other < number && !before.items.isDisjoint(with: change.items) {
            guard let earlier = before.made else {
                if before.outcome == nil {
                    throw Violation(
                        "what is done to an item is done in its order", "\(name): \(number) before \(other)")
                }
                continue
            }
            if earlier.restores == made.restores, earlier.version > made.version {
                throw Violation(
                    "what is done to an item is done in its order", "\(name): \(number) before \(other)")
            }
        }
    }
}
