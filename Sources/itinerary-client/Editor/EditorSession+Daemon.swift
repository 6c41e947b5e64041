import ItineraryUI
import TripClient
import TripModel
import TripProtocol

/// What comes from the daemon: notifications, over as many connections as it takes.
extension EditorSession {
    /// Takes in notifications as long as the editor runs, over as many connections as it takes.
    func listen() async {
        while ending == nil, let client = link?.client {
            for await notification in client.notifications { take(notification) }
            if ending != nil { return }
            let reason = await client.ending ?? .closed(nil)
            await reconnect(after: reason)
        }
    }

    func take(_ notification: Notification) {
        switch notification {
        case .snapshot(let snapshot, _, _, let cause):
            guard let before = link?.mirror.shown.trip else { return }
            if link?.mirror.receive(snapshot) == true {
                showMirror()
                announce(from: before, cause)
            } else {
                handle(.waiting(link?.mirror.waitingCount ?? 0))
            }
        case .presence(_, let users): handle(.people(people(users)))
        case .dragEnded(let drag, _, let reason):
            guard link?.drag == drag else { return }
            endDrag()
            letGo(after: nil)
            switch reason {
            case .expired: handle(.dragLost("the drag was let go: nothing was heard of it for too long"))
            case .itemRemoved: handle(.dragLost("the item was removed"))
            case .tripDeleted: handle(.dragLost("the trip was deleted"))
            }
        case .tripDeleted:
            end(.failed(CommandFailure("the trip was deleted", exitCode: CommandFailure.refused)))
        case .goodbye: break
        }
    }

    func announce(from before: Trip, _ cause: Cause?) {
        guard let cause, cause.clientID != link?.welcome.clientID, let now = link?.mirror.shown.trip,
            let sentence = RemoteChange.sentence(from: before, to: now, by: cause.user)
        else { return }
        handle(.announced(sentence))
    }

    func people(_ users: [PresentUser]) -> [Person] {
        users.filter { $0.connectionID != link?.welcome.connectionID }
            .map { Person(name: $0.user, dragging: $0.dragging, over: $0.over) }
    }

    func show(_ link: EditorLink) {
        self.link = link
        reconnectWaiter?.resume()
        reconnectWaiter = nil
        handle(.connection(.connected))
        showMirror()
        handle(.people(people(link.users)))
    }

    func showMirror() {
        guard let shown = link?.mirror.shown else { return }
        handle(.waiting(0))
        handle(.loaded(TripView(trip: shown.trip, problems: shown.problems)))
    }

    /// Shows newer states again, at once or from a version on.
    func letGo(after version: Int?) {
        if link?.mirror.letGo(after: version) == true { showMirror() }
    }

    func endDrag() {
        link?.drag = nil
        link?.hovered = nil
        if let keepAliveTimer { loop.cancel(keepAliveTimer) }
        keepAliveTimer = nil
    }

    // MARK: Reconnecting

    /// Tries until it is connected again, or the editor ends, or it makes no sense.
    func reconnect(after reason: ClientError) async {
        endDrag()
        commands.forgetDrag()
        handle(.connection(.lost(reason.description)))
        // A daemon that was stopped on purpose is not started again behind somebody's back.
        var caller = caller
        if case .closed(.shuttingDown?) = reason { caller = caller.withoutStarting }
        var pause = Duration.milliseconds(100)
        while ending == nil {
            do throws(ClientError) {
                let next = try await EditorLink.open(
                    link?.reference ?? reference, caller, clientID: link?.welcome.clientID, on: loop)
                if ending != nil { return await next.client.close() }
                return show(next)
            } catch {
                if case .refused = error { return end(.failed(CommandFailure(error))) }
                handle(.connection(.connecting("\(reason); trying again")))
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(3))
        }
    }
}
