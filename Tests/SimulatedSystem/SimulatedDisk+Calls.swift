import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension SimulatedDisk {
    private func call<Value: Sendable>(
        _ name: String, _ path: String, _ body: (inout State, Int?) -> Result<Value, SystemError>
    ) throws(SystemError) -> Value {
        let entry = Entry(name: name, path: path)
        hook.withLock { $0 }?.body(entry)
        let result = state.withLock { state -> Result<Value, SystemError> in
            if let left = state.callsLeft {
                if left == 0 {
                    state.hasDied = true
                    return .failure(SystemError(call: name, path: path, code: EIO))
                }
                state.callsLeft = left - 1
            }
            state.log.append(entry)
            if name == "open", state.isOutOfDescriptors {
                return .failure(SystemError(call: name, path: path, code: EMFILE))
            }
            var limit: Int?
            var lie: Int32?
            if let index = state.plans.firstIndex(where: { plan in
                plan.name == name && plan.path.map { path.contains($0) } ?? true
            }) {
                if state.plans[index].skip > 0 {
                    state.plans[index].skip -= 1
                } else {
                    switch state.plans.remove(at: index).fault {
                    case .error(let code): return .failure(SystemError(call: name, path: path, code: code))
                    case .errorAfterwards(let code): lie = code
                    case .short(let count): limit = count
                    }
                }
            }
            let result = body(&state, limit)
            if let lie { return .failure(SystemError(call: name, path: path, code: lie)) }
            return result
        }
        return try result.get()
    }

    private func path(of file: FileToken) -> String { state.withLock { $0.open[file]?.path ?? "closed" } }

    /// Runs a function on the node of an open file.
    private func withFile<Value: Sendable>(
        _ name: String, _ file: FileToken, _ body: (inout State, Int, Int?) -> Result<Value, SystemError>
    ) throws(SystemError) -> Value {
        try call(name, path(of: file)) { state, limit in
            guard let number = state.open[file]?.node, state.nodes[number] != nil else {
                return .failure(SystemError(call: name, code: EBADF))
            }
            return body(&state, number, limit)
        }
    }

    private func change(
        _ name: String, _ file: FileToken, _ body: (inout State, Int) -> Void
    ) throws(SystemError) {
        let isOmitted = state.withLock { $0.omitted.contains(name) }
        try withFile(name, file) { state, number, _ in
            if !isOmitted { body(&state, number) }
            return .success(())
        }
    }

    package func open(_ path: String, _ mode: OpenMode) throws(SystemError) -> FileToken {
        try call("open", path) { state, _ in
            guard let place = Self.place(path, state) else {
                return .failure(SystemError(call: "open", path: path, code: ENOENT))
            }
            let existing = state.nodes[place.directory]?.names[place.name]
            switch (mode, existing) {
            case (.create, .some): return .failure(SystemError(call: "open", path: path, code: EEXIST))
            case (.read, nil), (.append, nil):
                return .failure(SystemError(call: "open", path: path, code: ENOENT))
            case (.create, nil), (.appendOrCreate, nil):
                if let full = Self.noRoom("open", path, state) { return .failure(full) }
                state.nodes[state.nextNumber] = Node(isDirectory: false)
                state.nodes[place.directory]?.names[place.name] = state.nextNumber
                state.nextNumber += 1
            case (.read, .some), (.append, .some), (.appendOrCreate, .some): break
            }
            let token = FileToken(rawValue: state.nextToken)
            state.nextToken += 1
            state.open[token] = state.nodes[place.directory]?.names[place.name].map { ($0, path) }
            return .success(token)
        }
    }

    package func close(_ file: FileToken) { state.withLock { _ = $0.open.removeValue(forKey: file) } }

    package func read(
        _ file: FileToken, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        let contents = try withFile("read", file) { state, number, _ in
            .success(state.nodes[number]?.contents ?? [])
        }
        let rest = contents.dropFirst(Int(offset)).prefix(buffer.count)
        buffer.copyBytes(from: rest)
        return rest.count
    }

    package func write(_ file: FileToken, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        let bytes = Array(bytes)
        return try withFile("write", file) { state, number, limit in
            var count = min(bytes.count, limit ?? .max)
            let isNamed = state.nodes[number]?.isNamed ?? false
            if let capacity = state.capacity, isNamed, count > 0 {
                count = min(count, max(0, capacity - state.used))
                if count == 0 { return .failure(SystemError(call: "write", code: ENOSPC)) }
            }
            state.nodes[number]?.contents.append(contentsOf: bytes.prefix(count))
            if isNamed { state.used += count }
            return .success(count)
        }
    }

    /// The error if there is no room for a new name; nil if there is.
    private static func noRoom(_ call: String, _ path: String, _ state: State) -> SystemError? {
        guard let capacity = state.capacity, state.used >= capacity else { return nil }
        return SystemError(call: call, path: path, code: ENOSPC)
    }

    package func syncData(_ file: FileToken) throws(SystemError) {
        try change("syncData", file) { state, number in state.nodes[number]?.sync() }
    }

    package func sync(_ file: FileToken) throws(SystemError) {
        try change("sync", file) { state, number in state.nodes[number]?.sync() }
    }

    package func syncDirectory(_ path: String) throws(SystemError) {
        try call("syncDirectory", path) { state, _ -> Result<Void, SystemError> in
            guard let number = Self.find(path, state), let names = state.nodes[number]?.names else {
                return .failure(SystemError(call: "open", path: path, code: ENOENT))
            }
            if !state.omitted.contains("syncDirectory") { state.nodes[number]?.syncedNames = names }
            return .success(())
        }
    }

    package func truncate(_ file: FileToken, to size: Int64) throws(SystemError) {
        try change("truncate", file) { state, number in
            let before = state.nodes[number]?.contents.count ?? 0
            state.nodes[number]?.truncate(to: Int(size))
            if state.nodes[number]?.isNamed == true { state.used -= before - Int(size) }
        }
    }

    package func status(of file: FileToken) throws(SystemError) -> FileStatus {
        try withFile("size", file) { state, number, _ in
            .success((state.nodes[number] ?? Node(isDirectory: false)).status(number))
        }
    }

    package func status(_ path: String) throws(SystemError) -> FileStatus? {
        try call("status", path) { state, _ in
            guard let number = Self.find(path, state), let node = state.nodes[number] else {
                return .success(nil)
            }
            return .success(node.status(number))
        }
    }

    package func rename(_ old: String, to new: String) throws(SystemError) {
        try call("rename", old) { state, _ -> Result<Void, SystemError> in
            guard let from = Self.place(old, state), let to = Self.place(new, state),
                let number = state.nodes[from.directory]?.names.removeValue(forKey: from.name)
            else { return .failure(SystemError(call: "rename", path: old, code: ENOENT)) }
            if let old = state.nodes[to.directory]?.names[to.name], old != number {
                state.nameRemoved(of: old)
            }
            state.nodes[to.directory]?.names[to.name] = number
            return .success(())
        }
    }

    package func unlink(_ path: String) throws(SystemError) {
        try remove("unlink", path) { $0.isDirectory ? EISDIR : nil }
    }

    package func removeDirectory(_ path: String) throws(SystemError) {
        try remove("removeDirectory", path) { node in
            if !node.isDirectory { return ENOTDIR }
            return node.names.isEmpty ? nil : ENOTEMPTY
        }
    }

    private func remove(
        _ name: String, _ path: String, objection: (Node) -> Int32?
    ) throws(SystemError) {
        try call(name, path) { state, _ -> Result<Void, SystemError> in
            guard let place = Self.place(path, state), let number = Self.find(path, state),
                let node = state.nodes[number]
            else { return .failure(SystemError(call: name, path: path, code: ENOENT)) }
            if let code = objection(node) { return .failure(SystemError(call: name, path: path, code: code)) }
            state.nodes[place.directory]?.names[place.name] = nil
            state.nameRemoved(of: number)
            return .success(())
        }
    }

    package func makeDirectory(_ path: String) throws(SystemError) {
        try call("makeDirectory", path) { state, _ -> Result<Void, SystemError> in
            guard let place = Self.place(path, state) else {
                return .failure(SystemError(call: "mkdir", path: path, code: ENOENT))
            }
            guard state.nodes[place.directory]?.names[place.name] == nil else {
                return .failure(SystemError(call: "mkdir", path: path, code: EEXIST))
            }
            if let full = Self.noRoom("mkdir", path, state) { return .failure(full) }
            state.nodes[state.nextNumber] = Node(isDirectory: true)
            state.nodes[place.directory]?.names[place.name] = state.nextNumber
            state.nextNumber += 1
            return .success(())
        }
    }

    package func list(_ path: String) throws(SystemError) -> [String] {
        try call("list", path) { state, _ in
            guard let number = Self.find(path, state), let node = state.nodes[number], node.isDirectory else {
                return .failure(SystemError(call: "opendir", path: path, code: ENOENT))
            }
            return .success(node.names.keys.sorted())
        }
    }
}
