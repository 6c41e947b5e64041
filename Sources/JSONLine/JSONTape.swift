/// A parsed document: its bytes, and one flat list of entries in document order.
///
/// A member is two entries, its key and its value. A container is followed by its content, and stores where that ends,
/// so iteration skips whole subtrees. Both arrays are in one object, so that a node is one reference and an index.
final class JSONTape: Sendable {
    let bytes: [UInt8]
    let entries: [Entry]

    init(parsing bytes: [UInt8], maximumDepth: Int) throws(JSONSyntaxError) {
        guard bytes.count < Int(UInt32.max) else {
            throw JSONSyntaxError(.tooLong, at: Int(UInt32.max))
        }
        self.bytes = bytes
        entries = try bytes.withUnsafeBufferPointer { input throws(JSONSyntaxError) in
            var parser = JSONParser(input: input, maximumDepth: maximumDepth)
            return try parser.parse()
        }
    }
}

extension JSONTape {
    struct Entry: Sendable {
        let kind: Kind
        /// The first byte of the value's text.
        let start: UInt32
        /// One past the last byte of the value's text.
        var end: UInt32
        /// The index of the entry after this one and its content.
        var next: UInt32
        /// The number of elements of an array or members of an object.
        var count: UInt32
    }

    /// Finer than `JSONNode.Kind`: facts that the parser knows anyway, so that readers need not determine them again.
    enum Kind: UInt8, Sendable {
        case null, `true`, `false`
        /// A number without point or exponent; `decimal` is every other one.
        case integer, decimal
        /// A string without escapes; `escapedString` has at least one.
        case plainString, escapedString
        case array, object
    }
}
