/// A value in a parsed document. It retains the document, and consists of one reference and one index.
package struct JSONNode: Sendable {
    let tape: JSONTape
    let index: Int

    /// The kinds of JSON values.
    package enum Kind: Sendable { case null, bool, number, string, array, object }

    var entry: JSONTape.Entry { tape.entries[index] }

    /// The kind of the value.
    package var kind: Kind {
        switch entry.kind {
        case .null: .null
        case .true, .false: .bool
        case .integer, .decimal: .number
        case .plainString, .escapedString: .string
        case .array: .array
        case .object: .object
        }
    }

    /// True if the value is `null`.
    package var isNull: Bool { entry.kind == .null }

    /// The value of `true` or `false`; nil for anything else.
    package var bool: Bool? {
        switch entry.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The text of a string, unescaped; nil for anything else.
    package var string: String? {
        guard isString else { return nil }
        return String(decoding: stringBytes, as: UTF8.self)
    }

    /// Calls `body` with the unescaped UTF-8 of a string; nil for anything else.
    package func withStringBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
        let entry = entry
        switch entry.kind {
        case .plainString:
            let inner = Int(entry.start) + 1..<Int(entry.end) - 1
            return tape.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[inner])) }
        case .escapedString: return stringBytes.withUnsafeBufferPointer(body)
        default: return nil
        }
    }

    /// An integer within ±(2^53 − 1) that is written without point or exponent (`-0` is 0); nil for anything else.
    package var int: Int? {
        guard entry.kind == .integer else { return nil }
        return withText { JSONNumber.integer($0) }
    }

    /// The double nearest to a number, always finite; nil for anything else.
    package var double: Double? {
        guard kind == .number else { return nil }
        return withText { JSONNumber.double($0) }
    }

    /// The number of elements of an array or members of an object; 0 for anything else.
    package var count: Int { Int(entry.count) }

    /// The source text of the value.
    package var rawBytes: ArraySlice<UInt8> { tape.bytes[Int(entry.start)..<Int(entry.end)] }

    /// True if the value is a string with this text. Bytes are compared without normalization.
    package func stringEquals(_ text: StaticString) -> Bool {
        isString && text.withUTF8Buffer { isText($0) }
    }
}

extension JSONNode {
    var isString: Bool { entry.kind == .plainString || entry.kind == .escapedString }

    /// A string's text as UTF-8: a slice of the document, or a new array if there are escapes.
    var stringBytes: ArraySlice<UInt8> {
        let entry = entry
        let inner = Int(entry.start) + 1..<Int(entry.end) - 1
        guard entry.kind == .escapedString else { return tape.bytes[inner] }
        return tape.bytes[inner].withUnsafeBufferPointer { JSONEscape.unescaped($0) }[...]
    }

    /// True if a string's text equals these bytes.
    func isText(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        tape.bytes.withUnsafeBufferPointer { Self.is(entry, text, in: $0) }
    }

    /// True if the text of a string of this document is `text`.
    @inline(__always)
    private static func `is`(
        _ string: JSONTape.Entry, _ text: UnsafeBufferPointer<UInt8>, in document: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let start = Int(string.start) + 1
        let count = Int(string.end) - 1 - start
        guard string.kind == .plainString else {
            let escaped = UnsafeBufferPointer(rebasing: document[start..<start + count])
            return JSONEscape.unescaped(escaped).elementsEqual(text)
        }
        return count == text.count && (0..<count).allSatisfy { document[start + $0] == text[$0] }
    }

    func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let range = Int(entry.start)..<Int(entry.end)
        return tape.bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}

extension JSONNode {
    /// The member of an object with this key; nil if there is none or the value is not an object. Members are
    /// searched in order, which is faster than a table for the few fields of a request.
    package subscript(key: StaticString) -> JSONNode? {
        key.withUTF8Buffer { member(named: $0) }
    }

    /// The member of an object with this key; nil if there is none or the value is not an object.
    package func member(named name: String) -> JSONNode? {
        var name = name
        return name.withUTF8 { member(named: $0) }
    }

    private func member(named name: UnsafeBufferPointer<UInt8>) -> JSONNode? {
        guard entry.kind == .object else { return nil }
        // Searches the entries directly: creating a node per key costs more than comparing it.
        let key = tape.entries.withUnsafeBufferPointer { entries in
            tape.bytes.withUnsafeBufferPointer { bytes in
                let end = Int(entries[index].next)
                var key = index + 1
                while key < end, !Self.is(entries[key], name, in: bytes) { key = Int(entries[key + 1].next) }
                return key < end ? key : nil
            }
        }
        return key.map { JSONNode(tape: tape, index: $0 + 1) }
    }

    /// The elements of an array, in order; none for anything else.
    package var elements: JSONElements { JSONElements(parent: self) }

    /// The members of an object in source order; none for anything else.
    package var members: JSONMembers { JSONMembers(parent: self) }

    /// The members of an object in source order, without a string per key; none for anything else.
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

/// One JSON value, parsed strictly: RFC 8259 without the parts on which readers disagree.
///
/// It also refuses byte-order marks, ill-formed UTF-8, lone surrogates, duplicate keys in an object, numbers
/// beyond the finite doubles, and nesting over a limit. The work is linear in the bytes, except for sorting
/// the keys of large objects.
package struct JSONDocument: Sendable {
    private let tape: JSONTape

    /// Parses `bytes`, which must contain exactly one value, possibly with white space around it. Arrays and
    /// objects may nest `maximumDepth` deep; the outermost one is at depth 1.
    ///
    /// - Throws: the first error; a duplicate key is found at the end of its object.
    package init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONSyntaxError) {
        tape = try JSONTape(parsing: bytes, maximumDepth: maximumDepth)
    }

    /// Parses a copy of `bytes`; offsets in errors count from the slice's first byte.
    package init(parsing bytes: ArraySlice<UInt8>, maximumDepth: Int = 32) throws(JSONSyntaxError) {
        try self.init(parsing: Array(bytes), maximumDepth: maximumDepth)
    }

    /// The value.
    package var root: JSONNode { JSONNode(tape: tape, index: 0) }
}

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
