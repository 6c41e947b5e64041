import Testing
import TripModel

@testable import TripClient
@testable import TripProtocol

/// Silent daemons, changes with an unknown outcome, and the reported news during a drag.
@Suite struct LiveTripSafetyTests {
    private func ready(items: Int = 3) throws -> CoreBench {
        var bench = try CoreBench(items: items)
        try bench.begin()
        return bench
    }

    private func dragging(items: Int = 3) throws -> (CoreBench, ItemID) {
        var bench = try ready(items: items)
        let item = bench.items[0]
        try bench.want(.beginDrag(item))
        try bench.grant()
        return (bench, item)
    }

    // MARK: Silence

    @Test func `a daemon that does not answer is silent after 5 s and disconnected after 30 s`() throws {
        var bench = try ready()
        let item = bench.items[0]
        let intent = try bench.want(.edit([.move(item, to: .end(day: 2))]))
        #expect(bench.shown?.isSilent == false)
        try bench.waitForDeadline()
        #expect(bench.now == .seconds(5))
        #expect(bench.shown?.isSilent == true)
        #expect(bench.shown?.pendingCount == 1)
        try bench.waitForDeadline()
        #expect(bench.now == .seconds(30))
        #expect(bench.actions.contains(.disconnect))
        #expect(bench.results[intent] == nil)
        try bench.reconnect()
        try bench.subscribeUpToDate()
        let move = try bench.next("item.move")
        #expect(move.seq == 1)
        let delta = try bench.make([.move(item, to: .end(day: 2))], by: "Ann")
        try bench.accept(move)
        try bench.send(delta.line())
        #expect(bench.version(of: intent) == 2)
        #expect(bench.shown?.isSilent == false)
    }

    @Test func `an idle connection gets a ping, and its answer ends the silence`() throws {
        var bench = try ready()
        try bench.waitForDeadline()
        #expect(bench.now == .seconds(15))
        let ping = try bench.next("ping")
        try bench.waitForDeadline()
        #expect(bench.shown?.isSilent == true)
        try bench.answer(ping) { json in
            json.beginObject()
            json.endObject()
        }
        #expect(bench.shown?.isSilent == false)
        #expect(bench.shown?.connection == .connected)
    }

    @Test func `a change with an unknown outcome is counted and stays on the screen`() throws {
        var bench = try ready()
        let item = bench.items[0]
        try bench.want(.edit([.move(item, to: .end(day: 2))]))
        try bench.refuse(bench.next("item.move"), .outcomeUnknown)
        #expect(bench.shown?.doubtfulCount == 1)
        #expect(bench.shown?.pendingCount == 1)
        #expect(bench.day(of: item) == 2)
    }

    @Test func `a refusal rolls back only the refused change`() throws {
        var bench = try ready()
        let (first, second) = (bench.items[0], bench.items[1])
        let doubtful = try bench.want(.edit([.move(first, to: .end(day: 2))]))
        let refused = try bench.want(.edit([.move(second, to: .end(day: 3))]))
        try bench.refuse(bench.next("item.move"), .outcomeUnknown)
        try bench.refuse(bench.next("item.move"), .storageFailed)
        #expect(bench.failure(of: refused) != nil)
        #expect(bench.results[doubtful] == nil)
        #expect(bench.day(of: first) == 2)
        #expect(bench.day(of: second) == bench.daemon.trip[second]?.position.day)
    }

    // MARK: Dragging

    @Test func `a change that was made and undone during a drag is no longer shown`() throws {
        var (bench, _) = try dragging()
        let other = bench.items[1]
        let title = bench.daemon.trip[other]?.content.title ?? ""
        try bench.want(.edit([.update(other, [.title("Mine")])]))
        let made = try bench.make([.update(other, [.title("Mine")])], by: "Ann")
        try bench.accept(bench.next("item.update"))
        try bench.send(made.line())
        try bench.want(.undo)
        let back = try bench.make([.update(other, [.title(title)])], by: "Ann")
        try bench.accept(bench.next("trip.undo"))
        try bench.send(back.line())
        #expect(bench.shown?.trip[other]?.content.title == title)
        #expect(bench.shown?.waitingVersions == 0)
        try bench.want(.redo)
        let again = try bench.make([.update(other, [.title("Mine")])], by: "Ann")
        try bench.accept(bench.next("trip.redo"))
        try bench.send(again.line())
        #expect(bench.shown?.trip[other]?.content.title == "Mine")
        try bench.want(.cancelDrag)
        #expect(bench.shown?.trip == bench.daemon.trip)
    }

    @Test func `answered changes do not count as pending during a long drag`() throws {
        var (bench, _) = try dragging()
        let other = bench.items[1]
        for number in 0...LiveTripCore.maximumPending {
            let intent = try bench.want(.edit([.update(other, [.title("Title \(number)")])]))
            let delta = try bench.make([.update(other, [.title("Title \(number)")])], by: "Ann")
            try bench.accept(bench.next("item.update"))
            try bench.send(delta.line())
            #expect(bench.version(of: intent) == number + 2)
        }
        #expect(bench.shown?.trip[other]?.content.title == "Title \(LiveTripCore.maximumPending)")
    }

