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

    /// Starts in an object of which something is written: the brace and one member at least, with room for `capacity`
    /// bytes.
    package init(inside head: StaticString, reserving capacity: Int) {
        self.init(reserving: capacity)
        bytes.append(addingCapacity: head.utf8CodeUnitCount) { output in
            head.withUTF8Buffer { output.append(copying: $0) }
        }
        (containers, depth, needsComma) = (1, 1, true)
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
        write(name, room: 0) { _ in }
        needsComma = false
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

    /// Writes a string of characters that need no escape: ids, dates, numbers as text.
    ///
    /// - Parameter count: the characters that `body` writes at most.
    package mutating func plainString(_ count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        write(room: count + 2) { $0.appendQuoted(body) }
    }

    /// Writes several members behind the first of an object, of numbers and plain strings, by the methods of its span.
    ///
    /// - Parameter room: the bytes that `body` writes at most.
    package mutating func members(room: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        assert(isInObject && !isAfterKey && needsComma, "the first member is written by itself")
        bytes.append(addingCapacity: room, initializingWith: body)
    }

    /// Writes an integer.
    package mutating func value(_ integer: Int) {
        write(room: OutputSpan<UInt8>.integerBytes) { $0.appendDecimal(integer) }
    }

    /// Writes a finite number in the shortest text that reads back as the same double: `100`, `0.1`, `1e+300`.
    package mutating func value(_ double: Double) {
        write(room: OutputSpan<UInt8>.doubleBytes) { $0.appendShortest(double) }
    }

    /// Writes `true` or `false`.
    package mutating func value(_ bool: Bool) { write(bool ? "true" : "false") }

    /// Writes `null`.
    package mutating func null() { write("null") }

    /// Places one complete value that is JSON text already; it is not checked.
    package mutating func raw(_ json: [UInt8]) {
        json.withUnsafeBufferPointer { json in write(room: json.count) { $0.append(copying: json) } }
    }

    /// Places one complete value that is JSON text already; it is not checked.
    package mutating func raw(_ json: ArraySlice<UInt8>) {
        json.withUnsafeBufferPointer { json in write(room: json.count) { $0.append(copying: json) } }
    }

    /// Leaves out members or elements of the innermost container that are encoded elsewhere: one at least, unless
    /// nothing follows them.
    ///
    /// - Returns: where they belong, in bytes.
    package mutating func gap() -> Int {
        assert(depth > 0 && !isAfterKey, "members and elements belong in a container")
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        return bytes.count
    }

    /// Places members of an object, one at least, that are JSON text already; they are not checked.
    package mutating func raw(members: [UInt8]) {
        _ = gap()
        bytes += members
    }

    /// The members that `body` writes, without the braces around them.
    ///
    /// - Parameter capacity: bytes that they will have, about.
    package static func members(
        reserving capacity: Int = 256, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        inside(isObject: true, reserving: capacity, body)
    }

    /// The elements that `body` writes, without the brackets around them.
    ///
    /// - Parameter capacity: bytes that they will have, about.
    package static func elements(
        reserving capacity: Int = 256, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        inside(isObject: false, reserving: capacity, body)
    }

    private static func inside(
        isObject: Bool, reserving capacity: Int, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(reserving: capacity)
        (json.containers, json.depth) = (isObject ? 1 : 0, 1)
        body(&json)
        assert(json.depth == 1, "a container is still open")
        return json.bytes
    }

    /// Ends the line; another value may follow on the next.
    package mutating func endLine() {
        assert(depth == 0, "a container is still open")
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Bytes that are written so far.
    package var byteCount: Int { bytes.count }

    /// Hands over the bytes; the writer is then empty, with nothing reserved.
    package mutating func take() -> [UInt8] {
        assert(depth == 0, "a container is still open")
        needsComma = false
        let taken = bytes
        bytes = []
        return taken
    }
}

// Whatever is written asks the array for room once, however many parts it has.
extension JSONWriter {
    /// Writes the key of a member and its value, which takes `room` bytes at most.
    @inline(__always)
    mutating func write(_ name: StaticString, room: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        assert(isPlain(name), "a key of ours needs no escape")
        assert(isInObject && !isAfterKey, "a key belongs in an object, before its value")
        let comma = needsComma
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4 + room) { output in
            output.appendKey(name, after: comma)
            body(&output)
        }
        needsComma = true
    }

    /// Writes a value that takes `room` bytes at most.
    @inline(__always)
    private mutating func write(room: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        assert(!isInObject || isAfterKey, "a value in an object needs a key")
        assert(depth > 0 || !needsComma, "a line holds one value")
        let comma = needsComma
        bytes.append(addingCapacity: room + 1) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            body(&output)
        }
        needsComma = true
    }

    private mutating func write(_ word: StaticString) {
        write(room: word.utf8CodeUnitCount) { output in word.withUTF8Buffer { output.append(copying: $0) } }
    }

    mutating func key(utf8 name: UnsafeBufferPointer<UInt8>) {
        assert(isInObject && !isAfterKey, "a key belongs in an object, before its value")
        write(escaping: name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func value(utf8 text: UnsafeBufferPointer<UInt8>) {
        assert(!isInObject || isAfterKey, "a value in an object needs a key")
        assert(depth > 0 || !needsComma, "a line holds one value")
        write(escaping: text)
    }

    /// Writes a key and a string.
    mutating func member(_ name: StaticString, utf8 text: UnsafeBufferPointer<UInt8>) {
        guard ByteScan.endOfUnescapedText(in: text, from: 0) == text.count else {
            key(name)
            return value(utf8: text)
        }
        write(name, room: text.count + 2) { output in output.appendQuoted { $0.append(copying: text) } }
    }

    private var isInObject: Bool { depth > 0 && containers & 1 == 1 }

    /// No value ends in a colon: strings end in their quote.
    private var isAfterKey: Bool { bytes.last == UInt8(ascii: ":") }

    private func isPlain(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { ByteScan.endOfUnescapedText(in: $0, from: 0) == $0.count }
    }

    private mutating func open(_ byte: UInt8, isObject: Bool) {
        precondition(depth < UInt64.bitWidth, "containers are nested too deep")
        write(room: 1) { $0.append(byte) }
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

    /// Writes a string, the comma before it where one is due. Runs that need no escape are copied whole.
    private mutating func write(escaping text: UnsafeBufferPointer<UInt8>) {
        var index = ByteScan.endOfUnescapedText(in: text, from: 0)
        let comma = needsComma
        needsComma = true
        bytes.append(addingCapacity: text.count + 3) { output in
            if comma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            output.append(copying: UnsafeBufferPointer(rebasing: text[..<index]))
        }
        while index < text.count {
            JSONEscape.append(text[index], to: &bytes)
            index += 1
            let end = ByteScan.endOfUnescapedText(in: text, from: index)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[index..<end]))
            index = end
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONWriter {
    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ string: String) {
        var string = string
        string.withUTF8 { member(name, utf8: $0) }
    }

    /// Writes a key and a text of ours that needs no escape.
    package mutating func member(_ name: StaticString, plain text: StaticString) {
        assert(isPlain(text), "it needs no escape")
        write(name, room: text.utf8CodeUnitCount + 2) { output in
            output.appendQuoted { output in text.withUTF8Buffer { output.append(copying: $0) } }
        }
    }

    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ integer: Int) {
        write(name, room: OutputSpan<UInt8>.integerBytes) { $0.appendDecimal(integer) }
    }

    /// Writes a key and its value, which must be finite.
    package mutating func member(_ name: StaticString, _ double: Double) {
        write(name, room: OutputSpan<UInt8>.doubleBytes) { $0.appendShortest(double) }
    }

    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ bool: Bool) {
        key(name)
        value(bool)
    }

    /// Writes a key and a string of characters that need no escape: ids, dates, numbers as text.
    ///
    /// - Parameter count: the characters that `body` writes at most.
    package mutating func member(
        _ name: StaticString, plain count: Int, _ body: (inout OutputSpan<UInt8>) -> Void
    ) {
        write(name, room: count + 2) { $0.appendQuoted(body) }
    }

    /// Writes a key and its value, or nothing for nil.
    package mutating func member(_ name: StaticString, _ string: String?) {
        if let string { member(name, string) }
    }

    /// Writes a key and its value, or nothing for nil.
    package mutating func member(_ name: StaticString, _ integer: Int?) {
        if let integer { member(name, integer) }
    }

    /// Writes a key and its value, which must be finite, or nothing for nil.
    package mutating func member(_ name: StaticString, _ double: Double?) {
        if let double { member(name, double) }
    }

    /// Writes a key and its value, or nothing for nil.
    package mutating func member(_ name: StaticString, _ bool: Bool?) {
        if let bool { member(name, bool) }
    }
}
