import TripModel

/// The state after the open trip is gone: unsaved text stays visible until the user continues.
struct TripEnd: Sendable {
    let sentence: String
    /// The unsaved text, if any.
    let written: FormSheet?
    /// The time after which a key applies; earlier ones were typed for the previous screen.
    let readFrom: Duration
}

extension EditorState {
    /// Shows that the trip is gone, other than by the user's own action. Keys are held until that is
    /// acknowledged.
    mutating func endTrip(_ reason: String) {
        if case .ended = mode { return }
        // The awaited result comes first; it may be another trip.
        if case .awaiting = mode {
            known.keepEnd(reason)
            return
        }
        known.keepEnd(nil)
        guard options.style.guardsKeys else {
            returnToList()
            // The unsaved text is shown above.
            say("\(capitalized(reason)).")
            begin(.awaiting(PendingOperation(.trip, "")))
            return emit(.leaveTrip)
        }
        let written = note(unsaved: mode, reason)
        // A drag ends with the trip.
        returnToList()
        motion.stop()
        pointer.reset()
        let sentence = "\(capitalized(reason)). \(keys.name(of: .accept, in: .notice)) goes to the trips."
        begin(.ended(TripEnd(sentence: sentence, written: written, readFrom: now + UnexpectedChanges.time)))
        refuse(sentence)
    }

    /// Shows a deferred message that the trip is gone.
    mutating func endTripIfGone() {
        if let reason = known.unsaidEnd, board != nil, !keepsInput { endTrip(reason) }
    }

    /// Continues to the list of trips.
    mutating func leave(_ end: TripEnd) {
        guard now >= end.readFrom else { return refuse(end.sentence) }
        begin(.awaiting(PendingOperation(.trip, "Loading the trips…")))
        emit(.leaveTrip)
    }
}
