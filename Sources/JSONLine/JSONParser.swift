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
