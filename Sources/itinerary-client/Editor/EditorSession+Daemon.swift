import EditorLink
import ItineraryUI
import TripClient
import TripModel
import TripProtocol

/// The live trip: what the user does goes there, and what is to be shown comes from there. It knows what is pending
/// and what is held; the editor is shown its states.
extension EditorSession {
    /// Shows the newest state, if it is another one than what is shown.
    func showNewest() {
        guard let (state, news) = live?.assumeIsolated({ $0.takeShown() }) else { return }
        if case .ended(let error) = state.connection { return end(.failed(CommandFailure(error))) }
        let view = EditorLink.view(of: state, news: news)
        guard view != shown || !news.isEmpty else { return }
        shown = view
        handle(.shown(view))
    }

    /// Does something to the trip; what comes of it is shown before anything else happens.
    func perform(_ intent: LiveTripCore.Intent, _ change: Int?) {
        live?.assumeIsolated { live in
            live.perform(intent) { [self] settlement in
                guard let change else { return }
                assumeIsolated { session in
                    session.showNewest()
                    session.handle(.outcome(change, EditorLink.outcome(of: settlement)))
                }
            }
        }
        showNewest()
    }
}

// MARK: - Other trips

extension EditorSession {
    /// Tells the editor which trips there are.
    func listTrips() async {
        do throws(ClientError) {
            let trips = try await asking { client throws(ClientError) in try await client.trips() }
            handle(.trips(trips.map(choice)))
        } catch {
            handle(.failed(error.description))
        }
    }

    /// Opens another trip in place of this one, if it can be had.
    func open(_ trip: TripID) async {
        do throws(ClientError) {
            _ = try await asking { client throws(ClientError) in try await client.snapshot(of: .id(trip)) }
            end(.openTrip(trip))
        } catch {
            handle(.failed("It cannot be opened: \(error)."))
        }
    }

    /// Starts the daemon that somebody has stopped, and connects to it.
    func startDaemon() async {
        do throws(ClientError) {
            try await caller.starting.connect(role: .viewer, on: loop).client.close()
            await live?.connectNow()
        } catch {
            handle(.failed(error.description))
        }
    }

    private func asking<Value: Sendable>(
        _ body: (TripClient) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        let (client, _) = try await caller.withoutStarting.connect(role: .viewer, on: loop)
        do throws(ClientError) {
            let value = try await body(client)
            await client.close()
            return value
        } catch {
            await client.close()
            throw error
        }
    }

    private func choice(_ trip: TripSummary) -> TripChoice {
        let header = trip.header
        return TripChoice(
            id: header.id, name: header.name,
            detail: "\(header.slug) · \(header.startDate), \(trip.itemCount) items")
    }
}
