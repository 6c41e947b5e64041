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

    struct Node {
        var isDirectory: Bool
        var contents: [UInt8] = []
        var syncedContents: [UInt8] = []
        var names: [String: Int] = [:]
        var syncedNames: [String: Int] = [:]
    }

    struct State {
        var nodes: [Int: Node] = [0: Node(isDirectory: true)]
        var nextNumber = 1
        var open: [FileToken: (node: Int, path: String)] = [:]
        var nextToken: Int32 = 3
        var log: [Entry] = []
        var plans: [(name: String, skip: Int, fault: Fault)] = []
        /// Calls that succeed and do nothing: what a program does that leaves them out.
        var omitted: Set<String> = []
        /// Calls until the power goes; nil: never.
        var callsLeft: Int?
    }

    let state: Guarded<State>
    let hook = Guarded<(@Sendable (Entry) -> Void)?>(nil)

    /// A disk with an empty directory `/data`.
    package init() {
        var empty = State()
        empty.nodes[0]?.names["data"] = 1
        empty.nodes[0]?.syncedNames["data"] = 1
        empty.nodes[1] = Node(isDirectory: true)
        empty.nextNumber = 2
        state = Guarded(empty)
    }

    private init(_ disk: State) { state = Guarded(disk) }

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
    package func fail(_ name: String, _ fault: Fault, skip: Int = 0) {
        state.withLock { $0.plans.append((name, skip, fault)) }
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
    package func restart() { state.withLock { $0.callsLeft = nil } }

    /// Calls `body` at the beginning of every call, on the caller's thread.
    package func onCall(_ body: @escaping @Sendable (Entry) -> Void) { hook.withLock { $0 = body } }

    /// The disk after the power was cut and came back.
    package func afterCrash(_ crash: Crash) -> SimulatedDisk {
        var disk = state.withLock { State(nodes: $0.nodes, nextNumber: $0.nextNumber) }
        for (number, node) in disk.nodes {
            var node = node
            switch crash {
            case .losesUnsynced, .losesNames: node.names = node.syncedNames
            case .losesNewNames: node.names = node.names.filter { node.syncedNames[$0.key] != nil }
            case .keepsAll, .losesContents, .losesEvenSectors, .losesOddSectors: break
            }
            node.contents = Self.contents(of: node, after: crash)
            node.syncedNames = node.names
            node.syncedContents = node.contents
            disk.nodes[number] = node
        }
        return SimulatedDisk(disk)
    }

    /// The disk after the power was cut, with what was not synced lost at random: sectors of files, their ends, and
    /// all that happened to the names of a directory.
    package func afterPowerCut(using random: inout some RandomNumberGenerator) -> SimulatedDisk {
        var disk = state.withLock { State(nodes: $0.nodes, nextNumber: $0.nextNumber) }
        for number in disk.nodes.keys.sorted() {
            guard var node = disk.nodes[number] else { continue }
            if node.names != node.syncedNames, Bool.random(using: &random) { node.names = node.syncedNames }
            if node.contents != node.syncedContents { Self.lose(from: &node, using: &random) }
            node.syncedNames = node.names
            node.syncedContents = node.contents
            disk.nodes[number] = node
        }
        return SimulatedDisk(disk)
    }

    private static func lose(from node: inout Node, using random: inout some RandomNumberGenerator) {
        guard node.contents.starts(with: node.syncedContents) else {
            if Bool.random(using: &random) { node.contents = node.syncedContents }
            return
        }
        let synced = node.syncedContents.count
        if Bool.random(using: &random) {
            node.contents.removeLast(Int.random(in: 0...node.contents.count - synced, using: &random))
        }
        guard synced < node.contents.count, Bool.random(using: &random) else { return }
        for sector in synced / 512...(node.contents.count - 1) / 512 where Bool.random(using: &random) {
            for index in max(synced, sector * 512)..<min(node.contents.count, (sector + 1) * 512) {
                node.contents[index] = 0
            }
        }
    }

    /// The disk after the process died and the power stayed on: nothing is lost, and nothing more is synced.
    package func afterKill() -> SimulatedDisk {
        SimulatedDisk(state.withLock { State(nodes: $0.nodes, nextNumber: $0.nextNumber) })
    }

    private static func contents(of node: Node, after crash: Crash) -> [UInt8] {
        switch crash {
        case .keepsAll, .losesNames, .losesNewNames: return node.contents
        case .losesUnsynced, .losesContents: return node.syncedContents
        case .losesEvenSectors, .losesOddSectors:
            guard node.contents.starts(with: node.syncedContents) else { return node.contents }
            var contents = node.contents
            for index in node.syncedContents.count..<contents.count
            where (index / 512 % 2 == 0) == (crash == .losesEvenSectors) {
                contents[index] = 0
            }
            return contents
        }
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
            state.nodes[number] = Node(isDirectory: false, contents: bytes, syncedContents: bytes)
            state.nodes[place.directory]?.names[place.name] = number
            state.nodes[place.directory]?.syncedNames[place.name] = number
        }
    }

    /// Changes a file's bytes where they are: the same file, as a flipped bit leaves it.
    package func spoil(_ bytes: [UInt8], at path: String) {
        state.withLock { state in
            guard let number = Self.find(path, state) else { return }
            state.nodes[number]?.contents = bytes
            state.nodes[number]?.syncedContents = bytes
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
