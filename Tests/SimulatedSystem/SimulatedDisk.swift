import LocalSystem

/// A disk in memory that tracks syncs, fails on demand, and can lose power.
package final class SimulatedDisk: FileSystem, Sendable {
    /// A call, or a note of the test, in one sequence.
    package struct Entry: Equatable, Sendable {
        package let name: String
        package let path: String
    }

    package enum Fault: Sendable {
        case error(Int32)
        /// The call succeeds but reports an error.
        case errorAfterwards(Int32)
        /// A short write of so many bytes.
        case short(Int)
    }

    /// The state after a power cut.
    package enum Crash: Sendable, CaseIterable {
        /// All calls took effect, as after a kill.
        case keepsAll
        /// Only synced state remains.
        case losesUnsynced
        /// All names remain, but only synced contents.
        case losesContents
        /// All contents remain, but only synced names.
        case losesNames
        /// Unsynced new names are lost; changes of existing names remain.
        case losesNewNames
        /// Every other unsynced sector is lost.
        case losesEvenSectors
        case losesOddSectors
    }

    struct Plan {
        let name: String
        /// A part of the path.
        let path: String?
        var skip: Int
        let fault: Fault
    }

    struct State {
        var nodes: [Int: Node] = [0: Node(isDirectory: true)]
        var nextNumber = 1
        var open: [FileToken: (node: Int, path: String)] = [:]
        var nextToken: Int32 = 3
        var log: [Entry] = []
        var plans: [Plan] = []
        /// Every open fails, as if the process had no descriptors left.
        var isOutOfDescriptors = false
        /// The capacity for contents, in bytes; nil if unlimited.
        var capacity: Int?
        /// The bytes of files with names.
        var used = 0
        /// Calls that succeed without effect, as if the program had left them out.
        var omitted: Set<String> = []
        /// The number of calls until the process dies; nil if it does not die.
        var callsLeft: Int?
        /// Whether a call was made after the last one.
        var hasDied = false
    }

    let state: Guarded<State>
    /// In a class, because a closure in generic storage would be wrapped again at each access.
    let hook = Guarded<Hook?>(nil)

    final class Hook: Sendable {
        let body: @Sendable (Entry) -> Void

        init(_ body: @escaping @Sendable (Entry) -> Void) { self.body = body }
    }

    /// Makes a disk with an empty directory `/data`.
    package init() {
        var empty = State()
        empty.nodes[0]?.names["data"] = 1
        empty.nodes[0]?.syncedNames["data"] = 1
        empty.nodes[1] = Node(isDirectory: true)
        empty.nextNumber = 2
        state = Guarded(empty)
    }

    /// The disk for the next process: files without names are gone.
    private init(afterwards disk: State) {
        var disk = disk
        disk.forgetNameless()
        state = Guarded(disk)
    }

    // MARK: Control by tests

    /// All calls and notes so far.
    package var log: [Entry] { state.withLock { $0.log } }

    /// The number of calls of `name`.
    package func count(_ name: String) -> Int { log.count { $0.name == name } }

    /// The number of open files.
    package var openCount: Int { state.withLock { $0.open.count } }

    /// Adds a note to the log.
    package func note(_ name: String) { state.withLock { $0.log.append(Entry(name: name, path: "")) } }

    /// Makes one call of `name` fail, after `skip` other calls of that name.
    ///
    /// - Parameter path: a part of the path; calls with other paths do not count.
    package func fail(_ name: String, _ fault: Fault, skip: Int = 0, on path: String? = nil) {
        state.withLock { $0.plans.append(Plan(name: name, path: path, skip: skip, fault: fault)) }
    }

    /// The bytes used by files.
    package var used: Int { state.withLock { $0.used } }

    /// The free bytes; nil if the capacity is unlimited.
    package var free: Int? { state.withLock { state in state.capacity.map { max(0, $0 - state.used) } } }

    /// Sets the free bytes; nil makes the capacity unlimited.
    package func leave(room: Int?) {
        state.withLock { state in state.capacity = room.map { state.used + $0 } }
    }

    /// Makes every open fail for lack of descriptors, or ends that.
    package func setOutOfDescriptors(_ isOut: Bool) { state.withLock { $0.isOutOfDescriptors = isOut } }

    /// Whether the contents of all files called `name` are synced.
    package func isSynced(_ name: String) -> Bool {
        state.withLock { state in
            state.nodes.values.allSatisfy { node in
                guard let file = node.names[name].flatMap({ state.nodes[$0] }) else { return true }
                return file.isSynced
            }
        }
    }

    /// Cancels all planned failures.
    package func heal() { state.withLock { $0.plans = [] } }

    /// Makes every call of `name` succeed without effect, as if the program did not make it.
    package func omit(_ name: String) {
        state.withLock { _ = $0.omitted.insert(name) }
    }

    /// Makes all calls after this number fail without effect, as if the process had died.
    package func stop(after calls: Int) { state.withLock { $0.callsLeft = calls } }

    /// Starts the process again after `stop`, with the power still on: nothing is lost, and nothing else is
    /// synced.
    package func restart() {
        state.withLock { state in
            state.callsLeft = nil
            state.hasDied = false
        }
    }

    /// Whether the process died in a call after `stop`.
    package var hasDied: Bool { state.withLock { $0.hasDied } }

    /// Calls `body` at the beginning of every disk call, on the caller's thread.
    package func onCall(_ body: @escaping @Sendable (Entry) -> Void) {
        let new = Hook(body)
        hook.withLock { $0 = new }
    }

    /// Removes the callback of `onCall`.
    package func stopCalling() { hook.withLock { $0 = nil } }

    /// The disk after a power cut.
    package func afterCrash(_ crash: Crash) -> SimulatedDisk {
        var disk = remains
        for (number, node) in disk.nodes {
            var node = node
            switch crash {
            case .losesUnsynced, .losesNames: node.names = node.syncedNames
            case .losesNewNames: node.names = node.names.filter { node.syncedNames[$0.key] != nil }
            case .keepsAll, .losesContents, .losesEvenSectors, .losesOddSectors: break
            }
            node.lose(by: crash)
            node.markSynced()
            disk.nodes[number] = node
        }
        return SimulatedDisk(afterwards: disk)
    }

    /// The disk after a power cut that loses unsynced state at random: sectors and ends of files, and all
    /// changes of a directory's names.
    package func afterPowerCut(using random: inout some RandomNumberGenerator) -> SimulatedDisk {
        var disk = remains
        for number in disk.nodes.keys.sorted() {
            guard var node = disk.nodes[number] else { continue }
            if node.names != node.syncedNames, Bool.random(using: &random) { node.names = node.syncedNames }
            if !node.isSynced { node.lose(using: &random) }
            node.markSynced()
            disk.nodes[number] = node
        }
        return SimulatedDisk(afterwards: disk)
    }

    /// The disk after the process died with the power on: nothing is lost, and nothing else is synced.
    package func afterKill() -> SimulatedDisk { SimulatedDisk(afterwards: remains) }

    private var remains: State {
        state.withLock { State(nodes: $0.nodes, nextNumber: $0.nextNumber, capacity: $0.capacity) }
    }

    /// The contents of a file; nil if it does not exist.
    package subscript(_ path: String) -> [UInt8]? {
        state.withLock { state in Self.find(path, state).flatMap { state.nodes[$0]?.contents } }
    }

    /// The sorted names in a directory; nil if it does not exist.
    package func names(in path: String) -> [String]? {
        state.withLock { state in Self.find(path, state).flatMap { state.nodes[$0]?.names.keys.sorted() } }
    }

    /// Creates or replaces a synced file in an existing directory.
    package func put(_ bytes: [UInt8], at path: String) {
        state.withLock { state in
            guard let place = Self.place(path, state) else { return }
            let number = state.nextNumber
            state.nextNumber += 1
            if let old = state.nodes[place.directory]?.names[place.name] { state.nameRemoved(of: old) }
            state.nodes[number] = Node(isDirectory: false, contents: bytes)
            state.nodes[number]?.markSynced()
            state.used += bytes.count
            state.nodes[place.directory]?.names[place.name] = number
            state.nodes[place.directory]?.syncedNames[place.name] = number
        }
    }

    /// Changes bytes of a file in place, as a flipped bit would.
    package func spoil(_ bytes: [UInt8], at path: String) {
        state.withLock { state in
            guard let number = Self.find(path, state) else { return }
            state.used += bytes.count - (state.nodes[number]?.contents.count ?? 0)
            state.nodes[number]?.contents = bytes
            state.nodes[number]?.markSynced()
        }
    }

    static func find(_ path: String, _ state: State) -> Int? {
        var number = 0
        for name in path.split(separator: "/") {
            guard let next = state.nodes[number]?.names[String(name)] else { return nil }
            number = next
        }
        return number
    }

    static func place(_ path: String, _ state: State) -> (directory: Int, name: String)? {
        guard let slash = path.lastIndex(of: "/"), let directory = find(String(path[..<slash]), state) else {
            return nil
        }
        return (directory, String(path[path.index(after: slash)...]))
    }
}
