/// One JSON value, read strictly: what RFC 8259 allows, less what readers disagree about.
///
/// Refused beyond the grammar: byte-order marks, ill-formed UTF-8, lone surrogates, a key twice in one object,
/// numbers beyond the finite doubles, and nesting over a cap. The work is linear in the bytes, but for sorting the
/// keys of large objects.
package struct JSONDocument: Sendable {
    private let tape: JSONTape

    /// Reads `bytes`, which must hold exactly one value, with white space around it or not. Arrays and objects may
    /// nest `maximumDepth` deep; the outermost one is at depth 1.
    /// - Throws: the first thing that is wrong, where a key used twice is found at the end of its object.
    package init(parsing bytes: [UInt8], maximumDepth: Int = 32) throws(JSONSyntaxError) {
        tape = try JSONTape(parsing: bytes, maximumDepth: maximumDepth)
    }

    /// Reads a copy of `bytes`; offsets in errors count from the slice's first byte.
    package init(parsing bytes: ArraySlice<UInt8>, maximumDepth: Int = 32) throws(JSONSyntaxError) {
        try self.init(parsing: Array(bytes), maximumDepth: maximumDepth)
    }

    /// The value.
    package var root: JSONNode { JSONNode(tape: tape, index: 0) }
}
