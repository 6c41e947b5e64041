/// Looking only: because the user asked for it, or because the daemon allows no more.
extension EditorState {
    static let viewerSentence = "You only look at this trip; nothing is changed."

    /// Whether the user only looks at the trip.
    var isViewer: Bool { options.isViewer || board?.view.mayChange == false }

    /// Says what the user may do from now on, where somebody has decided so.
    mutating func tellAccess(_ old: TripView, _ new: TripView) {
        guard !options.isViewer, old.mayChange != new.mayChange else { return }
        if new.mayChange {
            mention("You may change this trip from now on.")
        } else {
            refuse("You may only look at this trip from now on.")
        }
    }

    /// Whether the end of what is open would change the trip for somebody who only looks: then it stays open, with what was
    /// written.
    mutating func refusesAsViewer(_ action: Action) -> Bool {
        guard isViewer, action == .accept || action == .drop,
            mode.wouldChange(board?.outline.trip.header.id)
        else { return false }
        refuse(Self.viewerSentence)
        return true
    }

}
