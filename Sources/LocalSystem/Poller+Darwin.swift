#if canImport(Darwin)
import Darwin

/// The kernel's side of an event loop, here kqueue. Waiting is one thread's; everything else may be called from any.
struct Poller: ~Copyable, Sendable {
    /// Events that one wait returned.
    struct Events {
        fileprivate var storage: [kevent64_s]

        init(capacity: Int) { storage = Array(repeating: kevent64_s(), count: capacity) }

        /// The event at `index`; nil if it only ended the wait.
        subscript(index: Int) -> (token: WatchToken, readiness: Readiness)? {
            let event = storage[index]
            if event.filter == Int16(EVFILT_USER) { return nil }
            var readiness: Readiness = event.filter == Int16(EVFILT_READ) ? .readable : .writable
            if event.flags & UInt16(EV_EOF | EV_ERROR) != 0 { readiness.insert(.hangup) }
            return (WatchToken(bits: event.udata), readiness)
        }
    }

    private let queue: Descriptor

    init() throws(SystemError) {
        let queue = Descriptor(owning: try systemCall("kqueue") { kqueue() })
        try Self.submit(queue, 0, Int16(EVFILT_USER), EV_ADD | EV_CLEAR)
        self.queue = queue
    }

    func add(_ token: WatchToken, _ interest: Interest) throws(SystemError) {
        try change(token, from: [], to: interest)
    }

    func change(_ token: WatchToken, from old: Interest, to new: Interest) throws(SystemError) {
        try change(token, .read, Int16(EVFILT_READ), old, new)
        try change(token, .write, Int16(EVFILT_WRITE), old, new)
    }

    func remove(_ descriptor: Int32, _ interest: Interest) throws(SystemError) {
        try change(WatchToken(descriptor: descriptor, generation: 0), from: interest, to: [])
    }

    /// Ends the wait that is going on, or the next one.
    func wake() {
        do {
            try Self.submit(queue, 0, Int16(EVFILT_USER), 0, NOTE_TRIGGER)
        } catch {
            preconditionFailure("a kqueue can always be triggered: \(error)")
        }
    }

    /// Waits for events for at most so many milliseconds, −1 for ever; returns how many came.
    func wait(into events: inout Events, milliseconds: Int32) -> Int {
        var limit = timespec(tv_sec: Int(milliseconds) / 1000, tv_nsec: Int(milliseconds) % 1000 * 1_000_000)
        let capacity = Int32(events.storage.count)
        let count = events.storage.withUnsafeMutableBufferPointer { buffer in
            milliseconds < 0
                ? kevent64(queue.rawValue, nil, 0, buffer.baseAddress, capacity, 0, nil)
                : kevent64(queue.rawValue, nil, 0, buffer.baseAddress, capacity, 0, &limit)
        }
        if count >= 0 { return Int(count) }
        precondition(errno == EINTR, "kevent fails only when interrupted")
        return 0
    }

    private func change(
        _ token: WatchToken, _ part: Interest, _ filter: Int16, _ old: Interest, _ new: Interest
    ) throws(SystemError) {
        guard old.contains(part) != new.contains(part) else { return }
        try Self.submit(
            queue, UInt64(token.descriptor), filter, new.contains(part) ? EV_ADD : EV_DELETE, data: token.bits
        )
    }

    private static func submit(
        _ queue: borrowing Descriptor, _ identifier: UInt64, _ filter: Int16, _ flags: Int32,
        _ notes: UInt32 = 0, data: UInt64 = 0
    ) throws(SystemError) {
        var event = kevent64_s()
        event.ident = identifier
        event.filter = filter
        event.flags = UInt16(flags)
        event.fflags = notes
        event.udata = data
        try systemCall("kevent") { kevent64(queue.rawValue, &event, 1, nil, 0, 0, nil) }
    }
}
#endif
