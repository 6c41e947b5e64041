import EditorLink
import ItineraryUI
import TripClient
import TripModel
import TripProtocol

/// The connection to the live trip, which keeps the pending changes and deferred states. The editor shows its
/// states.
extension EditorSession {
    /// Shows the newest state if it differs from the shown one.
    func showNewest() {
        guard let (state, news) = live?.enter({ $0.takeShown() }) else { return }
        if case .ended(let error) = state.connection { return leave(after: error) }
        let view = EditorLink.view(of: state, news: news)
        guard view != shown || !news.isEmpty else { return }
        shown = view
        handle(.shown(view))
    }

    /// Handles that the open trip is no longer available.
    private func leave(after error: ClientError) {
        // A deletion from here also ends this trip; its own answer decides what comes next.
        if deletesOwnTrip || isTripGone { return }
        // A script cannot choose another trip.
        guard error.saysTripIsGone, face.answersQuestions else {
            return leave(.ended, as: .failed(CommandFailure(error)))
        }
        isTripGone = true
        handle(.ended("the trip was deleted"))
    }

    /// Sends an intent to the trip, and shows the result before anything else happens.
    func perform(_ intent: LiveTripCore.Intent, _ change: Int?) {
        live?.enter { live in
            live.perform(intent) { [self] resolution in
                guard let change else { return }
                enter { session in
                    // The change belongs to another trip, whose changes have their own numbers.
                    guard session.live?.isDriven(by: live) == true else { return }
                    session.showNewest()
                    session.handle(.outcome(change, EditorLink.outcome(of: resolution)))
                }
            }
        }
        showNewest()
    }
}

extension EditorSession {
    /// Sends the trip's recent history to the editor.
    func listHistory() async {
        guard let trip = shown?.trip.header.id else { return }
        do throws(CommandFailure) {
            let entries = try await withDaemon { client throws(ClientError) in
                try await client.history(HistoryRequest(trip: .id(trip), limit: Self.historyLimit))
            }
            let lines = entries.map { entry in
                HistoryLine(
                    user: entry.user, seconds: entry.changedAt.milliseconds / 1000, summary: entry.summary,
                    items: entry.items)
            }
            handle(.history(lines))
        } catch {
            handle(.failed(.history, error.message))
        }
    }

    /// The maximum number of shown history entries.
    private static let historyLimit = 500

    /// Opens a URL in another program.
    func open(_ address: String) {
        do throws(CommandFailure) {
            try LinkOpener.open(address, .current) { [self] reason in
                enter { $0.handle(.failed(.aside, "\(reason).")) }
            }
        } catch {
            handle(.failed(.aside, "\(error.message)."))
        }
    }

    /// Starts a stopped daemon, and connects to it.
    func startDaemon() async {
        do throws(ClientError) {
            try await caller.starting.connect(role: .viewer, on: loop).client.close()
            live?.enter { $0.connectNow() }
        } catch {
            handle(.failed(.aside, error.description))
        }
    }
}

extension ClientError {
    /// Whether the trip no longer exists.
    fileprivate var saysTripIsGone: Bool {
        if case .refused(let refusal) = self { return refusal.known == .tripNotFound }
        return self == .tripDeleted
    }
}
