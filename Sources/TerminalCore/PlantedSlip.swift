/// Defects of the editor's keys that the simulation plants, one at a time, to prove that it would find them. Only a debug
/// build can.
package enum PlantedSlip: Sendable {
    /// A string of control that has begun falls back to keys after a pause.
    case stringsTimeOut
    /// Keys meant for an item that others have removed go to the one in focus then.
    case focusTakesKeys
    /// A release of the button without its press puts down what is in hand.
    case releaseDrops
    /// What is half written is forgotten when the window is closed.
    case closingForgets
    /// What is half written is forgotten when Ctrl-C ends the editor.
    case interruptForgets
    /// Of a long paste only the first lines are taken.
    case pasteIsCut
    /// A number before a key makes it act once.
    case countIsIgnored

    #if PLANTED_BUGS
    @TaskLocal private static var planted: PlantedSlip?

    /// Whether it is there.
    package var isPlanted: Bool { Self.planted == self }

    /// Does something with a slip.
    package static func plant(_ slip: PlantedSlip, during body: () -> Void) {
        $planted.withValue(slip, operation: body)
    }
    #else
    /// Whether it is there: never in this build.
    @inlinable package var isPlanted: Bool { false }

    /// Only a debug build has slips to plant.
    package static func plant(_ slip: PlantedSlip, during body: () -> Void) {
        preconditionFailure("only a debug build has slips to plant")
    }
    #endif
}
