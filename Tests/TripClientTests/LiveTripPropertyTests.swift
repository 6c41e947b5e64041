import TestSupport
import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// Several cores with one model daemon, in any order of lines, with connections lost at any point. In the end
/// all show the daemon's trip, and every change was applied as often as reported to its author.
@Suite struct LiveTripPropertyTests {
    /// One client, and the lines in flight to and from it.
    private struct Client {
        let id: ClientID
        var core: LiveTripCore
        var connection: Int?
        var toDaemon: [[UInt8]] = []
        var toClient: [[UInt8]] = []
        var wantsConnection = false
        /// Intents that are changes, by their number; nil until they are resolved.
        var wanted: [Int: LiveTripCore.Resolution?] = [:]
        var nextIntent = 1
    }

    private struct World {
        var random: SplitMix64
        var daemon: ModelDaemon
        var clients: [Client] = []
        var now = Duration.zero
        var nextConnection = 1

        init(seed: UInt64) throws {
            random = SplitMix64(seed: seed)
            daemon = ModelDaemon(try SampleTrip.snapshot(1, items: 6))
            for number in 1...3 {
                let id = ClientID(high: 0xC, low: UInt64(number))
                let hello = Hello(
                    clientName: "test", clientVersion: "1", user: "user \(number)", clientID: id)
                clients.append(
                    Client(
                        id: id,
                        core: LiveTripCore(
                            .init(trip: .slug("t1"), hello: hello, seed: seed &+ UInt64(number)))))
            }
        }

        mutating func take(_ actions: [LiveTripCore.Action], _ index: Int) {
            for action in actions {
                switch action {
                case .connect: clients[index].wantsConnection = true
                case .send(let bytes): clients[index].toDaemon.append(bytes.dropLast())
                case .disconnect: cut(index)
                case .stateChanged: break
                case .resolved(let intent, let resolution):
                    if clients[index].wanted.keys.contains(intent) {
                        #expect(clients[index].wanted[intent] == .some(nil), "resolved once")
                        clients[index].wanted[intent] = .some(resolution)
                    }
                }
            }
        }

        /// The connection ends: lines from the client may still be read, lines from the daemon are lost.
        mutating func cut(_ index: Int) {
            guard let connection = clients[index].connection else { return }
            let readable = random.below(clients[index].toDaemon.count + 1)
            for line in clients[index].toDaemon.prefix(readable) {
                _ = try? daemon.receive(line, from: connection)
            }
            daemon.disconnect(connection)
            clients[index].connection = nil
            clients[index].toDaemon = []
            clients[index].toClient = []
        }

        mutating func connectOrFail(_ index: Int, mayFail: Bool) {
            clients[index].wantsConnection = false
            if mayFail, random.chance(30) {
                let error = ClientError.noDaemon(socket: "s")
                return take(clients[index].core.connectFailed(error, isFatal: false, now: now), index)
            }
            daemon.connect(nextConnection)
            clients[index].connection = nextConnection
            nextConnection += 1
            take(clients[index].core.opened(now: now), index)
        }

        mutating func want(_ index: Int) {
            guard let trip = clients[index].core.state()?.trip, let item = random.pick(trip.shownIDs) else {
                return
            }
            let place = Placement.end(day: 1 + random.below(5))
            let intent: LiveTripCore.Intent
            switch random.below(10) {
            case 0:
                intent = .edit([.add(.random(using: &random), .custom(CustomItem(title: "New")), to: place)])
            case 1: intent = trip.itemCount > 4 ? .edit([.remove(item)]) : .edit([.move(item, to: place)])
            case 2: intent = .edit([.update(item, [.title("Title \(random.below(100))")])])
            case 3: intent = .edit([.move(item, to: place), .update(item, [.note("n\(random.below(9))")])])
            case 4: intent = .beginDrag(item)
            case 5: intent = .hover(place)
            case 6: intent = .drop(place)
            case 7: intent = .cancelDrag
            default: intent = .edit([.move(item, to: place)])
            }
            let number = clients[index].nextIntent
            clients[index].nextIntent += 1
            switch intent {
            case .edit, .drop: clients[index].wanted[number] = .some(nil)
            default: break
            }
            take(
                clients[index].core.perform(
                    intent, id: number, at: Timestamp(milliseconds: 1_000_000), now: now), index)
        }

