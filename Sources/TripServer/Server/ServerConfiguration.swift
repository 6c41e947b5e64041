import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// The configuration of a server.
package struct ServerConfiguration: Sendable {
    /// The durability mode, as reported by `hello`.
    package var durability: Durability
    /// The name of the daemon's account, for users who choose none.
    package var account: String
    /// The daemon's own account, which owns everything and is always served.
    package var userID: UInt32
    /// The permissions of all other accounts.
    package var rules = AccessRules()
    /// Looks up an account, on another thread if needed, and calls back on the loop; nil to use the user database.
    package var lookUp: (@Sendable (UInt32, @escaping @Sendable (Account) -> Void) -> Void)?
    /// The process id, as reported by `hello`.
    package var processID: Int32
    /// The wall clock, in milliseconds since 1970.
    package var wallClock: @Sendable () -> Int64
    /// The source of epochs and of ids that clients leave out; a simulation replaces it.
    package var random = RandomSource()
    /// Writes a log line.
    package var log: @Sendable (LogLine) -> Void
    /// Identifies the boot of the machine; nil if it is unknown.
    package var bootID = BootID.current
    /// Makes drag ids unique across daemon starts.
    package var dragPrefix = String(UInt64.random(in: 0..<1 << 40), radix: 36)
    /// The timeout for `hello`.
    package var handshakeTime = Duration.seconds(WireLimits.handshakeSeconds)
    /// The duration of a lease without a hover.
    package var leaseTime = Duration.milliseconds(WireLimits.leaseMilliseconds)
    /// The lifetime of a batch after its last addition.
    package var batchTime = Duration.seconds(WireLimits.batchSeconds)
    /// The maximum size of all batches.
    package var batchBytes = WireLimits.batchBytes
    /// The time after which an unused trip is closed.
    package var idleTime = Duration.seconds(60)
    /// The number of open trips above which the least recently used are closed earlier.
    package var openTrips = 64
    /// The memory for all connections above which requests with long answers must wait.
    package var waitingBytes = WireLimits.waitingBytes
    /// Runs a computation on a worker, in order per class; nil for no workers.
    var runOnWorker: (@Sendable (WorkQueue.Waiters, @escaping @Sendable () -> Void) -> Void)?
    /// The size from which a line is parsed on a worker: about a millisecond of work.
    package var longLine = 32 << 10
    /// The number of items from which a trip is built on a worker: about a millisecond of work.
    package var longDraft = 150
    /// The units of `Work` from which a change runs on a worker: about a millisecond.
    package var longChange = 1000
    /// The units of `Work` from which a state is encoded on a worker.
    package var longState = 2000
    /// Called after each step of a trip on the loop with the function that ran it and the units of `Work` that it took, for
    /// tests; nil for no measurement.
    package var noteStep: (@Sendable (LoopStep, StaticString, Int) -> Void)?
    /// Returns the freed memory of closed trips to the system without blocking.
    package var returnMemory: @Sendable () -> Void = {}
    /// Called once all connections are closed.
    package var whenStopped: @Sendable () -> Void

    package init(
        durability: Durability, account: String, userID: UInt32, processID: Int32,
        wallClock: @escaping @Sendable () -> Int64, log: @escaping @Sendable (LogLine) -> Void,
        whenStopped: @escaping @Sendable () -> Void
    ) {
        self.durability = durability
        self.account = account
        self.userID = userID
        self.processID = processID
        self.wallClock = wallClock
        self.log = log
        self.whenStopped = whenStopped
    }
}

/// A source of random numbers that several owners share.
package struct RandomSource: RandomNumberGenerator, Sendable {
    private let word: @Sendable () -> UInt64

    /// Makes a source from a function that gives 64 random bits.
    package init(_ word: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }) {
        self.word = word
    }

    package mutating func next() -> UInt64 { word() }

    /// A new epoch.
    package func epoch() -> String {
        var source = self
        return ItemID.random(using: &source).description
    }
}
