/// The members of an object.
package struct JSONMembers: Sequence, Sendable {
    let parent: JSONNode

    /// Starts at the first member.
    package func makeIterator() -> Iterator {
        let isObject = parent.entry.kind == .object
        return Iterator(
            tape: parent.tape, index: parent.index + 1,
            end: isObject ? Int(parent.entry.next) : parent.index + 1)
    }

    /// Exactly how many there are.
    package var underestimatedCount: Int { parent.entry.kind == .object ? parent.count : 0 }

    /// Steps over whole members.
    package struct Iterator: IteratorProtocol, Sendable {
        fileprivate let tape: JSONTape
        fileprivate var index: Int
        fileprivate let end: Int

        /// The next member, its key unescaped.
        package mutating func next() -> (key: String, value: JSONNode)? {
            guard index < end else { return nil }
            let key = JSONNode(tape: tape, index: index)
            let value = JSONNode(tape: tape, index: index + 1)
            index = Int(value.entry.next)
            return (String(decoding: key.stringBytes, as: UTF8.self), value)
        }
    }
}
