import LocalSystem

extension SimulatedDisk {
    /// A file or a directory, and its state after a power cut.
    struct Node {
        let isDirectory: Bool
        var contents: [UInt8] = []
        /// The length of the prefix that is synced.
        private var syncedCount = 0
        /// The synced bytes after that prefix, if the file was truncated and the truncation is not synced.
        private var syncedRest: [UInt8] = []
        var names: [String: Int] = [:]
        var syncedNames: [String: Int] = [:]
        /// Whether a name refers to it, so that its bytes count.
        var isNamed = true

        init(isDirectory: Bool, contents: [UInt8] = []) {
            self.isDirectory = isDirectory
            self.contents = contents
        }

        func status(_ number: Int) -> FileStatus {
            FileStatus(
                kind: isDirectory ? .directory : .regular, size: Int64(contents.count),
                mode: isDirectory ? 0o700 : 0o600, owner: 0, linkCount: isNamed ? 1 : 0, device: 0,
                number: UInt64(number))
        }

        var isSynced: Bool { syncedCount == contents.count && syncedRest.isEmpty }

        mutating func sync() {
            syncedCount = contents.count
            syncedRest = []
        }

        /// Marks the contents and the names as synced.
        mutating func markSynced() {
            sync()
            syncedNames = names
        }

        mutating func truncate(to count: Int) {
            if count < syncedCount {
                syncedRest = contents[count..<syncedCount] + syncedRest
                syncedCount = count
            }
            contents.removeLast(contents.count - count)
        }

        private mutating func goBack() { contents = contents.prefix(syncedCount) + syncedRest }

        mutating func lose(by crash: Crash) {
            switch crash {
            case .keepsAll, .losesNames, .losesNewNames: break
            case .losesUnsynced, .losesContents: goBack()
            case .losesEvenSectors, .losesOddSectors:
                guard syncedRest.isEmpty else { return }
                for index in syncedCount..<contents.count
                where (index / 512 % 2 == 0) == (crash == .losesEvenSectors) {
                    contents[index] = 0
                }
            }
        }

        /// Loses part of the unsynced state.
        mutating func lose(using random: inout some RandomNumberGenerator) {
            guard syncedRest.isEmpty else {
                if Bool.random(using: &random) { goBack() }
                return
            }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: goBack()
            case 1, 2: contents.removeLast(Int.random(in: 0...contents.count - syncedCount, using: &random))
            default: break
            }
            guard syncedCount < contents.count, Bool.random(using: &random) else { return }
            for sector in syncedCount / 512...(contents.count - 1) / 512 where Bool.random(using: &random) {
                for index in max(syncedCount, sector * 512)..<min(contents.count, (sector + 1) * 512) {
                    contents[index] = 0
                }
            }
        }
    }
}

extension SimulatedDisk.State {
    /// Stops counting the bytes of a file that has lost its name.
    mutating func nameRemoved(of number: Int) {
        guard let node = nodes[number], !node.isDirectory, node.isNamed else { return }
        used -= node.contents.count
        nodes[number]?.isNamed = false
    }

    /// Removes nodes without names and counts the used bytes again.
    mutating func forgetNameless() {
        var named: [Int: SimulatedDisk.Node] = [:]
        var waiting = [0]
        used = 0
        while let number = waiting.popLast() {
            guard var node = nodes[number] else { continue }
            node.isNamed = true
            used += node.contents.count
            waiting += node.names.values
            // A killed process may leave names that a power cut would remove.
            waiting += node.syncedNames.values.filter { !node.names.values.contains($0) }
            named[number] = node
        }
        nodes = named
    }
}
