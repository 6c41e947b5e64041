/// Defects of the editor's keys that the simulation plants, one at a time, to prove that it would detect
/// them. Only in debug builds.
package enum PlantedSlip: Sendable {
    /// An incomplete control string is turned into keys after a pause.
    case stringsTimeOut
    /// Keys meant for a removed item go to the item in focus.
    case focusTakesKeys
    /// Releasing the button without a press drops the dragged item.
    case releaseDrops
    /// Unsaved text is lost when the window is closed.
    case closingForgets
    /// Unsaved text is lost when Ctrl-C ends the editor.
    case interruptForgets
    /// Only the first lines of a long paste are accepted.
    case pasteIsCut
    /// A count before a key is ignored.
    case countIsIgnored

    #if PLANTED_BUGS
    @TaskLocal private static var planted: PlantedSlip?

    /// True if this defect is planted.
    package var isPlanted: Bool { Self.planted == self }

    /// Runs a body with a defect planted.
    package static func plant(_ slip: PlantedSlip, during body: () -> Void) {
        $planted.withValue(slip, operation: body)
    }
    #else
    /// Always false in this build.
    @inlinable package var isPlanted: Bool { false }

    /// Only a debug build has defects to plant.
    package static func plant(_ slip: PlantedSlip, during body: () -> Void) {
        preconditionFailure("only a debug build has slips to plant")
    }
    #endif
}
