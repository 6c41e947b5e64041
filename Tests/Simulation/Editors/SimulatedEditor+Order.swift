import ItineraryUI
import TripClient
import TripModel

/// What a user does to an item is done in that order, also where a change has to be asked for anew.
extension SimulatedEditor {
    /// What a change is about; it is asked before the drop of an item lets go of it.
    func items(of effect: EditorEffect) -> Set<ItemID> {
        switch (effect, core.state()?.drag) {
        case (.apply(_, let edits), _): Set(edits.compactMap(\.item))
        case (.drop, .asked(let item)), (.drop, .held(let item)): [item]
        default: []
        }
    }

    /// Looks whether a change that is made now was made behind all that its user did to its items before.
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
