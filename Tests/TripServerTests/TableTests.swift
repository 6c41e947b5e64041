import JSONLine
import LocalSystem
import TestSupport
import Testing
import TripModel
import TripProtocol

@testable import TripServer

@Suite struct RetryTableTests {
    private let ann = ClientID(high: 0, low: 1)
    private let bob = ClientID(high: 0, low: 2)

    private func answer(_ seq: Int, version: Int, mark: UInt64 = 7) -> RetryTable.Answer {
        .init(seq: seq, fingerprint: mark, version: version, .result(Array("r\(seq)".utf8)))
    }

    @Test func `the table distinguishes a new, a repeated, a reused and a too old number`() {
        var table = RetryTable()
        #expect(table.verdict(client: ann, seq: -5, fingerprint: 7) == .new)
        for seq in [2, 5, 9] { table.cache(answer(seq, version: seq), of: ann) }
        let expected: [(Int, UInt64, RetryTable.Verdict)] = [
            (1, 7, .tooOld), (2, 7, .again(result: Array("r2".utf8), version: 2)), (2, 8, .reused),
            (3, 7, .tooOld),
            (9, 7, .again(result: Array("r9".utf8), version: 9)), (9, 6, .reused), (10, 7, .new),
        ]
        for (seq, mark, verdict) in expected {
            #expect(table.verdict(client: ann, seq: seq, fingerprint: mark) == verdict, "\(seq)")
            #expect(table.verdict(client: bob, seq: seq, fingerprint: mark) == .new)
        }
    }

    @Test func `at least 256 answers are cached`() {
        var table = RetryTable()
        for seq in 1...1000 {
            table.cache(answer(seq, version: seq), of: ann)
            for last in max(1, seq - 255)...seq {
                let kept = RetryTable.Verdict.again(result: Array("r\(last)".utf8), version: last)
                #expect(table.verdict(client: ann, seq: last, fingerprint: 7) == kept)
            }
        }
        #expect(table.verdict(client: ann, seq: 1, fingerprint: 7) == .applied(version: 1))
    }

