/// Builds JSON text in memory without white space. It writes the commas; it does not check for duplicate keys.
///
/// Containers nest up to 64 deep. Misuse traps in debug builds: a value without a key in an object, a key in an array,
/// an unmatched end, or a second value on a line.
package struct JSONWriter: Sendable {
    /// The text written so far.
    package private(set) var bytes: [UInt8]

    /// True if the next key or value follows another one in the same container.
    private var needsComma = false

    /// The open containers, the innermost in the lowest bit, which is set for an object.
    private var containers: UInt64 = 0
    private var depth = 0

    /// Starts empty, with capacity for `capacity` bytes.
    package init(reserving capacity: Int = 256) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Starts inside an object that is partly written: the brace and at least one member.
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

    /// Ends the innermost object with the members of another one, which has at least one.
    package mutating func endObject(withMembersOf object: [UInt8]) {
        assert(depth > 0 && isInObject && needsComma, "the first member is written by itself")
        bytes.append(UInt8(ascii: ","))
        bytes += object.dropFirst()
        containers >>= 1
        depth -= 1
    }

    /// Opens an array, as a value.
    package mutating func beginArray() { open(UInt8(ascii: "["), isObject: false) }

    /// Closes the innermost container, an array.
    package mutating func endArray() { close(UInt8(ascii: "]"), isObject: false) }

    /// Writes the key of the next value's member.
    package mutating func key(_ name: StaticString) {
        write(name, room: 0) { _ in }
        needsComma = false
    }

    /// Writes the key of the next value's member. It may need escapes, unlike the keys of the protocol.
    package mutating func key(escaping name: String) {
        var name = name
        name.withUTF8 { key(utf8: $0) }
    }

    /// Writes a string.
    package mutating func value(_ string: String) {
        var string = string
        string.withUTF8 { value(utf8: $0) }
    }

    /// Writes a string that needs no escapes, such as an id, a date or a number.
    ///
    /// - Parameter count: the maximum number of characters that `body` writes.
    package mutating func plainString(_ count: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        write(room: count + 2) { $0.appendQuoted(body) }
    }

    /// Writes several further members of an object, which are numbers and plain strings, by the methods of its span.
    ///
    /// - Parameter room: the maximum number of bytes that `body` writes.
    package mutating func members(room: Int, _ body: (inout OutputSpan<UInt8>) -> Void) {
        assert(isInObject && !isAfterKey && needsComma, "the first member is written by itself")
        bytes.append(addingCapacity: room, initializingWith: body)
    }

    /// Writes an integer.
    package mutating func value(_ integer: Int) {
        write(room: OutputSpan<UInt8>.integerBytes) { $0.appendDecimal(integer) }
    }

    /// Writes a finite number in the shortest text that gives the same double: `100`, `0.1`, `1e+300`.
    package mutating func value(_ double: Double) {
        write(room: OutputSpan<UInt8>.doubleBytes) { $0.appendShortest(double) }
    }

    /// Writes `true` or `false`.
    package mutating func value(_ bool: Bool) { write(bool ? "true" : "false") }

    /// Writes `null`.
    package mutating func null() { write("null") }

    /// Writes one complete value that is already JSON text; it is not checked.
    package mutating func raw(_ json: [UInt8]) {
        json.withUnsafeBufferPointer { json in write(room: json.count) { $0.append(copying: json) } }
    }

    /// Writes one complete value that is already JSON text; it is not checked.
    package mutating func raw(_ json: ArraySlice<UInt8>) {
        json.withUnsafeBufferPointer { json in write(room: json.count) { $0.append(copying: json) } }
    }

    /// Writes an object that is already JSON text but for its closing brace; it is not checked.
    package mutating func raw(unclosed object: ArraySlice<UInt8>) {
        object.withUnsafeBufferPointer { object in
            write(room: object.count + 1) { output in
                output.append(copying: object)
                output.append(UInt8(ascii: "}"))
            }
        }
    }

    /// Leaves a gap for members or elements of the innermost container that are encoded separately. There
    /// must be at least one, unless nothing follows.
    ///
    /// - Returns: the byte offset of the gap.
    package mutating func gap() -> Int {
        assert(depth > 0 && !isAfterKey, "members and elements belong in a container")
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
        return bytes.count
    }

    /// Writes members of an object, at least one, that are already JSON text; they are not checked.
    package mutating func raw(members: [UInt8]) {
        _ = gap()
        bytes += members
    }

    /// The members that `body` writes, without braces.
    ///
    /// - Parameter capacity: their approximate size in bytes.
    package static func members(
        reserving capacity: Int = 256, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        inside(isObject: true, reserving: capacity, body)
    }

    /// The elements that `body` writes, without brackets.
    ///
    /// - Parameter capacity: their approximate size in bytes.
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

    /// Ends the line; another value may follow on the next one.
    package mutating func endLine() {
        assert(depth == 0, "a container is still open")
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// The number of bytes written so far.
    package var byteCount: Int { bytes.count }

    /// Returns the bytes and resets the writer.
    package mutating func take() -> [UInt8] {
        assert(depth == 0, "a container is still open")
        needsComma = false
        let taken = bytes
        bytes = []
        return taken
    }
}

// Every write reserves the array's capacity once, however many parts it has.
extension JSONWriter {
    /// Writes a member whose value has at most `room` bytes.
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

    /// Writes a value of at most `room` bytes.
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

    /// No value ends in a colon, because strings end in a quote.
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

    /// Writes a string with a comma if needed. Runs without escapes are copied whole.
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

    /// Writes a key and a constant text that needs no escape.
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

    /// Writes a key and a string that needs no escapes, such as an id, a date or a number.
    ///
    /// - Parameter count: the maximum number of characters that `body` writes.
    package mutating func member(
        _ name: StaticString, plain count: Int, _ body: (inout OutputSpan<UInt8>) -> Void
    ) {
        write(name, room: count + 2) { $0.appendQuoted(body) }
    }

    /// Writes a key and an array; `write` writes each element.
    package mutating func array<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
    ) {
        key(name)
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }

    /// Writes a key and an array of objects; `write` writes the members of each.
    package mutating func objects<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
    ) {
        array(name, elements) { element, writer in
            writer.beginObject()
            write(element, &writer)
            writer.endObject()
        }
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
