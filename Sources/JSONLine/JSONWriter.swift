/// Builds JSON text in memory, without white space. It sets the commas; it does not look for keys used twice.
///
/// Containers nest up to 64 deep. A value without a key in an object, a key in an array, an end that does not fit
/// its beginning and a second value on a line are the caller's bugs and trap in debug builds.
package struct JSONWriter: Sendable {
    /// What has been written so far.
    package private(set) var bytes: [UInt8]

    /// Whether the next key or value comes after another one in the same container.
    private var needsComma = false

    /// The open containers, the innermost in the lowest bit, which is set for an object.
    private var containers: UInt64 = 0
    private var depth = 0

    /// Starts empty, with room for `capacity` bytes.
    package init(reserving capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Opens an object, as a value.
    package mutating func beginObject() { open(UInt8(ascii: "{"), isObject: true) }

    /// Closes the innermost container, an object.
    package mutating func endObject() { close(UInt8(ascii: "}"), isObject: true) }

    /// Opens an array, as a value.
    package mutating func beginArray() { open(UInt8(ascii: "["), isObject: false) }

    /// Closes the innermost container, an array.
    package mutating func endArray() { close(UInt8(ascii: "]"), isObject: false) }

    /// Writes the key of the member whose value comes next.
    package mutating func key(_ name: StaticString) {
        name.withUTF8Buffer { name in
            assert(
                ByteScan.endOfUnescapedText(in: name, from: 0) == name.count, "a key of ours needs no escape")
            assert(isInObject && !isAfterKey, "a key belongs in an object, before its value")
            // All at once: the array is asked for room once.
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count + 4) { text in
                var end = 0
                func put(_ byte: UInt8) {
                    text[end] = byte
                    end += 1
                }
                if needsComma { put(UInt8(ascii: ",")) }
                put(UInt8(ascii: "\""))
                for byte in name { put(byte) }
                put(UInt8(ascii: "\""))
                put(UInt8(ascii: ":"))
                bytes.append(contentsOf: text[..<end])
            }
            needsComma = false
        }
    }

    /// Writes the key of the member whose value comes next.
    package mutating func key(_ name: String) {
        var name = name
        name.withUTF8 { key(utf8: $0) }
    }

    /// Writes a string.
    package mutating func value(_ string: String) {
        var string = string
        string.withUTF8 { value(utf8: $0) }
    }

    /// Writes a string of characters that need no escape, appended by the caller: ids, dates, numbers as text.
    package mutating func plainString(_ body: (inout [UInt8]) -> Void) {
        beginValue()
        bytes.append(UInt8(ascii: "\""))
        body(&bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes an integer.
    package mutating func value(_ integer: Int) {
        beginValue()
        appendDecimal(integer)
    }

    /// Writes a finite number in the shortest text that reads back as the same double: `100`, `0.1`, `1e+300`.
    package mutating func value(_ double: Double) {
        precondition(double.isFinite, "JSON has no text for infinity or NaN")
        beginValue()
        if double.magnitude < 0x1p53, double == Double(Int(double)) {
            if double.isZero, double.sign == .minus { bytes.append(UInt8(ascii: "-")) }
            appendDecimal(Int(double))
        } else {
            bytes.append(contentsOf: double.description.utf8)
        }
    }

    /// Writes `true` or `false`.
    package mutating func value(_ bool: Bool) {
        beginValue()
        append(bool ? "true" : "false")
    }

    /// Writes `null`.
    package mutating func null() {
        beginValue()
        append("null")
    }

    /// Places one complete value that is JSON text already; it is not checked.
    package mutating func raw(_ json: [UInt8]) {
        beginValue()
        bytes.append(contentsOf: json)
    }

    /// Places one complete value that is JSON text already; it is not checked.
    package mutating func raw(_ json: ArraySlice<UInt8>) {
        beginValue()
        bytes.append(contentsOf: json)
    }

    /// Ends the line; another value may follow on the next.
    package mutating func endLine() {
        assert(depth == 0, "a container is still open")
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Bytes that are written so far.
    package var byteCount: Int { bytes.count }

    /// The bytes so far, with containers still open: the beginning of a line whose rest is encoded elsewhere.
    package consuming func unfinished() -> [UInt8] { bytes }

    /// Hands over the bytes; the writer is then empty, with nothing reserved.
    package mutating func take() -> [UInt8] {
        assert(depth == 0, "a container is still open")
        needsComma = false
        let taken = bytes
        bytes = []
        return taken
    }
}

extension JSONWriter {
    mutating func key(utf8 name: UnsafeBufferPointer<UInt8>) {
        beginKey()
        appendQuoted(name)
        bytes.append(UInt8(ascii: ":"))
    }

    fileprivate mutating func beginKey() {
        assert(isInObject && !isAfterKey, "a key belongs in an object, before its value")
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    mutating func value(utf8 text: UnsafeBufferPointer<UInt8>) {
        beginValue()
        appendQuoted(text)
    }

    private var isInObject: Bool { depth > 0 && containers & 1 == 1 }

    /// No value ends in a colon: strings end in their quote.
    private var isAfterKey: Bool { bytes.last == UInt8(ascii: ":") }

    private mutating func beginValue() {
        assert(!isInObject || isAfterKey, "a value in an object needs a key")
        assert(depth > 0 || !needsComma, "a line holds one value")
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func open(_ byte: UInt8, isObject: Bool) {
        beginValue()
        precondition(depth < UInt64.bitWidth, "containers are nested too deep")
        bytes.append(byte)
        containers = containers << 1 | (isObject ? 1 : 0)
        depth += 1
        needsComma = false
    }

    private mutating func close(_ byte: UInt8, isObject: Bool) {
        assert(depth > 0 && isInObject == isObject, "this is not the container that is open")
        assert(!isInObject || !isAfterKey, "a key has no value")
        bytes.append(byte)
        containers >>= 1
        depth -= 1
        needsComma = true
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Runs that need no escape are copied whole.
    private mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var index = 0
        while index < text.count {
            let end = ByteScan.endOfUnescapedText(in: text, from: index)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[index..<end]))
            index = end
            if index < text.count {
                JSONEscape.append(text[index], to: &bytes)
                index += 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendDecimal(_ integer: Int) {
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = integer.magnitude
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
            rest = quotient
        } while rest > 0
        var (low, high) = (start, bytes.count - 1)
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }
}
