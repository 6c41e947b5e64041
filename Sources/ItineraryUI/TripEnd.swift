import TripModel

/// The trip that is open has gone: what was being written stays before the user's eyes until they go on.
struct TripEnd: Sendable {
    let sentence: String
    /// What was being written, if anything was.
    let written: FormSheet?
    /// From when on a key is meant for this: those before were typed for what was on the screen.
    let readFrom: Duration
}

extension EditorState {
    /// The trip is gone, other than by the user's own hand: keys wait until that has been read.
    mutating func endTrip(_ reason: String) {
        if case .ended = mode { return }
        // What is asked for comes first; it may lead to another trip.
        if case .awaiting = mode {
            known.keepEnd(reason)
            return
        }
        known.keepEnd(nil)
        if options.isByLines {
            returnToList()
            // What was written stands above.
            say("\(capitalized(reason)).")
            begin(.awaiting(Errand(.trip, "")))
            return emit(.leaveTrip)
        }
        let written = noteUnfinished(reason)
        // What is in hand goes with the trip.
        returnToList()
        motion.stop()
        pointer.letGo()
        let sentence = "\(capitalized(reason)). \(keyName(.accept, .notice)) goes to the trips."
        begin(.ended(TripEnd(sentence: sentence, written: written, readFrom: now + Surprises.time)))
        refuse(sentence)
    }

    /// Says that the trip has gone, where that had to wait.
    mutating func endTripIfGone() {
        if let reason = known.unsaidEnd, board != nil, !keepsInput { endTrip(reason) }
    }

    /// Goes on to the trips that there are.
    mutating func leave(_ end: TripEnd) {
        guard now >= end.readFrom else { return refuse(end.sentence) }
        begin(.awaiting(Errand(.trip, "Asking for the trips…")))
        emit(.leaveTrip)
    }
}
