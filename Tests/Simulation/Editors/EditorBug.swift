import LocalSystem
import TerminalCore

/// Former defects of the editors, planted again to show that the sessions find them.
package enum EditorBug: String, CaseIterable, Sendable {
    /// The user's changes are applied to a state that has them already.
    case overlayTwice
    /// A refusal removes the oldest change from the screen instead of the refused one.
    case refusalTakesOldest
    /// A change with an unknown outcome is not reported.
    case doubtNotReported
    /// A drop that waits for its lease is lost when the user quits.
    case dropLostAtQuit
    /// A change that is requested again comes after later changes.
    case retriedLast
    /// An unfinished control string turns into keys after a pause.
    case stringsTimeOut
    /// Keys for an item that others have removed affect its neighbour.
    case focusTakesKeys

    /// A click on a hint drops the dragged item.
    case releaseDrops
    /// Unsaved text is not reported when the window is closed.
    case closingForgets
    /// Unsaved text is not reported after Ctrl-C.
    case interruptForgets
    /// Only the first lines of a long paste are added.
    case pasteIsCut
    /// A count before a key is ignored.
    case countIsIgnored

    /// Whether this build can plant them.
    package static var canBePlanted: Bool { PlantedBug.canBePlanted }

    /// Runs a function with the bug.
    func plant(during body: () -> Void) {
        switch self {
        case .overlayTwice: PlantedBug.plant(.overlayTwice, during: body)
        case .refusalTakesOldest: PlantedBug.plant(.refusalTakesOldest, during: body)
        case .doubtNotReported: PlantedBug.plant(.doubtNotReported, during: body)
        case .dropLostAtQuit: PlantedBug.plant(.dropLostAtQuit, during: body)
        case .retriedLast: PlantedBug.plant(.retriedLast, during: body)
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
