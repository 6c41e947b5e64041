import LocalSystem
import Testing

@Suite(.timeLimit(.minutes(10))) struct EventLoopActorTests {
    private actor Ledger {
        let loop: EventLoop
        private(set) var lines: [String] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(loop: EventLoop) { self.loop = loop }

        func note(_ line: String) -> Bool {
            lines.append(line)
            return loop.isCurrent
        }

        func askAndNote(_ other: Ledger) async -> Bool {
            let answer = await other.note("asked")
            lines.append("answered")
            return answer && loop.isCurrent
        }
    }

    @Test func `an actor of the loop runs on the loop when awaited from outside`() async throws {
        try await withRunningLoop { loop in
            let ledger = Ledger(loop: loop)
            let other = Ledger(loop: loop)
            #expect(await ledger.note("one"))
            #expect(await ledger.askAndNote(other))
            #expect(await ledger.lines == ["one", "answered"])
            #expect(await other.lines == ["asked"])
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<500 { group.addTask { await ledger.note("\(number)") } }
                for await isCurrent in group { #expect(isCurrent) }
            }
            #expect(await ledger.lines.count == 502)
        }
    }

    @Test func `handlers of watches, timers, work and the iteration's end enter the actor without waiting`()
        throws
    {
        let loop = try EventLoop()
        let ledger = Ledger(loop: loop)
        let pair = try UnixSocket.pair()
        let end = pair.first.rawValue
        try pair.second.send("x")
        let probe = Probe<[String]>()
        try loop.watch(end, for: .read) { _ in
            loop.unwatch(end)
            ledger.assumeIsolated { _ = $0.note("watch") }
        }
        loop.schedule(after: .zero) { ledger.assumeIsolated { _ = $0.note("timer") } }
        loop.execute {
            ledger.assumeIsolated { _ = $0.note("work") }
            loop.atEndOfIteration {
                ledger.assumeIsolated { _ = $0.note("end") }
                probe.note(ledger.assumeIsolated { $0.lines })
                loop.stop()
            }
        }
        loop.run()
        #expect(probe.all == [["watch", "timer", "work", "end"]])
        withExtendedLifetime(pair) {}
    }

    @Test func `entering the actor from another thread traps`() async {
        await #expect(processExitsWith: .failure) {
            try await withRunningLoop { loop in
                let ledger = Ledger(loop: loop)
                await loop.ping()
                // Synchronous, so that it stays on this thread.
                func intrude() { ledger.assumeIsolated { _ = $0.note("intruder") } }
                intrude()
            }
        }
    }
}
