extension JSONWriter {
    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ string: String) {
        key(name)
        value(string)
    }

    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ integer: Int) {
        key(name)
        value(integer)
    }

    /// Writes a key and its value, which must be finite.
    package mutating func member(_ name: StaticString, _ double: Double) {
        key(name)
        value(double)
    }

    /// Writes a key and its value.
    package mutating func member(_ name: StaticString, _ bool: Bool) {
        key(name)
        value(bool)
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
