/// The elements of an array.
package struct JSONElements: Sequence, Sendable {
    let parent: JSONNode

    /// Starts at the first element.
    package func makeIterator() -> Iterator {
        let isArray = parent.entry.kind == .array
        return Iterator(
            tape: parent.tape, index: parent.index + 1,
            end: isArray ? Int(parent.entry.next) : parent.index + 1)
    }

    /// The exact number of elements.
    package var underestimatedCount: Int { parent.entry.kind == .array ? parent.count : 0 }

    /// Iterates over whole elements.
    package struct Iterator: IteratorProtocol, Sendable {
        fileprivate let tape: JSONTape
        fileprivate var index: Int
        fileprivate let end: Int

        /// The next element.
        package mutating func next() -> JSONNode? {
            guard index < end else { return nil }
            defer { index = Int(tape.entries[index].next) }
            return JSONNode(tape: tape, index: index)
        }
    }
}
