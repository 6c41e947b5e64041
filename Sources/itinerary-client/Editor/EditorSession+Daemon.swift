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
        guard let (state, news) = live?.enter({ $0.takeShown() }) else { return }
        if case .ended(let error) = state.connection { return leave(after: error) }
        let view = EditorLink.view(of: state, news: news)
        guard view != shown || !news.isEmpty else { return }
        shown = view
        handle(.shown(view))
    }

    /// The trip that is open cannot be had any more.
    private func leave(after error: ClientError) {
        // What is deleted here ends this trip too; its own answer says what comes then.
        if deletesOwnTrip || isTripGone { return }
        // Whoever reads lines that nobody types cannot choose another one.
        guard error.saysTripIsGone, face.answersQuestions else {
            return leave(.ended, as: .failed(CommandFailure(error)))
        }
        isTripGone = true
        handle(.ended("the trip was deleted"))
    }

    /// Does something to the trip; what comes of it is shown before anything else happens.
    func perform(_ intent: LiveTripCore.Intent, _ change: Int?) {
        live?.enter { live in
            live.perform(intent) { [self] settlement in
                guard let change else { return }
                enter { session in
                    // Another trip's changes have numbers of their own.
                    guard session.live?.isDriven(by: live) == true else { return }
                    session.showNewest()
                    session.handle(.outcome(change, EditorLink.outcome(of: settlement)))
                }
            }
        }
        showNewest()
    }
}

extension EditorSession {
    /// Tells the editor what happened to the trip lately.
    func listHistory() async {
        guard let trip = shown?.trip.header.id else { return }
        do throws(CommandFailure) {
            let entries = try await withDaemon { client throws(ClientError) in
                try await client.history(HistoryRequest(trip: .id(trip), limit: Self.historyLimit))
            }
            let lines = entries.map { entry in
                HistoryLine(
                    user: entry.user, seconds: entry.at.milliseconds / 1000, summary: entry.summary,
                    items: entry.items)
            }
            handle(.history(lines))
        } catch {
            handle(.failed(.history, error.message))
        }
    }

    /// How far back the history is shown.
    private static let historyLimit = 500

    /// Opens an address in another program.
    func open(_ address: String) {
        do throws(CommandFailure) { try LinkOpener.open(address, .current) } catch {
            handle(.failed(.aside, "\(error.message)."))
        }
    }

    /// Starts the daemon that somebody has stopped, and connects to it.
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
    /// Whether the trip is not there any more.
    fileprivate var saysTripIsGone: Bool {
        if case .refused(let refusal) = self { return refusal.known == .tripNotFound }
        return self == .tripDeleted
    }
}
