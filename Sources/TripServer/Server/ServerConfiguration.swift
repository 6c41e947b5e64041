import LocalSystem
import TripJournal
import TripProtocol

/// What a server needs to know from outside.
package struct ServerConfiguration: Sendable {
    /// When a change counts as kept, as hello tells it.
    package var durability: Durability
    /// The name of a user who gives none.
    package var account: String
    /// The account that the daemon runs as: it owns everything, and its connections are always served.
    package var userID: UInt32
    /// Who else may do what.
    package var rules = AccessRules()
    /// Looks up an account, on another thread where that may take time, and tells it on the loop; nil: by the user
    /// database.
    package var lookUp: (@Sendable (UInt32, @escaping @Sendable (Account) -> Void) -> Void)?
    /// This process, as hello tells it.
    package var processID: Int32
    /// The wall clock, in milliseconds since 1970.
    package var wallClock: @Sendable () -> Int64
    /// Where the daemon says what happens; one line without a newline.
    package var log: @Sendable (LogLine) -> Void
    /// What tells this start of the machine from others; nil where nobody knows.
    package var machineStart = MachineStart.current
    /// Makes drag ids of this daemon unlike those of the one before.
    package var dragPrefix = String(UInt64.random(in: 0..<1 << 40), radix: 36)
    /// How long a connection may take to say hello.
    package var handshakeTime = Duration.seconds(WireLimits.handshakeSeconds)
    /// How long a drag lives without a hover.
    package var leaseTime = Duration.milliseconds(WireLimits.leaseMilliseconds)
    /// How long a batch is held after what was brought last.
    package var batchTime = Duration.seconds(WireLimits.batchSeconds)
    /// Bytes that the batches of all connections may take together.
    package var batchBytes = WireLimits.batchBytes
    /// How long nobody has to ask for a trip until it is closed.
    package var idleTime = Duration.seconds(60)
    /// How many trips are open before those that are idle longest are closed earlier than that.
    package var openTrips = 64
    /// Bytes that may be held for all connections together before what may be answered at length has to wait.
    package var waitingBytes = WireLimits.waitingBytes
    /// Does what only computes on another thread, of each kind in the order it is given; nil: there is none.
    var elsewhere: (@Sendable (WorkQueue.Waiters, @escaping @Sendable () -> Void) -> Void)?
    /// Bytes from which on a line is read elsewhere: about a millisecond's work.
    package var longLine = 32 << 10
    /// Items from which on a trip is made elsewhere: about a millisecond's work.
    package var longDraft = 150
    /// Units of `Work` from which on a change is made on a worker: about a millisecond's.
    package var longChange = 1000
    /// Units from which on a trip's state is encoded on a worker: more, for the worker needs a copy of the trip.
    package var longState = 8000
    /// Gives what closed trips have freed back to the system; it does not block.
    package var returnMemory: @Sendable () -> Void = {}
    /// Called once everything is drained and told goodbye.
    package var whenStopped: @Sendable () -> Void

    /// Makes a configuration.
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
