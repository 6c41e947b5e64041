import LocalSystem
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite(.timeLimit(.minutes(10)), .serialized) struct SignalsTests {
    // Each in a process of its own: a signal that arrives without a watch would end all tests.

    @Test func `signals arrive on the loop by number, and again after a new watch`() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<2 {
                let loop = try EventLoop()
                let probe = Probe<Int32>()
                try Signals.watch([SIGUSR1, SIGUSR2], on: loop) { signal in
                    precondition(loop.isCurrent)
                    probe.note(signal)
                    if signal == SIGUSR1 {
                        kill(getpid(), SIGUSR2)
                    } else {
                        Signals.unwatch([SIGUSR1, SIGUSR2])
                        loop.stop()
                    }
                }
                loop.execute {
                    kill(getpid(), SIGUSR1)
                }
                loop.run()
                precondition(probe.all == [SIGUSR1, SIGUSR2])
            }
        }
    }

    @Test func `several arrivals before the loop polls are delivered as one`() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let probe = Probe<Int32>()
            try Signals.watch([SIGUSR1], on: loop) { signal in
                probe.note(signal)
                loop.execute { loop.execute { loop.stop() } }
            }
            // A raised signal is handled before the call returns if the thread does not block it.
            var set = sigset_t()
            var before = sigset_t()
            sigemptyset(&set)
            sigaddset(&set, SIGUSR1)
            pthread_sigmask(SIG_UNBLOCK, &set, &before)
            for _ in 0..<200 { raise(SIGUSR1) }
            pthread_sigmask(SIG_SETMASK, &before, nil)
            loop.run()
            Signals.unwatch([SIGUSR1])
            precondition(probe.all == [SIGUSR1])
        }
    }

    @Test func `SIGTERM can be waited for, and has its default effect afterwards`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let loop = try EventLoop()
            try Signals.watch(Signals.termination, on: loop) { _ in
                Signals.unwatch(Signals.termination)
                loop.stop()
            }
            kill(getpid(), SIGTERM)
            loop.run()
            kill(getpid(), SIGTERM)
            // The signal ends the process during this call. If it does not, the exit below fails the test.
            pause()
        }
    }
}
