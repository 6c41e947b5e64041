import ItineraryUI
import TripClient
import TripModel
import TripProtocol

/// What goes to the daemon: what the user does, one act after the other.
extension EditorSession {
    /// Sends what the user does, one after the other.
    func carryOutCommands() async {
        while let command = await nextCommand() {
            isChanging = command.isChange
            await carryOut(command)
            isChanging = false
        }
        delivered()
    }

    func nextCommand() async -> EditorCommand? {
        if let command = commands.take() { return command }
        if commands.isEnding { return nil }
        return await withCheckedContinuation { commands.wait($0) }
    }

    func carryOut(_ command: EditorCommand) async {
        guard let client = link?.client, let trip = link?.reference else { return }
        do throws(ClientError) {
            switch command {
            case .beginDrag(let item, let number):
                let start = try await client.beginDrag(of: item, in: trip)
                link?.drag = start.drag
                scheduleKeepAlive()
                if number == wantedDrag { handle(.dragGranted) }
            case .hover(let placement):
                guard let drag = link?.drag else { return }
                link?.hovered = placement
                try await client.hover(drag, over: placement)
            case .drop(let placement):
                guard let drag = link?.drag else { return }
                endDrag()
                let number = wantedDrag
                let drop = Drop(drag: drag, placement: placement, trip: trip, options: nextOptions())
                let result = try await surely { client async throws(ClientError) in
                    try await client.drop(drop)
                }
                handle(.dropAccepted)
                // Accepting may have begun the next drag, which holds newer states back on its own account.
                if number == wantedDrag { letGo(after: result.version) }
            case .cancelDrag(let number):
                let drag = link?.drag
                endDrag()
                if number == wantedDrag { letGo(after: nil) }
                if let drag { try await client.cancel(drag) }
            case .suspend: suspendNow()
            case .listTrips: handle(.trips(try await client.trips().map(choice)))
            case .previewImport(let path): await previewImport(of: path)
            case .apply(let edits):
                let method = edits.count == 1 ? edits[0].method : .apply
                let change = ChangeRequest(method: method, trip: trip, edits: edits, options: nextOptions())
                _ = try await surely { client async throws(ClientError) in try await client.change(change) }
                handle(.editAccepted(nil))
            case .undo:
                let options = nextOptions()
                let result = try await surely { client async throws(ClientError) in
                    try await client.undo(in: trip, options)
                }
                handle(.editAccepted(result.summary.map { "Undid: \($0)." }))
            case .redo:
                let options = nextOptions()
                let result = try await surely { client async throws(ClientError) in
                    try await client.redo(in: trip, options)
                }
                handle(.editAccepted(result.summary.map { "Did again: \($0)." }))
            }
        } catch {
            refused(command, error)
        }
    }

    /// A number for the next change: when the connection is lost before the answer, sending it again is safe.
    func nextOptions() -> ChangeOptions {
        lastSequence += 1
        return ChangeOptions(seq: lastSequence)
    }

    /// Sends a numbered change, over as many connections as it takes to get its answer.
    func surely<Value: Sendable>(
        _ send: (TripClient) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        while true {
            guard let client = link?.client else { throw .closed(nil) }
            do throws(ClientError) {
                return try await send(client)
            } catch {
                guard error.isLossOfConnection, ending == nil else { throw error }
            }
            await untilReconnected(after: client)
        }
    }

    func untilReconnected(after client: TripClient) async {
        guard ending == nil, link?.client === client else { return }
        await withCheckedContinuation { reconnectWaiter = $0 }
    }

    func refused(_ command: EditorCommand, _ error: ClientError) {
        let message = error.description
        if ending != nil, error.isLossOfConnection, command.isChange { lostChanges += 1 }
        switch command {
        case .beginDrag(_, let number):
            guard number == wantedDrag else { return }
            handle(.dragRefused(message))
            letGo(after: nil)
        case .drop:
            let number = wantedDrag
            handle(.dropRefused(message))
            if number == wantedDrag { letGo(after: nil) }
        case .apply, .undo, .redo: handle(.editRefused(message))
        case .listTrips: handle(.failed(message))
        case .hover, .cancelDrag, .previewImport, .suspend: break
        }
    }

    private func choice(_ trip: TripSummary) -> TripChoice {
        let header = trip.header
        return TripChoice(
            id: header.id, name: header.name,
            detail: "\(header.slug) · \(header.startDate), \(trip.itemCount) items")
    }

    /// A drag that rests would run out; hovering at the same place keeps it.
    func scheduleKeepAlive() {
        keepAliveTimer = loop.schedule(after: Self.keepAlive) { [self] in
            assumeIsolated { session in
                guard let link = session.link, link.drag != nil else { return }
                session.commands.append(.hover(link.hovered))
                session.scheduleKeepAlive()
            }
        }
    }
}
