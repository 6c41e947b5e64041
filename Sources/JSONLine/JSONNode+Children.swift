extension JSONNode {
    /// The member of an object with this key; nil if there is none or this is no object. Members are tried in
    /// order, which for a request's few fields beats any table.
    package subscript(key: StaticString) -> JSONNode? {
        key.withUTF8Buffer { member(named: $0) }
    }

    /// The member of an object with this key; nil if there is none or this is no object.
    package func member(named name: String) -> JSONNode? {
        var name = name
        return name.withUTF8 { member(named: $0) }
    }

    private func member(named name: UnsafeBufferPointer<UInt8>) -> JSONNode? {
        guard entry.kind == .object else { return nil }
        // Straight over the entries: to make a node of each key costs more than to compare it.
        return tape.entries.withUnsafeBufferPointer { entries in
            let end = Int(entries[index].next)
            var key = index + 1
            while key < end {
                let isPlain = entries[key].kind == .plainString
                if !isPlain || Int(entries[key].end - entries[key].start) - 2 == name.count,
                    JSONNode(tape: tape, index: key).isText(name)
                {
                    return JSONNode(tape: tape, index: key + 1)
                }
                key = Int(entries[key + 1].next)
            }
            return nil
        }
    }

    /// The elements of an array, in order; none for anything else.
    package var elements: JSONElements { JSONElements(parent: self) }

    /// The members of an object, in the order they are written; none for anything else.
    package var members: JSONMembers { JSONMembers(parent: self) }

    /// The members of an object, in the order they are written, without a text of each key; none for anything else.
    package var memberNodes: JSONMemberNodes { JSONMemberNodes(parent: self) }

    /// The indices of an object's keys; each value follows its key.
    var keyIndices: [Int] {
        guard entry.kind == .object else { return [] }
        var indices: [Int] = []
        indices.reserveCapacity(count)
        let end = Int(entry.next)
        var key = index + 1
        while key < end {
            indices.append(key)
            key = Int(tape.entries[key + 1].next)
        }
        return indices
    }
}
