extension JSONParser {
    /// Up to this number of keys all pairs are compared, which is faster than sorting.
    private static let pairwiseLimit = 16

    /// Records the key whose entry was appended last.
    mutating func rememberKey() {
        let index = entries.count - 1
        let fingerprint = Self.withText(ofString: entries[index], in: input) { Self.fingerprint($0) }
        openKeys.append(UInt64(fingerprint) << 32 | UInt64(index))
    }

    /// Refuses an object with a duplicate key, and removes its keys. They are the last `count` of the open
    /// ones, because every inner object has been closed before.
    mutating func closeKeys(_ count: Int) throws(JSONSyntaxError) {
        let first = openKeys.count - count
        let duplicate =
            count <= Self.pairwiseLimit ? duplicateByPairs(from: first) : duplicateBySorting(from: first)
        if let duplicate { throw JSONSyntaxError(.duplicateKey, at: duplicate) }
        openKeys.removeLast(count)
    }

    private func duplicateByPairs(from first: Int) -> Int? {
        for later in first..<openKeys.count {
            for earlier in first..<later
            where openKeys[later] >> 32 == openKeys[earlier] >> 32
                && text(ofKey: openKeys[later]) == text(ofKey: openKeys[earlier])
            {
                return offset(ofKey: openKeys[later])
            }
        }
        return nil
    }

    /// Sorts keys by fingerprint, and those with the same fingerprint by text, so that no choice of keys
    /// makes this quadratic.
    private mutating func duplicateBySorting(from first: Int) -> Int? {
        openKeys.withUnsafeMutableBufferPointer { $0[first...].sort() }
        var duplicate: Int?
        var start = first
        while start < openKeys.count {
            var end = start + 1
            while end < openKeys.count, openKeys[end] >> 32 == openKeys[start] >> 32 { end += 1 }
            if end - start > 1, let found = firstRepetition(among: openKeys[start..<end]) {
                duplicate = min(found, duplicate ?? found)
            }
            start = end
        }
        return duplicate
    }

    private func firstRepetition(among keys: ArraySlice<UInt64>) -> Int? {
        let texts = keys.map { (text: text(ofKey: $0), offset: offset(ofKey: $0)) }
            .sorted { left, right in
                left.text == right.text
                    ? left.offset < right.offset : left.text.lexicographicallyPrecedes(right.text)
            }
        return zip(texts, texts.dropFirst()).lazy
            .filter { $0.text == $1.text }.map { $1.offset }.min()
    }

    private func text(ofKey key: UInt64) -> [UInt8] {
        Self.withText(ofString: entries[Int(truncatingIfNeeded: key & 0xFFFF_FFFF)], in: input) { Array($0) }
    }

    private func offset(ofKey key: UInt64) -> Int {
        Int(entries[Int(truncatingIfNeeded: key & 0xFFFF_FFFF)].start)
    }

    @inline(__always)
    private static func withText<Result>(
        ofString entry: JSONTape.Entry, in input: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let raw = UnsafeBufferPointer(rebasing: input[Int(entry.start) + 1..<Int(entry.end) - 1])
        guard entry.kind == .escapedString else { return body(raw) }
        return JSONEscape.unescaped(raw).withUnsafeBufferPointer(body)
    }

    /// Random per process, so that nobody can choose many keys with the same fingerprint, whose texts must be compared.
    private static let seed = UInt64.random(in: .min ... .max)

    /// Equal texts have equal fingerprints. Collisions affect only the speed.
    @inline(__always)
    private static func fingerprint(_ text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let bytes = UnsafeRawBufferPointer(text)
        var hash = seed ^ UInt64(bytes.count)
        var index = 0
        while index + 8 <= bytes.count {
            hash =
                (hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            index += 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index += 1
        }
        hash = (hash ^ rest) &* 0x9E37_79B9_7F4A_7C15
        return UInt32(truncatingIfNeeded: hash >> 32)
    }
}
