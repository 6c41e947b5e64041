import ItineraryUI
import TripClient
import TripModel
import TripProtocol

/// What comes from the daemon: one state of the live trip after the other.
extension EditorSession {
    /// Shows a state.
    func take(_ state: LiveTripState) {
        let before = shown
        shown = state
        tellConnection(state, before)
        tellDrag(state, before)
        if state.people != before?.people { handle(.people(people(state))) }
        if state.waitingVersions != before?.waitingVersions ?? 0 {
            handle(.waiting(state.waitingVersions))
        }
        if state.trip != before?.trip || state.problems != before?.problems {
            handle(.loaded(TripView(trip: state.trip, problems: state.problems)))
        }
        announce(state, before)
        suspendIfIdle()
    }

    private func tellConnection(_ state: LiveTripState, _ before: LiveTripState?) {
        guard state.connection != before?.connection || state.unsentCount != before?.unsentCount else {
            return
        }
        switch state.connection {
        case .connected:
            if before?.connection != .connected { handle(.connection(.connected)) }
        case .connecting(let attempt, let reason):
            if before?.connection == .connected {
                lossReason = reason.map(\.description) ?? ""
                lostDrag = wantedDrag
                handle(.connection(.lost(lossReason)))
            }
            if attempt == 1, state.unsentCount == 0 { return }
            handle(.connection(.connecting(unsent(state.unsentCount) + lossReason)))
        case .ended(let error):
            end(.failed(CommandFailure(error)))
        }
    }

    private func unsent(_ count: Int) -> String {
        switch count {
        case 0: ""
        case 1: "1 change not yet sent; "
        default: "\(count) changes not yet sent; "
        }
    }

    /// A drag that ended otherwise than by the user. A refusal is the answer to asking for it, and one that went
    /// with the connection has been told with that.
    private func tellDrag(_ state: LiveTripState, _ before: LiveTripState?) {
        guard state.drag != before?.drag, case .lost(_, .ended(let reason)) = state.drag else { return }
        handle(.dragLost(reason.explanation))
    }

    /// The other people who may change something; whoever only watches needs no regard.
    private func people(_ state: LiveTripState) -> [Person] {
        state.people.filter { $0.connectionID != state.connectionID && $0.role == .editor }
            .map { Person(name: $0.user, dragging: $0.dragging, over: $0.over) }
    }

    /// Says what somebody else has done, where it is seen as it happens.
    private func announce(_ state: LiveTripState, _ before: LiveTripState?) {
        guard let before, state.version != before.version, state.drag == before.drag,
            let cause = state.lastCause, cause.clientID != state.clientID,
            let sentence = RemoteChange.sentence(from: before.trip, to: state.trip, by: cause.user)
        else { return }
        announce(sentence, by: cause.user)
    }
}
