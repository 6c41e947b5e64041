extension JSONNode {
    /// One spelling for all texts with the same meaning: no white space, keys in the order of their UTF-8 bytes, the
    /// fewest escapes, and numbers that read as the same double alike (`1`, `1.0` and `10e-1`; `0` and `-0`).
    package func canonicalBytes() -> [UInt8] {
        var writer = JSONWriter(reserving: Int(entry.end - entry.start))
        appendCanonical(to: &writer)
        return writer.take()
    }

    /// Recursive, but never deeper than the cap the document was read with.
    private func appendCanonical(to writer: inout JSONWriter) {
        switch entry.kind {
        case .null, .true, .false, .plainString:
            // Whatever needs an escape has one, so a string without any is minimal already.
            writer.raw(rawBytes)
        case .escapedString:
            stringBytes.withUnsafeBufferPointer { writer.value(utf8: $0) }
        case .integer, .decimal:
            guard let double else { preconditionFailure("a number has a value") }
            writer.value(double.isZero ? 0 : double)
        case .array:
            writer.beginArray()
            for element in elements { element.appendCanonical(to: &writer) }
            writer.endArray()
        case .object:
            writer.beginObject()
            for (key, index) in sortedKeys {
                key.withUnsafeBufferPointer { writer.key(utf8: $0) }
                JSONNode(tape: tape, index: index + 1).appendCanonical(to: &writer)
            }
            writer.endObject()
        }
    }

    private var sortedKeys: [(text: ArraySlice<UInt8>, index: Int)] {
        keyIndices.map { (text: JSONNode(tape: tape, index: $0).stringBytes, index: $0) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    }
}
