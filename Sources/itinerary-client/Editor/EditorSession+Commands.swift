import ItineraryUI
import TripClient
import TripModel
import TripProtocol

/// What goes to the daemon: what the user does. The live trip shows it at once and delivers it in order; what
/// became of it comes back as an event.
extension EditorSession {
    func beginDrag(of item: ItemID) {
        wantedDrag += 1
        let number = wantedDrag
        want(.beginDrag(item)) { session, settlement in
            // The answer to a drag that was given back meanwhile is of no interest.
            guard number == session.wantedDrag else { return }
            session.handle(settlement.error.map { .dragRefused($0.description) } ?? .dragGranted)
        }
    }

    func cancelDrag() {
        wantedDrag += 1
        want(.cancelDrag) { _, _ in }
    }

    func drop(_ placement: Placement) {
        let number = wantedDrag
        want(.drop(placement)) { session, settlement in
            guard number == session.wantedDrag, number != session.lostDrag else {
                // The connection was lost on the way, and the editor gave the drag up then.
                if let error = settlement.error { session.handle(.announced(error.description)) }
                return
            }
            session.handle(settlement.error.map { .dropRefused($0.description) } ?? .dropAccepted)
        }
    }

    func apply(_ edits: [Edit]) { change(.edit(edits)) { _ in nil } }

    func undo() { change(.undo) { $0.map { "Undid: \($0)." } } }

    func redo() { change(.redo) { $0.map { "Did again: \($0)." } } }

    /// Makes a change that the editor shows as pending.
    ///
    /// - Parameter sentence: what to say when it is made, by the daemon's summary.
    private func change(_ intent: LiveTripCore.Intent, _ sentence: @escaping @Sendable (String?) -> String?) {
        want(intent) { session, settlement in
            switch settlement {
            case .changed(let result): session.handle(.editAccepted(sentence(result.summary)))
            case .granted: break
            case .failed(let error): session.handle(.editRefused(error.description))
            }
        }
    }

    /// Tells the live trip, and hears from it on the same loop.
    func want(
        _ intent: LiveTripCore.Intent,
        then tell: @escaping @Sendable (isolated EditorSession, LiveTripCore.Settlement) -> Void
    ) {
        live?.assumeIsolated { live in
            live.perform(intent) { [self] settlement in
                assumeIsolated { tell($0, settlement) }
            }
        }
    }
}

// MARK: - Other trips

extension EditorSession {
    /// Tells the editor which trips there are.
    func listTrips() async {
        do throws(ClientError) {
            let (client, _) = try await caller.withoutStarting.connect(role: .viewer, on: loop)
            let trips: [TripSummary]
            do throws(ClientError) { trips = try await client.trips() } catch {
                await client.close()
                throw error
            }
            await client.close()
            handle(.trips(trips.map(choice)))
        } catch {
            handle(.failed(error.description))
        }
    }

    private func choice(_ trip: TripSummary) -> TripChoice {
        let header = trip.header
        return TripChoice(
            id: header.id, name: header.name,
            detail: "\(header.slug) · \(header.startDate), \(trip.itemCount) items")
    }
}

extension LiveTripCore.Settlement {
    /// Why it failed; nil where it did not.
    fileprivate var error: ClientError? {
        if case .failed(let error) = self { error } else { nil }
    }
}
