/// The members of an object.
package struct JSONMembers: Sequence, Sendable {
    let parent: JSONNode

    /// Starts at the first member.
    package func makeIterator() -> Iterator { Iterator(nodes: parent.memberNodes.makeIterator()) }

    /// The exact number of members.
    package var underestimatedCount: Int { parent.memberNodes.underestimatedCount }

    /// Iterates over whole members.
    package struct Iterator: IteratorProtocol, Sendable {
        fileprivate var nodes: JSONMemberNodes.Iterator

        /// The next member, its key unescaped.
        package mutating func next() -> (key: String, value: JSONNode)? {
            nodes.next().map { (String(decoding: $0.key.stringBytes, as: UTF8.self), $0.value) }
        }
    }
}

/// The members of an object, with keys as nodes, without creating strings.
package struct JSONMemberNodes: Sequence, Sendable {
    let parent: JSONNode

    /// Starts at the first member.
    package func makeIterator() -> Iterator {
        let isObject = parent.entry.kind == .object
        return Iterator(
            tape: parent.tape, index: parent.index + 1,
            end: isObject ? Int(parent.entry.next) : parent.index + 1)
    }

    /// The exact number of members.
    package var underestimatedCount: Int { parent.entry.kind == .object ? parent.count : 0 }

    /// Iterates over whole members.
    package struct Iterator: IteratorProtocol, Sendable {
        fileprivate let tape: JSONTape
        fileprivate var index: Int
        fileprivate let end: Int

        /// The next member.
        package mutating func next() -> (key: JSONNode, value: JSONNode)? {
            guard index < end else { return nil }
            let key = JSONNode(tape: tape, index: index)
            let value = JSONNode(tape: tape, index: index + 1)
            index = Int(value.entry.next)
            return (key, value)
        }
    }
}