    @Test func `an unfinished form holds the view like a drag, with or without a connection`() throws {
        var bench = try ready()
        let (mine, others) = (bench.items[0], bench.items[1])
        let before = bench.day(of: others)
        try bench.want(.hold)
        try bench.changeByAnother([.move(others, to: .end(day: 2))])
        #expect(bench.day(of: others) == before)
        #expect(bench.shown?.waitingVersions == 1)
        try bench.want(.edit([.move(mine, to: .end(day: 3))]))
        #expect(bench.day(of: mine) == 3)
        try bench.lose()
        #expect(bench.day(of: others) == before)
        #expect(bench.core.takeNews().isEmpty)
        try bench.want(.release)
        #expect(bench.day(of: others) == 2)
        #expect(bench.day(of: mine) == 3)
        #expect(bench.shown?.waitingVersions == 0)
        #expect(bench.core.takeNews().map(\.user) == ["Bob"])
    }

    // MARK: Authors

    @Test func `the user's own changes are not reported as others', also in a delta with others' changes`()
        throws
    {
        var bench = try ready()
        let (mine, others) = (bench.items[0], bench.items[1])
        for day in 2...4 {
            try bench.want(.edit([.move(mine, to: .end(day: day))]))
            _ = try bench.make([.move(mine, to: .end(day: day))], by: "Ann")
            try bench.accept(bench.next("item.move"))
        }
        let from = try #require(bench.shown).version
        let last = try bench.make([.move(others, to: .end(day: 5))])
        let trip = bench.daemon.trip
        let all = TripDelta(
            trip: last.trip, epoch: last.epoch, from: from, version: last.version, cause: last.cause,
            header: last.header, upserts: trip.items.filter { [mine, others].contains($0.id) }, removed: [],
            problems: last.problems)
        try bench.send(all.line())
        let news = bench.core.takeNews()
        #expect(news.map(\.user) == ["Bob"])
        #expect(news.map(\.after?.id) == [others])
        #expect(bench.core.takeNews().isEmpty)
    }

    @Test func `a removal in a delta of several changes is not attributed to the last author`() throws {
        var bench = try ready(items: 4)
        let items = bench.items
        try bench.want(.edit([.remove(items[0])]))
        _ = try bench.make([.remove(items[0])], by: "Ann")
        try bench.accept(bench.next("item.remove"))
        let unanswered = try bench.want(.edit([.remove(items[3])]))
        _ = try bench.next("item.remove")
        _ = try bench.make([.remove(items[3])], by: "Ann")
        _ = try bench.make([.remove(items[1])])
        let last = try bench.make([.move(items[2], to: .end(day: 2))])
        let from = try #require(bench.shown).version
        try bench.lose()
        try bench.reconnect()
        try bench.subscribe(
            with: TripDelta(
                trip: last.trip, epoch: last.epoch, from: from, version: last.version, cause: last.cause,
                header: last.header, upserts: last.upserts, removed: [items[0], items[1], items[3]],
                problems: last.problems))
        let news = bench.core.takeNews()
        #expect(news.map(\.user) == ["Bob", nil])
        #expect(news.map { $0.before?.id } == [items[2], items[1]])
        #expect(bench.results[unanswered] == nil)
    }

    @Test(arguments: ["Ann", nil], [true, false])
    func `the user's own undo in a delta of several changes is not reported as another's`(
        user: String?, isCut: Bool
    ) throws {
        var bench = try CoreBench(items: 3, user: user)
        try bench.begin()
        let others = bench.items[0]
        let mine = ItemID(high: 9, low: 9)
        let add = Edit.add(mine, .custom(CustomItem(title: "Mine")), to: .end(day: 3))
        try bench.want(.edit([add]))
        let made = try bench.make([add], by: "Ann")
        try bench.accept(bench.next("item.add"))
        try bench.send(made.line())
        let undo = try bench.want(.undo)
        let request = try bench.next("trip.undo")
        _ = try bench.make([.remove(mine)], by: "Ann")
        if !isCut { try bench.accept(request) }
        _ = try bench.make([.remove(bench.items[1])])
        let gone = try #require(bench.shown?.trip.shownIDs.first { !bench.items.contains($0) && $0 != mine })
        let last = try bench.make([.move(others, to: .end(day: 5))])
        let all = TripDelta(
            trip: last.trip, epoch: last.epoch, from: made.version, version: last.version, cause: last.cause,
            header: last.header, upserts: last.upserts, removed: [mine, gone], problems: last.problems)
        if isCut {
            try bench.lose()
            try bench.reconnect()
            try bench.subscribe(with: all)
        } else {
            try bench.send(all.line())
        }
        let news = bench.core.takeNews()
        #expect(news.map(\.user) == ["Bob", nil])
        #expect(news.map { $0.before?.id } == [others, gone])
        #expect((bench.results[undo] == nil) == isCut)
        // A single change has its author, whatever is in flight.
        try bench.want(.undo)
        try bench.changeByAnother([.remove(others)])
        #expect(bench.core.takeNews().map(\.user) == ["Bob"])
    }

    @Test func `the user's own changes are known by the name that the daemon gives`() throws {
        var bench = try CoreBench(items: 3, user: nil)
        try bench.begin()
        let (mine, others) = (bench.items[0], bench.items[1])
        try bench.want(.edit([.move(mine, to: .end(day: 2))]))
        let first = try bench.make([.move(mine, to: .end(day: 2))], by: "Ann")
        let last = try bench.make([.move(others, to: .end(day: 5))])
        try bench.lose()
        try bench.reconnect()
        try bench.subscribe(
            with: TripDelta(
                trip: last.trip, epoch: last.epoch, from: first.from, version: last.version,
                cause: last.cause, header: nil, upserts: first.upserts + last.upserts, removed: [],
                problems: last.problems))
        #expect(bench.core.takeNews().map { $0.after?.id } == [others])
    }
}
