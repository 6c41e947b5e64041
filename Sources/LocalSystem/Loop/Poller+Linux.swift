#if !canImport(Darwin)
import CSystemShim
import Glibc

/// The event loop's interface to the kernel, with epoll.
final class Poller: LoopKernel {
    // No watch has this token: its descriptor would be −1.
    private static let wakeToken = UInt64.max

    private let queue: Descriptor
    private let alarm: Descriptor
    /// The buffer for the kernel's events; used by the waiting thread only.
    private let buffer = Guarded([epoll_event](repeating: epoll_event(), count: 256))

    init() throws(SystemError) {
        let queue = Descriptor(owning: try systemCall("epoll_create") { shim_epoll_create() })
        let alarm = Descriptor(owning: try systemCall("eventfd") { shim_eventfd() })
        // Edge triggered: every write to the eventfd is a separate event, so it never has to be read.
        let mask = EPOLLIN.rawValue | EPOLLET.rawValue
        try Self.control(queue, EPOLL_CTL_ADD, alarm.rawValue, mask, Self.wakeToken)
        self.queue = queue
        self.alarm = alarm
    }

    func add(_ token: WatchToken, _ interest: Interest) throws(SystemError) {
        try Self.control(queue, EPOLL_CTL_ADD, token.descriptor, Self.mask(interest), token.bits)
    }

    func change(_ token: WatchToken, from old: Interest, to new: Interest) throws(SystemError) {
        try Self.control(queue, EPOLL_CTL_MOD, token.descriptor, Self.mask(new), token.bits)
    }

    func remove(_ descriptor: Int32, _ interest: Interest) throws(SystemError) {
        try Self.control(queue, EPOLL_CTL_DEL, descriptor, 0, 0)
    }

    var nowNanoseconds: Int64 { MonotonicClock.nowNanoseconds }

    func wake() {
        while eventfd_write(alarm.rawValue, 1) != 0 {
            precondition(errno == EINTR, "an eventfd takes 2^64 wakes")
        }
    }

    func wait(into events: inout [LoopEvent], milliseconds: Int32) {
        buffer.withLock { buffer in
            let capacity = Int32(buffer.count)
            let count = buffer.withUnsafeMutableBufferPointer { buffer -> Int32 in
                guard let base = buffer.baseAddress else { return 0 }
                return epoll_wait(queue.rawValue, base, capacity, milliseconds)
            }
            precondition(count >= 0 || errno == EINTR, "epoll_wait fails only when interrupted")
            for event in buffer.prefix(max(0, Int(count))) where event.data.u64 != Self.wakeToken {
                events.append(LoopEvent(event))
            }
        }
    }

    private static func mask(_ interest: Interest) -> UInt32 {
        // An empty interest still reports a hang-up; edge triggered, it comes only once.
        if interest.isEmpty { return EPOLLET.rawValue }
        return (interest.contains(.read) ? EPOLLIN.rawValue : 0)
            | (interest.contains(.write) ? EPOLLOUT.rawValue : 0)
    }

    private static func control(
        _ queue: borrowing Descriptor, _ operation: Int32, _ descriptor: Int32, _ mask: UInt32,
        _ token: UInt64
    ) throws(SystemError) {
        var event = epoll_event()
        event.events = mask
        event.data.u64 = token
        try systemCall("epoll_ctl") { epoll_ctl(queue.rawValue, operation, descriptor, &event) }
    }
}

extension LoopEvent {
    fileprivate init(_ event: epoll_event) {
        var readiness: Readiness = []
        if event.events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
        if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness.insert(.hangup) }
        self.init(token: WatchToken(bits: event.data.u64), readiness: readiness)
    }
}
#endif
