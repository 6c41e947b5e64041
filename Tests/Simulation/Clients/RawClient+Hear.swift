import JSONLine
import TripModel
import TripProtocol

extension RawClient {
    func handle(_ line: JSONNode) throws {
        guard line["jsonrpc"]?.stringEquals("2.0") == true else { throw Violation("a line is JSON-RPC 2.0") }
        guard let method = line["method"]?.string else { return try answered(line) }
        guard let params = line["params"] else { throw Violation("a notification has parameters") }
        switch method {
        case "trip.snapshot", "trip.delta": try reported(params, isDelta: method == "trip.delta")
        case "trip.presence": present = try Self.names(of: params["users"])
        case "drag.ended": try ended(params)
        case "trip.deleted": throw Violation("a trip is deleted only by who asks for it")
        case "goodbye": try close(orderly: true)
        default: throw Violation("a notification is one of the protocol's", method)
        }
    }

    /// The names in presence, in order.
    static func names(of users: JSONNode?) throws -> [String] {
        guard let users else { throw Violation("presence names users") }
        return users.elements.compactMap { $0["user"]?.string }.sorted()
    }

    // MARK: States

    private func reported(_ params: JSONNode, isDelta: Bool) throws {
        guard let held, isSubscribed else {
            throw Violation("no state is sent before the subscription's answer")
        }
        if expectation == .silence,
            !asked.contains(where: { if case .sync = $0.kind { true } else { false } })
        {
            throw Violation(
                "promise 6: no state of the trip is sent during a drag", "held is \(held.version)")
        }
        guard let version = params["version"]?.int, let epoch = params["epoch"]?.string else {
            throw Violation("a state has an epoch and a version")
        }
        guard epoch == held.epoch else {
            throw Violation("on one connection a trip has one epoch", "\(epoch), held is \(held.epoch)")
        }
        guard version > held.version else {
            throw Violation("promise 3: versions only rise", "\(version) after \(held.version)")
        }
        if case .state(let least) = expectation {
            guard version >= least else {
                throw Violation("promise 6: after a drag the newest state comes", "\(version), not \(least)")
            }
            expectation = .anything
        }
        if isDelta {
            guard mode == .delta else { throw Violation("deltas are for who asked for them") }
            try self.held?.apply(params)
        } else {
            guard params["previous"]?.int == held.version,
                params["skipped"]?.int == version - held.version - 1
            else {
                throw Violation("`previous` and `skipped` match the versions sent", "held is \(held.version)")
            }
            guard mode == .snapshot || params["reason"]?.string == "behind" else {
                throw Violation("in delta mode a snapshot says why it comes")
            }
            self.held = try HeldState(snapshot: params)
        }
        try report()
    }

    private func report() throws {
        guard let held else { return }
        world.trace.note("state", held.version)
        try world.oracle.saw(held, of: trip, by: name)
    }

    private func ended(_ params: JSONNode) throws {
        guard let drag, params["drag"]?.string == drag.drag.text else { return }
        guard params["reason"]?.string != "trip_deleted" else { throw Violation("no trip was deleted") }
        self.drag = nil
        if expectation == .silence { expectation = .anything }
    }

    // MARK: Answers

    private func answered(_ line: JSONNode) throws {
        if case .state(let least) = expectation {
            throw Violation(
                "promise 6: the newest state follows the drag's answer at once",
                "version \(least) was to come, held is \(held?.version ?? 0)")
        }
        guard let first = asked.first, line["id"]?.int == first.id else {
            throw Violation("promise 1: answers come in the order of the requests", "\(asked.first?.id ?? 0)")
        }
        asked.removeFirst()
        let reason = line["error"]?["data"]?["reason"]?.string
        if line["error"] != nil { try checkError(reason ?? "", of: first) }
        let result = line["result"]
        switch first.kind {
        case .hello: isWelcome = true
        case .create:
            if let result {
                isMade = true
                world.madeTrips.insert(trip)
                try world.oracle.saw(HeldState(snapshot: result), of: trip, by: name)
            }
        case .subscribe(let since):
            if let result { try subscribed(result, since: since) }
        case .unsubscribe: if result != nil { unsubscribed() }
        case .change(let number, let isRepeat, let isCertain):
            try changed(number, result, reason, isRepeat: isRepeat, isCertain: isCertain)
        case .open(let edits, let again): try opened(result, edits, again: again)
        case .commitAgain(let number): try committedAgain(number, result, reason)
        case .begin(let item): if let result { try began(item, result) }
        case .cancel: try dragOver(version: result?["version"]?.int, isCommit: false)
        case .sync:
            guard let result, let version = result["version"]?.int else { break }
            world.oracle.heard(of: version, of: trip)
            guard isSubscribed, let held else { break }
            guard held.version >= version, held.epoch == result["epoch"]?.string else {
                throw Violation(
                    "trip.sync is answered after everything up to its version was sent",
                    "held is \(held.version) of \(held.epoch)")
            }
        case .state:
            if let result { try world.oracle.saw(HeldState(snapshot: result), of: trip, by: name) }
        case .trial, .other: break
        }
    }

