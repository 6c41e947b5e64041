/// Parses one JSON value strictly into a tape of entries.
///
/// There is no recursion and no stack: an open container's entry holds its parent's index in `next` until it
/// is closed. Single bytes are read through `current`, which is 0 past the end. Because NUL is never legal in
/// JSON, the end needs no separate check, except for the error message.
struct JSONParser {
    let input: UnsafeBufferPointer<UInt8>
    let maximumDepth: Int
    var position = 0
    var entries: [JSONTape.Entry] = []

    /// The keys of all open objects, the innermost object's last: `fingerprint << 32 | entry index`.
    var openKeys: [UInt64] = []

    private var innermost = noContainer
    private var depth = 0

    private static let noContainer = UInt32.max

    init(input: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.input = input
        self.maximumDepth = maximumDepth
        // Estimated from requests and snapshots: about one entry per eight bytes.
        entries.reserveCapacity(input.count / 8 + 4)
        openKeys.reserveCapacity(min(input.count / 8, 16))
    }

    mutating func parse() throws(JSONSyntaxError) -> [JSONTape.Entry] {
        if input.count >= 3, input[0] == 0xEF, input[1] == 0xBB, input[2] == 0xBF {
            throw JSONSyntaxError(.byteOrderMark, at: 0)
        }
        skipSpace()
        if position == input.count { throw JSONSyntaxError(.emptyInput, at: position) }

        var isValueNext = true
        while isValueNext {
            let isOpened = try scanValue()
            if !isOpened { isValueNext = try advanceToNextValue() }
        }

        skipSpace()
        if position < input.count { throw unexpected(.trailingBytes) }
        return entries
    }

    // MARK: Bytes

    @inline(__always)
    var current: UInt8 { position < input.count ? input[position] : 0 }

    @inline(__always)
    mutating func skipSpace() {
        while true {
            switch current {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): position += 1
            default: return
            }
        }
    }

    /// The error for the byte at `position`: `reason`, unless the byte would be invalid anywhere.
    func unexpected(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        if position >= input.count { return JSONSyntaxError(.unexpectedEnd, at: input.count) }
        if current < 0x20 { return JSONSyntaxError(.controlByte, at: position) }
        if current >= 0x80, UTF8Sequence.length(in: input, at: position) == nil {
            return JSONSyntaxError(.invalidUTF8, at: position)
        }
        return JSONSyntaxError(reason, at: position)
    }

    // MARK: Structure

    /// Parses a scalar or an empty container, or opens a container and stops at its first value.
    ///
    /// - Returns: whether a container was opened.
    private mutating func scanValue() throws(JSONSyntaxError) -> Bool {
        switch current {
        case UInt8(ascii: "\""):
            try scanString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try scanNumber()
        case UInt8(ascii: "{"):
            return try openContainer(.object)
        case UInt8(ascii: "["):
            return try openContainer(.array)
        case UInt8(ascii: "t"):
            try scanLiteral("true", .true)
        case UInt8(ascii: "f"):
            try scanLiteral("false", .false)
        case UInt8(ascii: "n"):
            try scanLiteral("null", .null)
        case UInt8(ascii: "+"), UInt8(ascii: "."):
            throw unexpected(.invalidNumber)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
            throw unexpected(.invalidLiteral)
        default:
            throw unexpected(.valueExpected)
        }
        return false
    }

    private mutating func openContainer(_ kind: JSONTape.Kind) throws(JSONSyntaxError) -> Bool {
        guard depth < maximumDepth else { throw JSONSyntaxError(.tooDeep, at: position) }
        depth += 1
        let parent = innermost
        innermost = UInt32(truncatingIfNeeded: entries.count)
        let start = UInt32(truncatingIfNeeded: position)
        entries.append(JSONTape.Entry(kind: kind, start: start, end: start, next: parent, count: 0))
        position += 1
        skipSpace()
        if current == Self.closingByte(of: kind) {
            closeContainer()
            return false
        }
        try beginItem(of: Int(innermost), kind)
        return true
    }

    /// Advances from the end of a value to the start of the next one, and closes containers on the way.
    ///
    /// - Returns: false if no container is open any more.
    private mutating func advanceToNextValue() throws(JSONSyntaxError) -> Bool {
        while innermost != Self.noContainer {
            let container = Int(innermost)
            let kind = entries[container].kind
            let closing = Self.closingByte(of: kind)
            skipSpace()
            switch current {
            case UInt8(ascii: ","):
                let comma = position
                position += 1
                skipSpace()
                if current == closing { throw JSONSyntaxError(.trailingComma, at: comma) }
                try beginItem(of: container, kind)
                return true
            case closing:
                if kind == .object {
                    try closeKeys(Int(entries[container].count))
                }
                closeContainer()
            default:
                throw unexpected(.commaOrEndExpected)
            }
        }
        return false
    }

    /// Counts an item of a container, and in an object parses its key and the colon.
    private mutating func beginItem(of container: Int, _ kind: JSONTape.Kind) throws(JSONSyntaxError) {
        entries[container].count += 1
        guard kind == .object else { return }
        guard current == UInt8(ascii: "\"") else { throw unexpected(.keyExpected) }
        try scanString()
        rememberKey()
        skipSpace()
        guard current == UInt8(ascii: ":") else { throw unexpected(.colonExpected) }
        position += 1
        skipSpace()
    }

    private mutating func closeContainer() {
        position += 1
        let container = Int(innermost)
        innermost = entries[container].next
        entries[container].end = UInt32(truncatingIfNeeded: position)
        entries[container].next = UInt32(truncatingIfNeeded: entries.count)
        depth -= 1
    }

    @inline(__always)
    private static func closingByte(of kind: JSONTape.Kind) -> UInt8 {
        kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
    }
}

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

