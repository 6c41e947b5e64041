#if canImport(Darwin)
import Darwin

/// The event loop's interface to the kernel, with kqueue.
final class Poller: LoopKernel {
    private let queue: Descriptor
    /// The buffer for the kernel's events; used by the waiting thread only.
    private let buffer = Guarded([kevent64_s](repeating: kevent64_s(), count: 256))

    init() throws(SystemError) {
        let queue = Descriptor(owning: try systemCall("kqueue") { kqueue() })
        try Self.submit(queue, 0, Int16(EVFILT_USER), EV_ADD | EV_CLEAR)
        self.queue = queue
    }

    func add(_ token: WatchToken, _ interest: Interest) throws(SystemError) {
        try change(token, from: nil, to: interest)
    }

    func change(_ token: WatchToken, from old: Interest, to new: Interest) throws(SystemError) {
        try change(token, from: old as Interest?, to: new)
    }

    func remove(_ descriptor: Int32, _ interest: Interest) throws(SystemError) {
        try change(WatchToken(descriptor: descriptor, generation: 0), from: interest, to: nil)
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
        _ token: WatchToken, from old: Interest?, to new: Interest?
    ) throws(SystemError) {
        try replace(token, Int16(EVFILT_READ), Self.reading(old), by: Self.reading(new))
        try replace(token, Int16(EVFILT_WRITE), Self.writing(old), by: Self.writing(new))
    }

    /// The flags of the read filter for an interest; nil for none.
    private static func reading(_ interest: Interest?) -> Int32? {
        interest?.contains(.read) == true ? EV_ADD : nil
    }

    /// The flags of the write filter. For an empty interest it reports only changes, to detect a hang-up.
    private static func writing(_ interest: Interest?) -> Int32? {
        guard let interest else { return nil }
        if interest.isEmpty { return EV_ADD | EV_CLEAR }
        return interest.contains(.write) ? EV_ADD : nil
    }

    /// Replaces a filter. One with other flags is deleted first, because adding it again would not clear them.
    private func replace(
        _ token: WatchToken, _ filter: Int16, _ old: Int32?, by new: Int32?
    ) throws(SystemError) {
        guard old != new else { return }
        let descriptor = UInt64(token.descriptor)
        if old != nil { try Self.submit(queue, descriptor, filter, EV_DELETE, data: token.bits) }
        if let new { try Self.submit(queue, descriptor, filter, new, data: token.bits) }
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
