extension JSONNode {
    /// The canonical form: equal for all texts with the same meaning. It has no white space, keys in the order of their
    /// UTF-8 bytes, minimal escapes, and one text per double (`1`, `1.0` and `10e-1`; `0` and `-0`).
    ///
    /// - Parameters:
    ///   - name: the key of this object or of the object around it; nil for the outermost object.
    ///   - isKept: selects members of objects at any depth; nil for all.
    package func canonicalBytes(
        inside name: StaticString? = nil, keeping isKept: ((CanonicalMember) -> Bool)? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(reserving: Int(entry.end - entry.start))
        let name = name.map { $0.withUTF8Buffer { ArraySlice($0) } }
        appendCanonical(to: &writer, inside: name, isKept)
        return writer.take()
    }

    /// A member of an object during canonicalization.
    package struct CanonicalMember {
        /// The object.
        package let object: JSONNode
        /// The value.
        package let value: JSONNode
        fileprivate let key: ArraySlice<UInt8>
        fileprivate let objectKey: ArraySlice<UInt8>?

        /// True if its key is `name`.
        package func isCalled(_ name: StaticString) -> Bool {
            name.withUTF8Buffer { key.elementsEqual($0) }
        }

        /// True if its object, or the array around it, has this key; nil for the outermost object.
        package func isInside(_ name: StaticString?) -> Bool {
            guard let name else { return objectKey == nil }
            return objectKey.map { key in name.withUTF8Buffer { key.elementsEqual($0) } } ?? false
        }
    }

    /// Recursive, but never deeper than the document's depth limit.
    private func appendCanonical(
        to writer: inout JSONWriter, inside objectKey: ArraySlice<UInt8>?,
        _ isKept: ((CanonicalMember) -> Bool)?
    ) {
        switch entry.kind {
        case .null, .true, .false, .plainString:
            // A plain string contains nothing that needs an escape, so it is minimal already.
            writer.raw(rawBytes)
        case .escapedString:
            stringBytes.withUnsafeBufferPointer { writer.value(utf8: $0) }
        case .integer, .decimal:
            guard let double else { preconditionFailure("a number has a value") }
            writer.value(double.isZero ? 0 : double)
        case .array:
            writer.beginArray()
            for element in elements { element.appendCanonical(to: &writer, inside: objectKey, isKept) }
            writer.endArray()
        case .object:
            writer.beginObject()
            for (key, index) in sortedKeys {
                let value = JSONNode(tape: tape, index: index + 1)
                if let isKept {
                    let member = CanonicalMember(object: self, value: value, key: key, objectKey: objectKey)
                    guard isKept(member) else { continue }
                }
                key.withUnsafeBufferPointer { writer.key(utf8: $0) }
                value.appendCanonical(to: &writer, inside: key, isKept)
            }
            writer.endObject()
        }
    }

    private var sortedKeys: [(text: ArraySlice<UInt8>, index: Int)] {
        keyIndices.map { (text: JSONNode(tape: tape, index: $0).stringBytes, index: $0) }
            .sorted { $0.text.lexicographicallyPrecedes($1.text) }
    }
}