extension JSONParser {
    /// Appends an entry without children for the text from `start` to `position`.
    @inline(__always)
    private mutating func appendScalar(_ kind: JSONTape.Kind, from start: Int) {
        entries.append(
            JSONTape.Entry(
                kind: kind,
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: position),
                next: UInt32(truncatingIfNeeded: entries.count + 1),
                count: 0))
    }

    mutating func scanLiteral(_ text: StaticString, _ kind: JSONTape.Kind) throws(JSONSyntaxError) {
        let start = position
        for offset in 0..<text.utf8CodeUnitCount {
            guard current == text.utf8Start[offset] else { throw unexpected(.invalidLiteral) }
            position += 1
        }
        appendScalar(kind, from: start)
    }

    // MARK: Strings

    /// Scans a string, a key or a value, from its opening quote on. An accepted string can be unescaped
    /// without a check.
    mutating func scanString() throws(JSONSyntaxError) {
        let start = position
        var kind = JSONTape.Kind.plainString
        position += 1
        while true {
            position = ByteScan.endOfPlainText(in: input, from: position)
            switch current {
            case UInt8(ascii: "\""):
                position += 1
                appendScalar(kind, from: start)
                return
            case UInt8(ascii: "\\"):
                kind = .escapedString
                try scanEscape()
            case 0x80...:
                guard let length = UTF8Sequence.length(in: input, at: position) else {
                    throw JSONSyntaxError(.invalidUTF8, at: position)
                }
                position += length
            default:
                throw unexpected(.controlByte)
            }
        }
    }

    private mutating func scanEscape() throws(JSONSyntaxError) {
        let start = position
        position += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            let unit = try scanHexUnit()
            if UTF16.isTrailSurrogate(unit) { throw JSONSyntaxError(.loneSurrogate, at: start) }
            if UTF16.isLeadSurrogate(unit) { try scanTrailSurrogate(of: start) }
        default:
            throw unexpected(.invalidEscape)
        }
    }

    private mutating func scanTrailSurrogate(of lead: Int) throws(JSONSyntaxError) {
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard position < input.count else { throw unexpected(.loneSurrogate) }
            guard current == expected else { throw JSONSyntaxError(.loneSurrogate, at: lead) }
            position += 1
        }
        if !UTF16.isTrailSurrogate(try scanHexUnit()) { throw JSONSyntaxError(.loneSurrogate, at: lead) }
    }

    private mutating func scanHexUnit() throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = HexDigit.value(of: current) else { throw unexpected(.invalidEscape) }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    // MARK: Numbers

    mutating func scanNumber() throws(JSONSyntaxError) {
        let start = position
        var kind = JSONTape.Kind.integer
        if current == UInt8(ascii: "-") { position += 1 }

        let integerStart = position
        try scanDigits()
        let integerDigits = position - integerStart
        if integerDigits > 1, input[integerStart] == UInt8(ascii: "0") {
            throw JSONSyntaxError(.leadingZero, at: integerStart)
        }

        if current == UInt8(ascii: ".") {
            kind = .decimal
            position += 1
            try scanDigits()
        }

        var exponent = 0
        if current | 0x20 == UInt8(ascii: "e") {
            kind = .decimal
            position += 1
            exponent = try scanExponent()
        }

        // The value is below ten to the power of this sum, so only a few numbers need to be converted for this check.
        if integerDigits + exponent > JSONNumber.safeDecimalExponent {
            let text = UnsafeBufferPointer(rebasing: input[start..<position])
            guard JSONNumber.double(text).isFinite else {
                throw JSONSyntaxError(.numberOutOfRange, at: start)
            }
        }
        appendScalar(kind, from: start)
    }

    /// At least one digit.
    private mutating func scanDigits() throws(JSONSyntaxError) {
        guard JSONNumber.isDigit(current) else { throw unexpected(.invalidNumber) }
        repeat { position += 1 } while JSONNumber.isDigit(current)
    }

    /// The exponent's value, limited so that an addition cannot overflow.
    private mutating func scanExponent() throws(JSONSyntaxError) -> Int {
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { position += 1 }
        let start = position
        try scanDigits()
        let magnitude = JSONNumber.saturatedValue(
            ofDigits: UnsafeBufferPointer(rebasing: input[start..<position]))
        return isNegative ? -magnitude : magnitude
    }
}
