import LocalSystem
import TerminalCore

/// Defects that the editors had, planted again to see that the sessions find them.
package enum EditorBug: String, CaseIterable, Sendable {
    /// A2: the user's changes are laid upon a state that has them already.
    case overlayTwice
    /// A3: a refusal takes the oldest change off the screen, whichever was refused.
    case refusalTakesOldest
    /// A4: that a change is in doubt is told to nobody.
    case doubtNotTold
    /// A5: a drop that waits for its grant is lost when the user leaves.
    case dropLostAtQuit
    /// A change that is asked for anew is made behind those that follow it.
    case askedAnewLast
    /// A6: a string of control falls back to keys after a pause.
    case stringsTimeOut
    /// A7: keys meant for an item that others have removed hit its neighbour.
    case focusTakesKeys

    /// A click on a hint puts down what is in hand.
    case releaseDrops
    /// What is half written when the window is closed is told to nobody.
    case closingForgets
    /// The same, when Ctrl-C is pressed.
    case interruptForgets
    /// Of a long paste only the first lines are added.
    case pasteIsCut
    /// A number before a key means nothing.
    case countIsIgnored

    /// Whether this build can plant them.
    package static var canBePlanted: Bool { PlantedBug.canBePlanted }

    /// Does something with the bug.
    func plant(during body: () -> Void) {
        switch self {
        case .overlayTwice: PlantedBug.plant(.overlayTwice, during: body)
        case .refusalTakesOldest: PlantedBug.plant(.refusalTakesOldest, during: body)
        case .doubtNotTold: PlantedBug.plant(.doubtNotTold, during: body)
        case .dropLostAtQuit: PlantedBug.plant(.dropLostAtQuit, during: body)
        case .askedAnewLast: PlantedBug.plant(.askedAnewLast, during: body)
        case .stringsTimeOut: PlantedSlip.plant(.stringsTimeOut, during: body)
        case .focusTakesKeys: PlantedSlip.plant(.focusTakesKeys, during: body)
        case .releaseDrops: PlantedSlip.plant(.releaseDrops, during: body)
        case .closingForgets: PlantedSlip.plant(.closingForgets, during: body)
        case .interruptForgets: PlantedSlip.plant(.interruptForgets, during: body)
        case .pasteIsCut: PlantedSlip.plant(.pasteIsCut, during: body)
        case .countIsIgnored: PlantedSlip.plant(.countIsIgnored, during: body)
        }
    }
}
