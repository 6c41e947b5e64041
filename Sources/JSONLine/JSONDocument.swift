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
