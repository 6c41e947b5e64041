/// A parsed document: its bytes, and one flat list of entries in document order.
///
/// A member is two entries, its key and then its value. A container is followed by everything in it, and knows
/// where that ends, so a walk over siblings steps over whole subtrees. One object holds both arrays, so that a
/// node is one reference and an index.
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
        /// The index of the entry after this one and everything in it.
        var next: UInt32
        /// Elements of an array, members of an object.
        var count: UInt32
    }

    /// Finer than what a reader sees: what parsing learns anyway spares the readers a second look.
    enum Kind: UInt8, Sendable {
        case null, `true`, `false`
        /// A number with neither point nor exponent; `decimal` is every other one.
        case integer, decimal
        /// A string whose bytes stand for themselves; `escapedString` has a backslash somewhere.
        case plainString, escapedString
        case array, object
    }
}
