import JSONLine

/// Decodes or encodes the members of an object, so that one description of a message serves both directions.
///
/// A decoder returns the values of its object, and is given nil. An encoder writes and returns the given values.
protocol MemberCoder {
    /// `WireError` for a decoder, `Never` for an encoder.
    associatedtype Failure: Error

    /// A member that must be there.
    mutating func required<Value: WireValue>(_ key: StaticString, _ value: Value?) throws(Failure) -> Value
    /// A member that is missing, or null, without a value.
    mutating func optional<Value: WireValue>(_ key: StaticString, _ value: Value?) throws(Failure) -> Value?
    /// A member that is null without a value.
    mutating func nullable<Value: WireValue>(_ key: StaticString, _ value: Value?) throws(Failure) -> Value?
    /// Checks decoded values; an encoder trusts its own.
    func check(_ body: (Fields) throws(WireError) -> Void) throws(Failure)
}

extension MemberCoder {
    /// A flag that is missing with its usual value.
    mutating func flag(
        _ key: StaticString, _ value: Bool?, usually usual: Bool = false
    ) throws(Failure) -> Bool {
        try optional(key, value == usual ? nil : value) ?? usual
    }

    /// A text or a list that is missing when it is empty.
    mutating func unlessEmpty<Value: WireValue & RangeReplaceableCollection>(
        _ key: StaticString, _ value: Value?
    ) throws(Failure) -> Value {
        try optional(key, value?.isEmpty == true ? nil : value) ?? Value()
    }
}

/// A value of a member.
protocol WireValue {
    /// - Parameter path: its path in the request, for the error.
    init(_ node: JSONNode, at path: FieldPath) throws(WireError)
    func encode(into json: inout JSONWriter)
    /// Writes the value as a member.
    func encode(as key: StaticString, into json: inout JSONWriter)
}

extension WireValue {
    func encode(as key: StaticString, into json: inout JSONWriter) {
        json.key(key)
        encode(into: &json)
    }
}

/// A value that is an object, whose members are described once.
protocol WireObject: WireValue {
    /// - Parameter value: the object to encode; nil to decode one.
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding value: Self?) throws(Coder.Failure)
}

extension WireObject {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        var fields = try Fields(node, path: path)
        self = try Self(&fields, encoding: nil)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        encodeMembers(into: &json)
        json.endObject()
    }

    func encodeMembers(into json: inout JSONWriter) { _ = Self(&json, encoding: self) }
}

extension Fields: MemberCoder {
    func required<Value: WireValue>(
        _ key: StaticString, _: Value? = nil
    ) throws(WireError) -> Value {
        guard let node = node(key) else { throw .invalid(name(key), "it is missing") }
        return try Value(node, at: name(key))
    }

    func optional<Value: WireValue>(
        _ key: StaticString, _: Value? = nil
    ) throws(WireError) -> Value? {
        guard let node = present(key) else { return nil }
        return try Value(node, at: name(key))
    }

    func nullable<Value: WireValue>(_ key: StaticString, _: Value?) throws(WireError) -> Value? {
        try optional(key)
    }

    func check(_ body: (Fields) throws(WireError) -> Void) throws(WireError) { try body(self) }
}

extension JSONWriter: MemberCoder {
    mutating func required<Value: WireValue>(_ key: StaticString, _ value: Value?) -> Value {
        guard let value else { preconditionFailure("a message to encode has all required members") }
        value.encode(as: key, into: &self)
        return value
    }

    mutating func optional<Value: WireValue>(_ key: StaticString, _ value: Value?) -> Value? {
        value.map { required(key, $0) }
    }

    mutating func nullable<Value: WireValue>(_ key: StaticString, _ value: Value?) -> Value? {
        if value == nil {
            self.key(key)
            null()
        }
        return optional(key, value)
    }

    func check(_ body: (Fields) throws(WireError) -> Void) {}
}