    private func checkError(_ reason: String, of asked: Asked) throws {
        switch reason {
        case "storage_full", "storage_failed", "outcome_unknown":
            if !world.hasFaults { throw Violation("the disk has not failed", reason) }
        case "invalid_params" where asked.isTrial: break
        case "internal_error", "invalid_params", "invalid_request", "parse_error", "method_not_found",
            "not_initialized", "seq_reuse", "trip_corrupt", "limit_exceeded":
            throw Violation("no request of this client is in error", reason)
        case "seq_too_old":
            switch asked.kind {
            case .change(_, isRepeat: true, _), .commitAgain: break
            default: throw Violation("a new `seq` is not too old")
            }
        default: break
        }
    }

    private func subscribed(_ result: JSONNode, since: Since?) throws {
        if let snapshot = result["snapshot"] {
            let state = try HeldState(snapshot: snapshot)
            let mayBeLost = cutsWhenHeld != world.powerCuts
            switch result["reason"]?.string {
            case "ahead" where !mayBeLost:
                throw Violation("no version that was sent is lost", "since \(since?.version ?? 0)")
            case "epoch_changed":
                if since?.epoch == state.epoch { throw Violation("the epoch has not changed") }
            default:
                if let since, since.epoch != state.epoch { throw Violation("a new epoch is said to be new") }
            }
            if let held, state.version < held.version, !mayBeLost {
                throw Violation(
                    "a state that was sent is not revoked", "\(state.version) < \(held.version)")
            }
            held = state
        } else if let delta = result["delta"] {
            guard since != nil, mode == .delta else { throw Violation("a delta answers `since`") }
            try held?.apply(delta)
        } else {
            guard result["upToDate"]?.bool == true, since != nil else {
                throw Violation("a subscription begins with a state")
            }
        }
        guard held != nil else { throw Violation("a subscription begins with a state") }
        cutsWhenHeld = world.powerCuts
        present = try Self.names(of: result["presence"])
        isSubscribed = true
        try report()
    }

    private func unsubscribed() {
        isSubscribed = false
        present = nil
        expectation = .anything
        drag?.defers = false
    }

    private func changed(
        _ number: Int, _ result: JSONNode?, _ reason: String?, isRepeat: Bool, isCertain: Bool
    ) throws {
        let change = unanswered.first { $0.number == number }
        // The batch expired before the commit arrived, which proves nothing about an earlier commit.
        if reason == "batch_not_found", isRepeat { return }
        if reason == "outcome_unknown" {
            // A change with a `seq` is repeated after the next connect.
            if change == nil { world.oracle.lostSight(of: name, in: trip) }
        } else {
            unanswered.removeAll { $0.number == number }
            // A line from an older connection may still be processed. And after a disk failure, an error for
            // a repeated request proves nothing about the first.
            if reason != nil, !isCertain || (isRepeat && world.hasFaults) {
                world.oracle.lostSight(of: name, in: trip)
            }
        }
        if reason == "storage_full", let change, number == lastNumber, number != dropNumber,
            random.chance(60)
        {
            // Nothing was changed, and by now there may be room.
            unanswered.append(change)
            guard change.edits.isEmpty else {
                return ask(.openBatch(.id(trip)), .open(change.edits, again: change))
            }
            // A line from an older connection may apply the change before this one.
            return ask(change.request, .change(number, isRepeat: isRepeat, isCertain: isCertain))
        }
        if let result {
            guard let version = result["version"]?.int else {
                throw Violation("a change answers its version")
            }
            if result["noop"]?.bool == true {
                world.oracle.heard(of: version, of: trip)
            } else {
                try world.oracle.acknowledged(number, of: name, as: version, of: trip)
                world.trace.note("acknowledged", version)
                if change?.edits.isEmpty == false { madeByBatches[number] = version }
                if isSubscribed, !isRepeat, let held, held.version >= version {
                    throw Violation(
                        "promise 2: the answer to a change comes before any state that contains it",
                        "version \(version), held is \(held.version)")
                }
            }
        }
        if number == dropNumber {
            dropNumber = nil
            let isOver = reason == "drag_not_found" || reason == "lease_expired"
            if drag != nil, !isOver {
                try dragOver(
                    version: result?["version"]?.int, isCommit: result != nil && result?["noop"]?.bool != true
                )
            }
        }
    }

    // MARK: Drags

    private func began(_ item: ItemID, _ result: JSONNode) throws {
        guard let drag = result["drag"]?.string, let version = result["version"]?.int else {
            throw Violation("a drag has a name")
        }
        world.countDrag()
        world.oracle.heard(of: version, of: trip)
        if isSubscribed, let held, held.version < version {
            throw Violation(
                "drag.begin is answered after everything up to its version was sent",
                "version \(version), held is \(held.version)")
        }
        let isSilent = defers && isSubscribed
        self.drag = HeldDrag(drag: DragID(drag), item: item, version: version, defers: isSilent)
        if isSilent { expectation = .silence }
    }

    /// Handles the answer that ends a drag; the deferred state must follow at once.
    private func dragOver(version: Int?, isCommit: Bool) throws {
        guard let drag else { return }
        self.drag = nil
        if let version {
            world.oracle.held(
                .init(
                    user: name, item: "\(drag.item)", after: drag.version,
                    before: isCommit ? version : version + 1),
                in: trip)
        }
        guard drag.defers else { return }
        expectation = .anything
        if let version, let held, version > held.version { expectation = .state(version) }
    }
}
