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
        if let hook = hook.withLock({ $0 }) { hook(entry) }
        let result = state.withLock { state -> Result<Value, SystemError> in
            if let left = state.callsLeft {
                if left == 0 { return .failure(SystemError(call: name, path: path, code: EIO)) }
                state.callsLeft = left - 1
            }
            state.log.append(entry)
            var limit: Int?
            if let index = state.plans.firstIndex(where: { $0.name == name }) {
                if state.plans[index].skip > 0 {
                    state.plans[index].skip -= 1
                } else {
                    switch state.plans.remove(at: index).fault {
                    case .error(let code): return .failure(SystemError(call: name, path: path, code: code))
                    case .short(let count): limit = count
                    }
                }
            }
            return body(&state, limit)
        }
        return try result.get()
    }

    private func path(of file: FileToken) -> String { state.withLock { $0.open[file]?.path ?? "closed" } }

    private func withFile<Value: Sendable>(
        _ name: String, _ file: FileToken, _ body: (inout Node, Int?) -> Value
    ) throws(SystemError) -> Value {
        try call(name, path(of: file)) { state, limit in
            guard let number = state.open[file]?.node, var node = state.nodes[number] else {
                return .failure(SystemError(call: name, code: EBADF))
            }
            defer { state.nodes[number] = node }
            return .success(body(&node, limit))
        }
    }

    private func change(
        _ name: String, _ file: FileToken, _ body: (inout Node) -> Void
    ) throws(SystemError) {
        let isOmitted = state.withLock { $0.omitted.contains(name) }
        try withFile(name, file) { node, _ in if !isOmitted { body(&node) } }
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
        let contents = try withFile("read", file) { node, _ in node.contents }
        let rest = contents.dropFirst(Int(offset)).prefix(buffer.count)
        buffer.copyBytes(from: rest)
        return rest.count
    }

    package func write(_ file: FileToken, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        let bytes = Array(bytes)
        return try withFile("write", file) { node, limit in
            let taken = bytes.prefix(limit ?? bytes.count)
            node.contents += taken
            return taken.count
        }
    }

    package func syncData(_ file: FileToken) throws(SystemError) {
        try change("syncData", file) { $0.syncedContents = $0.contents }
    }

    package func sync(_ file: FileToken) throws(SystemError) {
        try change("sync", file) { $0.syncedContents = $0.contents }
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
        try change("truncate", file) { $0.contents.removeLast($0.contents.count - Int(size)) }
    }

    package func size(_ file: FileToken) throws(SystemError) -> Int64 {
        try withFile("size", file) { node, _ in Int64(node.contents.count) }
    }

    package func status(_ path: String) throws(SystemError) -> FileStatus? {
        try call("status", path) { state, _ in
            guard let number = Self.find(path, state), let node = state.nodes[number] else {
                return .success(nil)
            }
            return .success(
                FileStatus(
                    kind: node.isDirectory ? .directory : .regular, size: Int64(node.contents.count),
                    mode: node.isDirectory ? 0o700 : 0o600, owner: 0, device: 0, number: UInt64(number)))
        }
    }

    package func rename(_ old: String, to new: String) throws(SystemError) {
        try call("rename", old) { state, _ -> Result<Void, SystemError> in
            guard let from = Self.place(old, state), let to = Self.place(new, state),
                let number = state.nodes[from.directory]?.names.removeValue(forKey: from.name)
            else { return .failure(SystemError(call: "rename", path: old, code: ENOENT)) }
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