        mutating func step(_ index: Int, mayLose: Bool, mayWant: Bool) throws {
            switch random.below(20) {
            case 0 where mayLose && clients[index].connection != nil:
                cut(index)
                take(clients[index].core.lost(.closed(nil), now: now), index)
            case 1..<5 where mayWant: want(index)
            case 5..<11: try deliverToDaemon(index)
            case 11..<17: deliverToClient(index)
            case 17: tellNews(index)
            case 18 where clients[index].wantsConnection: connectOrFail(index, mayFail: mayLose)
            default:
                // Without cuts every answer comes before its timeout.
                if !mayLose, clients[index].core.phase == .live { return }
                guard let deadline = clients[index].core.nextDeadline else { return }
                // The clients share one clock: this one's deadline may have passed already.
                now = max(now, deadline)
                take(clients[index].core.timer(now: now), index)
            }
        }

        mutating func deliverToDaemon(_ index: Int) throws {
            guard let connection = clients[index].connection, !clients[index].toDaemon.isEmpty else { return }
            let line = clients[index].toDaemon.removeFirst()
            let answer = try daemon.receive(line, from: connection)
            // The author's answer comes before the state that contains its change; others' states before.
            clients[index].toClient.append(answer)
        }

        mutating func tellNews(_ index: Int) {
            guard let connection = clients[index].connection, let line = daemon.news(for: connection) else {
                return
            }
            clients[index].toClient.append(line)
        }

        mutating func deliverToClient(_ index: Int) {
            guard !clients[index].toClient.isEmpty else { return }
            let line = clients[index].toClient.removeFirst()
            take(clients[index].core.receive(line: line.dropLast(), now: now), index)
        }

        /// Whether nothing is in flight.
        var isQuiet: Bool {
            clients.allSatisfy { client in
                client.core.phase == .live && client.toDaemon.isEmpty && client.toClient.isEmpty
                    && client.core.pendingCount == 0 && client.core.since?.version == daemon.trip.version
            }
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `all clients converge, and each change is applied as often as was reported`(seed: UInt64) throws {
        var world = try World(seed: seed)
        for index in world.clients.indices {
            world.take(world.clients[index].core.start(now: world.now), index)
        }
        for _ in 0..<1200 {
            let index = world.random.below(3)
            try world.step(index, mayLose: true, mayWant: true)
        }
        for index in world.clients.indices {
            world.take(
                world.clients[index].core.perform(
                    .cancelDrag, id: 0, at: Timestamp(milliseconds: 0), now: world.now), index)
        }
        var rounds = 0
        while !world.isQuiet, rounds < 20_000 {
            let index = world.random.below(3)
            try world.step(index, mayLose: false, mayWant: false)
            rounds += 1
        }
        try #require(world.isQuiet, "all requests are answered")
        var total = 0
        for index in world.clients.indices {
            let client = world.clients[index]
            let last = world.clients[index].core.state()
            let state = try #require(last)
            #expect(state.trip == world.daemon.trip)
            #expect(state.problems == world.daemon.trip.problems)
            #expect(state.waitingVersions == 0)
            let counts = world.daemon.made[client.id] ?? [:]
            #expect(counts.values.allSatisfy { $0 == 1 }, "nothing is made twice")
            var accepted = 0
            for resolution in client.wanted.values {
                guard let resolution else {
                    Issue.record("an intent was never resolved")
                    continue
                }
                if case .changed(let result) = resolution, !result.isNoop { accepted += 1 }
            }
            #expect(accepted == counts.count, "the applied changes are those reported")
            total += accepted
        }
        #expect(total > 10, "something was done")
    }
}