    @Test func `a client's changes are known by number, however many others make`() {
        var table = RetryTable()
        table.cache(answer(1, version: 1), of: ann)
        table.cache(answer(2, version: 2), of: ann)
        for seq in 1...20 {
            let big = [UInt8](repeating: 0x20, count: RetryTable.maximumAnswerBytes)
            table.cache(.init(seq: seq, fingerprint: 7, version: seq + 2, .result(big)), of: bob)
        }
        #expect(table.verdict(client: ann, seq: 1, fingerprint: 7) == .applied(version: 1))
        #expect(
            table.verdict(client: ann, seq: 2, fingerprint: 7)
                == .again(result: Array("r2".utf8), version: 2))
        #expect(table.verdict(client: ann, seq: 3, fingerprint: 7) == .new)
    }

    /// Compared with a table that keeps everything.
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a retry table knows the seq of each applied change, and no other`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var table = RetryTable()
        var made: [ClientID: [(seq: Int, version: Int)]] = [:]
        let clients = [ann, bob, ClientID(high: 0, low: 3)]
        for version in 1...2700 {
            let client = clients[random.below(3)]
            let seq = (made[client]?.last?.seq ?? -10) + 1 + (random.chance(10) ? random.below(5) : 0)
            table.cache(answer(seq, version: version), of: client)
            made[client, default: []].append((seq, version))
        }
        for client in clients {
            let numbers = Dictionary(uniqueKeysWithValues: made[client] ?? [])
            let highest = numbers.keys.max() ?? .min
            for seq in -15...(highest + 3) {
                let expected: [RetryTable.Verdict] =
                    if let version = numbers[seq] {
                        [.applied(version: version), .again(result: Array("r\(seq)".utf8), version: version)]
                    } else {
                        [seq > highest ? .new : .tooOld]
                    }
                #expect(expected.contains(table.verdict(client: client, seq: seq, fingerprint: 7)))
            }
            var coarse = try #require(table.clients[client]).applied
            coarse.coarsen()
            #expect(coarse.runs.count <= (table.clients[client]?.applied.runs.count ?? 0))
            for seq in -15...(highest + 3) {
                let version = coarse.version(of: seq)
                #expect((version == nil) == (numbers[seq] == nil))
                if let version, let exact = numbers[seq] { #expect(version >= exact) }
            }
        }
    }

    @Test func `beyond the limit of clients the least recently active one is forgotten`() {
        var table = RetryTable()
        for number in 0..<RetryTable.maximumClients {
            table.cache(answer(1, version: number + 1), of: ClientID(high: 9, low: UInt64(number)))
        }
        table.cache(answer(2, version: 5000), of: ClientID(high: 9, low: 0))
        table.cache(answer(1, version: 5001), of: ann)
        // Its highest number is still known: a repeat is never applied again.
        #expect(
            table.verdict(client: ClientID(high: 9, low: 1), seq: 1, fingerprint: 7) == .applied(version: 2))
        #expect(table.verdict(client: ClientID(high: 9, low: 1), seq: 2, fingerprint: 7) == .new)
        #expect(table.verdict(client: ClientID(high: 9, low: 0), seq: 1, fingerprint: 7) != .new)
        #expect(table.verdict(client: ann, seq: 1, fingerprint: 7) != .new)
    }
}

@Suite struct LeaseTableTests {
    private static func principal(_ connection: Int) -> Principal {
        Principal(
            connection: connection, user: "u\(connection)", client: ClientID(high: 0, low: 1), access: .editor
        )
    }

    @Test func `a lease is found by item, connection or drag, renewed by a hover, and expires`() {
        var table = LeaseTable(length: .seconds(15))
        let (a, b) = (ItemID(high: 0, low: 1), ItemID(high: 0, low: 2))
        #expect(table.isEmpty)
        #expect(table.nextExpiry == nil)
        table.grant(Lease(drag: DragID("x"), item: a, holder: Self.principal(1), expires: .seconds(15)))
        table.grant(Lease(drag: DragID("y"), item: b, holder: Self.principal(2), expires: .seconds(20)))
        #expect(table.items(heldByOthersThan: 1) == [b])
        #expect(table.items(heldByOthersThan: 3) == [a, b])
        #expect(table.lease(of: DragID("x"), heldBy: 1)?.item == a)
        #expect(table.lease(of: DragID("x"), heldBy: 2) == nil)
        #expect(table.lease(of: DragID("y"), heldBy: 1) == nil)
        #expect(table.nextExpiry == .seconds(15))
        #expect(table.expired(at: .seconds(15) - .nanoseconds(1)).isEmpty)
        table.renew(a, at: .seconds(14), over: .end(day: 2))
        #expect(table.byItem[a]?.over == .end(day: 2))
        #expect(table.nextExpiry == .seconds(20))
        #expect(table.expired(at: .seconds(20)).map(\.item) == [b])
        #expect(table.expired(at: .seconds(29)).count == 2)
        table.end(b)
        #expect(table.lease(of: 2) == nil)
        table.end(b)
        #expect(table.byItem.count == 1)
    }

    @Test func `a lease that ends with a commit is over when it is stored, and restored when it fails`() {
        var table = LeaseTable(length: .seconds(15))
        let (a, b, c) = (ItemID(high: 0, low: 1), ItemID(high: 0, low: 2), ItemID(high: 0, low: 3))
        for (number, item) in [a, b, c].enumerated() {
            table.grant(
                Lease(
                    drag: DragID("d\(number)"), item: item, holder: Self.principal(number + 1),
                    expires: .seconds(15)))
            table.end(item, withCommit: 7 + number)
        }
        #expect(table.isEmpty && table.hasEnding)
        #expect([6, 7, 7].map { table.becameDurable($0).map(\.item) } == [[], [a], []])
        let wasDragging = table.end(heldBy: 3)
        #expect(!wasDragging, "its drag is over, and does not come back either")
        table.restoreEnding()
        #expect(Array(table.byItem.keys) == [b] && !table.hasEnding)
    }

    @Test func `a drag that its holder has ended is not restored with its item`() {
        var table = LeaseTable(length: .seconds(15))
        let (item, drag) = (ItemID(high: 0, low: 1), DragID("d"))
        table.grant(Lease(drag: drag, item: item, holder: Self.principal(1), expires: .seconds(15)))
        table.end(item, withCommit: 7)
        #expect(table.isEnding(drag, heldBy: 1))
        #expect(!table.isEnding(drag, heldBy: 2) && !table.isEnding(DragID("e"), heldBy: 1))
        table.confirmEnding(heldBy: 1)
        table.restoreEnding()
        #expect(table.isEmpty)
    }

    @Test func `a lease lasts 15 s by default`() { #expect(LeaseTable().length == .seconds(15)) }
}

@Suite struct DragLogTests {
    @Test func `the ends of the last drags are remembered, up to a limit`() {
        var log = DragLog()
        let trip = TripID(high: 0, low: 1)
        for number in 0..<100 {
            log.begin(DragID("d\(number)"), in: trip)
            #expect(log.trip(of: DragID("d\(number)")) == trip)
            log.end(DragID("d\(number)"), expired: number % 2 == 0)
            #expect(log.trip(of: DragID("d\(number)")) == nil)
        }
        #expect(log[DragID("d0")] == nil)
        if case .expired? = log[DragID("d98")] {} else { Issue.record("98 expired") }
        if case .ended? = log[DragID("d99")] {} else { Issue.record("99 ended") }
        log.end(DragID("never"), expired: true)
        #expect(log[DragID("never")] == nil)
    }
}

@Suite struct SlugTests {
    @Test(arguments: [
        ("World Cup 2026", "world-cup-2026"), ("  --Zoë's Trip--  ", "zoe-s-trip"),
        ("ÅÉÎÕÜ ñ ç", "aeiou-n-c"),
        ("", "trip"), ("!!!", "trip"), ("東京", "trip"), ("1", "1"), ("a/b\\c:d", "a-b-c-d"), ("ＦＵＬＬ", "full"),
        ("00000000-0000-4000-8000-000000000001", "trip"),
    ])
    func `a slug is generated from a name`(name: String, slug: String) {
        #expect(Slug.make(from: name) { _ in false } == slug)
        #expect(TripHeader.isSlug(slug))
    }

    @Test func `a slug in use gets the next number, within 63 characters`() {
        var taken: Set<String> = []
        let long = String(repeating: "ab ", count: 40)
        for number in 1...12 {
            let slug = Slug.make(from: long) { taken.contains($0) }
            #expect(TripHeader.isSlug(slug))
            #expect(taken.insert(slug).inserted)
            if number > 1 { #expect(slug.hasSuffix("-\(number)")) }
        }
    }

    @Test func `a free number is found among ten thousand without testing each`() {
        var taken: Set<String> = ["trip"]
        for number in 2...10_000 { taken.insert("trip-\(number)") }
        var count = 0
        let slug = Slug.make(from: "Trip") { slug in
            count += 1
            return taken.contains(slug)
        }
        #expect(slug == "trip-10001")
        #expect(count < 100)
    }

    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `a generated slug is valid for any name`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var name = String.UnicodeScalarView()
        for _ in 0..<random.below(80) {
            if let scalar = Unicode.Scalar(UInt32(random.below(random.chance(70) ? 0x250 : 0x1_FFFF))) {
                name.append(scalar)
            }
        }
        #expect(TripHeader.isSlug(Slug.make(from: String(name)) { _ in false }))
    }
}

@Suite struct WriteQueueTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Everything that has arrived.
    private static func received(_ end: borrowing Descriptor) throws -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case .bytes(let count) = try end.read(into: &buffer) { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    @Test func `whole lines are dropped, but not a partially written one`() throws {
        let pair = try UnixSocket.pair()
        var queue = WriteQueue()
        queue.append(Self.bytes("gone\n"))
        queue.append(Self.bytes("too\n"))
        queue.dropWholeLines()
        #expect(queue.isEmpty)
        // A line of three pieces, of which only the first was sent completely.
        queue.append(Self.bytes("{\"head\":"))
        _ = try queue.write(to: pair.first)
        queue.append(Self.bytes("\"middle\""))
        queue.append(Self.bytes("}\n"))
        queue.append(Self.bytes("dropped\n"))
        queue.dropWholeLines()
        #expect(queue.byteCount == 10)
        queue.append(Self.bytes("last\n"))
        _ = try queue.write(to: pair.first)
        #expect(try Self.received(pair.second) == "{\"head\":\"middle\"}\nlast\n")
        #expect(queue.isEmpty)
        queue.append(Self.bytes("whole\n"))
        queue.dropWholeLines()
        #expect(queue.isEmpty)
    }

    @Test func `a line interrupted in the middle of a piece is finished`() throws {
        let pair = try UnixSocket.pair()
        var queue = WriteQueue()
        let line = String(repeating: "x", count: 3 << 20)
        queue.append(Self.bytes(line))
        queue.append(Self.bytes("tail\n"))
        queue.append(Self.bytes("dropped\n"))
        guard try queue.write(to: pair.first) == .wouldBlock else {
            Issue.record("a socket takes less than 3 MB")
            return
        }
        queue.dropWholeLines()
        queue.append(Self.bytes("last\n"))
        var text = ""
        while !queue.isEmpty {
            text += try Self.received(pair.second)
            _ = try queue.write(to: pair.first)
        }
        text += try Self.received(pair.second)
        #expect(text == line + "tail\nlast\n")
        #expect(queue.byteCount == 0)
    }
}

@Suite struct SharedBytesTests {
    @Test func `shared bytes count once, until the last holder releases them`() {
        let (large, small) = (SharedBytes([UInt8](repeating: 1, count: 900)), SharedBytes([1, 2]))
        var count = SharedBytesCount()
        count.replace([], with: [large])
        count.replace([], with: [large, small, large])
        #expect(count.byteCount == 902)
        count.replace([large], with: [])
        #expect(count.byteCount == 902)
        count.replace([large, small, large], with: [small])
        #expect(count.byteCount == 2)
        count.replace([small], with: [small, large])
        #expect(count.byteCount == 902)
        count.replace([small, large], with: [])
        #expect(count.byteCount == 0)
    }
}

@Suite struct SessionTests {
    private static func line(_ text: String) -> DecodedLine { DecodedLine(.line(Array(text.utf8))) }
    private static let overlong = DecodedLine(.tooLong)

    private static let hello =
        #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":{"major":1,"minor":0},"client":{"name":"n","version":"1"}}}"#

    @Test func `the sixteenth consecutive bad line is the last, and a good one resets the count`() {
        var session = Session(connection: 1, opener: Opener(ownerNamed: "ann"))
        func isLast(_ reading: DecodedLine) -> Bool? {
            if case .bad(_, let isLast) = session.receive(reading) { isLast } else { nil }
        }
        for number in 1...15 { #expect(isLast(number % 2 == 0 ? Self.overlong : Self.line("{")) == false) }
        #expect(isLast(Self.line("[]")) == nil)
        for _ in 1...15 { #expect(isLast(Self.overlong) == false) }
        #expect(isLast(Self.line("}")) == true)
    }

    @Test func `a refused hello leaves the session unchanged`() {
        var session = Session(connection: 4, opener: Opener(ownerNamed: "account"))
        guard
            case .answer(.number(1)?, _) = session.receive(
                Self.line(Self.hello.replacing("\"major\":1", with: "\"major\":2")))
        else {
            Issue.record("refused")
            return
        }
        #expect(session.principal == nil)
        guard case .welcome(.number(1)?, let principal) = session.receive(Self.line(Self.hello)) else {
            Issue.record("welcome")
            return
        }
        #expect(principal.connection == 4)
        #expect(principal.user == "account")
        #expect(principal.access == .owner)
        #expect(session.principal == principal)
        guard case .answer = session.receive(Self.line(Self.hello)) else {
            Issue.record("a second hello is refused")
            return
        }
        #expect(session.principal == principal)
        guard
            case .request(let asked) = session.receive(Self.line(#"{"jsonrpc":"2.0","method":"trip.list"}"#)),
            case .listTrips = asked.request
        else {
            Issue.record("a request without id")
            return
        }
        #expect(asked.ticket.request == nil && asked.fingerprint == 0 && asked.principal == principal)
    }
}
