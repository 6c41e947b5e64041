/// Identifies a watch by its descriptor and a generation, so that an event of an ended watch is not mistaken
/// for one of its successor on the same descriptor.
package struct WatchToken: Equatable, Sendable {
    /// The watched descriptor.
    package let descriptor: Int32
    let generation: UInt32

    init(descriptor: Int32, generation: UInt32) {
        self.descriptor = descriptor
        self.generation = generation
    }

    /// The token in the form that the kernel carries with an event.
    init(bits: UInt64) {
        self.init(
            descriptor: Int32(truncatingIfNeeded: bits), generation: UInt32(truncatingIfNeeded: bits >> 32))
    }

    var bits: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }
}

/// The watches of an event loop, by descriptor.
struct WatchTable {
    typealias Handler = @Sendable (Readiness) -> Void

    private struct Watch {
        let generation: UInt32
        var interest: Interest
        let handler: Handler
    }

    // Descriptors are small numbers, so the table is an array.
    private var watches: [Watch?] = []
    private var generations: UInt32 = 0

    /// Adds a watch; the descriptor must have none.
    mutating func insert(_ descriptor: Int32, _ interest: Interest, _ handler: @escaping Handler)
        -> WatchToken
    {
        precondition(descriptor >= 0, "a descriptor is not negative")
        let index = Int(descriptor)
        while watches.count <= index { watches.append(nil) }
        precondition(watches[index] == nil, "this descriptor is watched already")
        generations &+= 1
        watches[index] = Watch(generation: generations, interest: interest, handler: handler)
        return WatchToken(descriptor: descriptor, generation: generations)
    }

    /// Sets the interest of a watch; returns its token and its previous interest.
    mutating func change(_ descriptor: Int32, to interest: Interest) -> (token: WatchToken, old: Interest) {
        guard let watch = watch(on: descriptor) else { preconditionFailure("this descriptor is not watched") }
        watches[Int(descriptor)]?.interest = interest
        return (WatchToken(descriptor: descriptor, generation: watch.generation), watch.interest)
    }

    /// Removes a watch and returns its interest.
    mutating func remove(_ descriptor: Int32) -> Interest {
        guard let watch = watch(on: descriptor) else { preconditionFailure("this descriptor is not watched") }
        watches[Int(descriptor)] = nil
        return watch.interest
    }

    /// The handler for a kernel event; nil if the watch has ended or is not interested.
    func receiver(of readiness: Readiness, _ token: WatchToken) -> (handler: Handler, readiness: Readiness)? {
        guard let watch = watch(on: token.descriptor), watch.generation == token.generation else {
            return nil
        }
        let reported = readiness.limited(to: watch.interest)
        return reported.isEmpty ? nil : (watch.handler, reported)
    }

    private func watch(on descriptor: Int32) -> Watch? {
        watches.indices.contains(Int(descriptor)) ? watches[Int(descriptor)] : nil
    }
}
