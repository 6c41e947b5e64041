#if canImport(Darwin)
import Darwin

/// The kernel's side of an event loop, here kqueue.
final class Poller: LoopKernel {
    private let queue: Descriptor
    /// Where the kernel puts events; only ever the waiting thread's.
    private let buffer = Guarded([kevent64_s](repeating: kevent64_s(), count: 256))

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

    var nowNanoseconds: Int64 { MonotonicClock.nowNanoseconds }

    func wake() {
        do {
            try Self.submit(queue, 0, Int16(EVFILT_USER), 0, NOTE_TRIGGER)
        } catch {
            preconditionFailure("a kqueue can always be triggered: \(error)")
        }
    }

    func wait(into events: inout [LoopEvent], milliseconds: Int32) {
        var limit = timespec(tv_sec: Int(milliseconds) / 1000, tv_nsec: Int(milliseconds) % 1000 * 1_000_000)
        buffer.withLock { buffer in
            let capacity = Int32(buffer.count)
            let count = buffer.withUnsafeMutableBufferPointer { buffer in
                milliseconds < 0
                    ? kevent64(queue.rawValue, nil, 0, buffer.baseAddress, capacity, 0, nil)
                    : kevent64(queue.rawValue, nil, 0, buffer.baseAddress, capacity, 0, &limit)
            }
            precondition(count >= 0 || errno == EINTR, "kevent fails only when interrupted")
            for event in buffer.prefix(max(0, Int(count))) where event.filter != Int16(EVFILT_USER) {
                events.append(LoopEvent(event))
            }
        }
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

extension LoopEvent {
    fileprivate init(_ event: kevent64_s) {
        var readiness: Readiness = event.filter == Int16(EVFILT_READ) ? .readable : .writable
        if event.flags & UInt16(EV_EOF | EV_ERROR) != 0 { readiness.insert(.hangup) }
        self.init(token: WatchToken(bits: event.udata), readiness: readiness)
    }
}
#endif
