import TripClient

/// A user with a live trip, who adds, moves, renames, drags and removes their own items.
actor SoakUser {
    nonisolated let live: LiveTrip
    private let counts: Counts
    private let gate: Gate
    private let number: Int
    /// The user's items that should be in the trip.
    private(set) var expected: Set<ItemID> = []

    init(_ live: LiveTrip, _ number: Int, _ counts: Counts, _ gate: Gate) {
        (self.live, self.number, self.counts, self.gate) = (live, number, counts, gate)
    }

    /// Changes the trip until the end; several lanes do so concurrently.
    func work(_ lane: Int) async {
        var own: [ItemID] = []
        var round = 0
        while await gate.enter() {
            round += 1
            switch (round + lane) % 5 {
            case 0 where own.count > 10: await remove(own.removeFirst())
            case 1 where !own.isEmpty:
                await make(.edits([.move(own[round % own.count], to: .start(day: 1 + round % 5))]))
            case 2 where !own.isEmpty:
                await make(.edits([.update(own[round % own.count], [.title("\(number).\(lane).\(round)")])]))
            case 3 where lane == 0 && !own.isEmpty: await drag(own[round % own.count], to: 1 + round % 5)
            default: if let id = await add("\(number).\(lane).\(round)") { own.append(id) }
            }
            await gate.leave()
        }
    }

    /// Checks that states advance.
    func watch() async {
        var (epoch, version) = ("", 0)
        for await state in live.states {
            if state.epoch == epoch, state.version < version { counts.add(.wrong) }
            (epoch, version) = (state.epoch, state.version)
        }
    }

    /// Pauses the view while a backup is restored, like a form of a new item does.
    func hold() { live.hold() }

    /// Adds an item while the view is paused, which must show it.
    func changeHeld() async {
        let id = await add("\(number) held")
        if let id, live.state.trip[id] == nil { counts.add(.wrong) }
        live.release()
    }

    private func add(_ title: String) async -> ItemID? {
        let id = ItemID.random()
        let content = ItemContent.custom(CustomItem(title: title))
        let day = 1 + title.utf8.count % 5
        guard await make(.edits([.add(id, content, to: .end(day: day))]), showing: id) else { return nil }
        expected.insert(id)
        return id
    }

    private func remove(_ id: ItemID) async {
        if await make(.edits([.remove(id)])) { expected.remove(id) }
    }

    private func drag(_ id: ItemID, to day: Int) async {
        // There may be no connection, or another lane may remove it.
        do throws(ClientError) { try await live.beginDrag(of: id) } catch { return }
        live.hover(over: .end(day: day))
        await make(.drop(.end(day: day)))
    }

    /// Submits a change; returns whether it was applied.
    @discardableResult
    private func make(_ change: LiveTrip.Change, showing id: ItemID? = nil) async -> Bool {
        counts.add(.asked)
        let submitted = live.submit(change)
        if let id, submitted.state.trip[id] == nil { counts.add(.wrong) }
        do throws(ClientError) {
            let result = try await submitted.result
            counts.add(result.isNoop ? .noop : .made)
            if let id, live.state.trip[id] == nil { counts.add(.wrong) }
            return true
        } catch {
            if case .outcomeUnknown = error {
                counts.add(.unknown)
            } else {
                counts.add(.refused, because: error)
            }
            return false
        }
    }
}
