import LocalSystem

/// A disk in memory that knows what was synced, fails on demand, and can lose power.
package final class SimulatedDisk: FileSystem, Sendable {
    /// A call that was made, or something a test noted, in one order.
    package struct Entry: Equatable, Sendable {
        package let name: String
        package let path: String
    }

    package enum Fault: Sendable {
        case error(Int32)
        /// It is done, and reported as failed all the same.
        case errorAfterwards(Int32)
        /// A write takes only so many bytes.
        case short(Int)
    }

    /// What a power cut leaves.
    package enum Crash: Sendable, CaseIterable {
        /// Everything that was done, as after a kill.
        case keepsAll
        /// What was synced only.
        case losesUnsynced
        /// Names as they were done, contents as they were synced.
        case losesContents
        /// Contents as they were done, names as they were synced.
        case losesNames
        /// Names that are new, while what became of those that were there is kept.
        case losesNewNames
        /// Every other sector of what was not synced.
        case losesEvenSectors
        case losesOddSectors
    }

    struct Plan {
        let name: String
        /// What the path must contain.
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
        /// Every file that is to be opened fails: the process has no descriptor left.
        var isOutOfDescriptors = false
        /// Bytes of contents that fit; nil where everything does.
        var capacity: Int?
        /// Bytes of the contents that some name leads to.
        var used = 0
        /// Calls that succeed and do nothing: what a program does that leaves them out.
        var omitted: Set<String> = []
        /// Calls until the process dies; nil: it does not.
        var callsLeft: Int?
        /// A call has come after those.
        var hasDied = false
    }

    let state: Guarded<State>
    /// Held by a class: a function in a generic place is wrapped anew at each look, and again, and again.
    let hook = Guarded<Hook?>(nil)

    final class Hook: Sendable {
        let body: @Sendable (Entry) -> Void

        init(_ body: @escaping @Sendable (Entry) -> Void) { self.body = body }
    }

    /// A disk with an empty directory `/data`.
    package init() {
        var empty = State()
        empty.nodes[0]?.names["data"] = 1
        empty.nodes[0]?.syncedNames["data"] = 1
        empty.nodes[1] = Node(isDirectory: true)
        empty.nextNumber = 2
        state = Guarded(empty)
    }

    /// The disk that another process finds: what no name leads to is gone.
    private init(afterwards disk: State) {
        var disk = disk
        disk.forgetNameless()
        state = Guarded(disk)
    }

    // MARK: What a test does with it

    /// Everything that was called or noted so far.
    package var log: [Entry] { state.withLock { $0.log } }

    /// How often `name` was called.
    package func count(_ name: String) -> Int { log.count { $0.name == name } }

    /// How many files are open.
    package var openCount: Int { state.withLock { $0.open.count } }

    /// Adds something of the test's own to the log.
    package func note(_ name: String) { state.withLock { $0.log.append(Entry(name: name, path: "")) } }

    /// Lets the call of `name` that comes after `skip` others of that name fail, once.
    ///
    /// - Parameter path: what the path must contain for a call to count.
    package func fail(_ name: String, _ fault: Fault, skip: Int = 0, on path: String? = nil) {
        state.withLock { $0.plans.append(Plan(name: name, path: path, skip: skip, fault: fault)) }
    }

    /// Bytes that the files take.
    package var used: Int { state.withLock { $0.used } }

    /// Bytes that there still is room for; nil where the disk has no end.
    package var free: Int? { state.withLock { state in state.capacity.map { max(0, $0 - state.used) } } }

    /// Leaves room for so many bytes more, whatever there is by now; nil for a disk without an end.
    package func leave(room: Int?) {
        state.withLock { state in state.capacity = room.map { state.used + $0 } }
    }

    /// Whether every file that is to be opened fails for lack of descriptors.
    package func setOutOfDescriptors(_ isOut: Bool) { state.withLock { $0.isOutOfDescriptors = isOut } }

    /// Whether a power cut would take nothing from the contents of files called `name`.
    package func isSynced(_ name: String) -> Bool {
        state.withLock { state in
            state.nodes.values.allSatisfy { node in
                guard let file = node.names[name].flatMap({ state.nodes[$0] }) else { return true }
                return file.isSynced
            }
        }
    }

    /// Lets nothing fail that was to fail.
    package func heal() { state.withLock { $0.plans = [] } }

    /// Lets every call of `name` succeed without doing anything, as if the program had forgotten it.
    package func omit(_ name: String) {
        state.withLock { _ = $0.omitted.insert(name) }
    }

    /// Lets every call after so many more fail and do nothing, as if the process had died.
    package func stop(after calls: Int) { state.withLock { $0.callsLeft = calls } }

    /// The process starts again after `stop`, the power stayed on: nothing is lost and nothing more is synced.
    package func restart() {
        state.withLock { state in
            state.callsLeft = nil
            state.hasDied = false
        }
    }

    /// Whether a call has failed since `stop`: the process has died in it, and does nothing more.
    package var hasDied: Bool { state.withLock { $0.hasDied } }

    /// Calls `body` at the beginning of every call, on the caller's thread.
    package func onCall(_ body: @escaping @Sendable (Entry) -> Void) {
        let new = Hook(body)
        hook.withLock { $0 = new }
    }

    /// Calls nothing any more.
    package func stopCalling() { hook.withLock { $0 = nil } }

    /// The disk after the power was cut and came back.
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
            node.settle()
            disk.nodes[number] = node
        }
        return SimulatedDisk(afterwards: disk)
    }

    /// The disk after the power was cut, with what was not synced lost at random: sectors of files, their ends, and
    /// all that happened to the names of a directory.
    package func afterPowerCut(using random: inout some RandomNumberGenerator) -> SimulatedDisk {
        var disk = remains
        for number in disk.nodes.keys.sorted() {
            guard var node = disk.nodes[number] else { continue }
            if node.names != node.syncedNames, Bool.random(using: &random) { node.names = node.syncedNames }
            if !node.isSynced { node.lose(using: &random) }
            node.settle()
            disk.nodes[number] = node
        }
        return SimulatedDisk(afterwards: disk)
    }

    /// The disk after the process died and the power stayed on: nothing is lost, and nothing more is synced.
    package func afterKill() -> SimulatedDisk { SimulatedDisk(afterwards: remains) }

    private var remains: State {
        state.withLock { State(nodes: $0.nodes, nextNumber: $0.nextNumber, capacity: $0.capacity) }
    }

    /// The contents of a file, nil if there is none.
    package subscript(_ path: String) -> [UInt8]? {
        state.withLock { state in Self.find(path, state).flatMap { state.nodes[$0]?.contents } }
    }

    /// The names in a directory, sorted; nil if there is none.
    package func names(in path: String) -> [String]? {
        state.withLock { state in Self.find(path, state).flatMap { state.nodes[$0]?.names.keys.sorted() } }
    }

    /// Makes or replaces a file, synced, in a directory that exists.
    package func put(_ bytes: [UInt8], at path: String) {
        state.withLock { state in
            guard let place = Self.place(path, state) else { return }
            let number = state.nextNumber
            state.nextNumber += 1
            if let old = state.nodes[place.directory]?.names[place.name] { state.letGo(of: old) }
            state.nodes[number] = Node(isDirectory: false, contents: bytes)
            state.nodes[number]?.settle()
            state.used += bytes.count
            state.nodes[place.directory]?.names[place.name] = number
            state.nodes[place.directory]?.syncedNames[place.name] = number
        }
    }

    /// Changes a file's bytes where they are: the same file, as a flipped bit leaves it.
    package func spoil(_ bytes: [UInt8], at path: String) {
        state.withLock { state in
            guard let number = Self.find(path, state) else { return }
            state.used += bytes.count - (state.nodes[number]?.contents.count ?? 0)
            state.nodes[number]?.contents = bytes
            state.nodes[number]?.settle()
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
