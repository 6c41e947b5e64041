extension JSONNode {
    /// The canonical form: equal for all texts with the same meaning. It has no white space, keys in the order of their
    /// UTF-8 bytes, minimal escapes, and one text per double (`1`, `1.0` and `10e-1`; `0` and `-0`).
    package func canonicalBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(entry.end - entry.start))
        forEachCanonicalPart { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Calls `body` with the parts of the canonical form, in order. Most of them are parts of the document, which are
    /// not copied.
    ///
    /// - Parameters:
    ///   - key: the key of this object or of the object around it; nil for the outermost object.
    ///   - isKept: selects members of objects at any depth.
    package func forEachCanonicalPart(
        inside key: JSONNode? = nil, keeping isKept: (CanonicalMember) -> Bool = { _ in true },
        _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) {
        // Recursive, but never deeper than the document's depth limit.
        switch entry.kind {
        case .null, .true, .false, .plainString:
            // A plain string contains nothing that needs an escape, so it is minimal already.
            withText(body)
        case .escapedString:
            var writer = JSONWriter()
            stringBytes.withUnsafeBufferPointer { writer.value(utf8: $0) }
            writer.take().withUnsafeBufferPointer(body)
        case .integer, .decimal:
            if isShortInteger { return withText(body) }
            guard let double else { preconditionFailure("a number has a value") }
            var writer = JSONWriter()
            writer.value(double.isZero ? 0 : double)
            writer.take().withUnsafeBufferPointer(body)
        case .array:
            Self.write("[", body)
            for (position, element) in elements.enumerated() {
                if position > 0 { Self.write(",", body) }
                element.forEachCanonicalPart(inside: key, keeping: isKept, body)
            }
            Self.write("]", body)
        case .object:
            Self.write("{", body)
            var isFirst = true
            for index in sortedKeys {
                let (name, value) = (
                    JSONNode(tape: tape, index: index), JSONNode(tape: tape, index: index + 1)
                )
                let member = CanonicalMember(object: self, key: name, value: value, objectKey: key)
                guard isKept(member) else { continue }
                if !isFirst { Self.write(",", body) }
                isFirst = false
                name.forEachCanonicalPart(body)
                Self.write(":", body)
                value.forEachCanonicalPart(inside: name, keeping: isKept, body)
            }
            Self.write("}", body)
        }
    }

    private static func write(_ sign: StaticString, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        sign.withUTF8Buffer(body)
    }

    /// A member of an object during canonicalization.
    package struct CanonicalMember {
        /// The object.
        package let object: JSONNode
        /// The key.
        package let key: JSONNode
        /// The value.
        package let value: JSONNode
        /// The key of the object, or of the array around it; nil for the outermost object.
        package let objectKey: JSONNode?
    }

    /// Whether the text of a number is the canonical one because it is a short integer.
    private var isShortInteger: Bool {
        guard entry.kind == .integer, entry.end - entry.start <= 15 else { return false }
        return tape.bytes[Int(entry.start)] != UInt8(ascii: "-")
    }

    /// The indices of an object's keys, in the order of their bytes.
    private var sortedKeys: [Int] {
        keyIndices.sorted { first, second in
            JSONNode(tape: tape, index: first).stringBytes
                .lexicographicallyPrecedes(JSONNode(tape: tape, index: second).stringBytes)
        }
    }
}
