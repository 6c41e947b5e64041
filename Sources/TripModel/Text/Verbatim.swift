/// Text that is compared by its bytes.
///
/// Swift's `==` treats `é` and `e` with a combining accent as equal. A change from one to the other would
/// then be lost or not reported.
public protocol VerbatimText: Sendable {
    /// Whether both have the same UTF-8 bytes.
    static func isVerbatim(_ left: Self, _ right: Self) -> Bool
}

extension String: VerbatimText {
    /// Whether both have the same UTF-8 bytes.
    public static func isVerbatim(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return withBytes(of: left, right) { $0.firstDifference(from: $1) == nil }
    }

    /// Whether one text sorts before another by bytes.
    static func precedes(_ left: String, _ right: String) -> Bool {
        withBytes(of: left, right) { left, right in
            guard let place = left.firstDifference(from: right) else { return left.count < right.count }
            return left[place] < right[place]
        }
    }

    /// Gives direct access to the bytes: comparing through a view is ten times slower.
    private static func withBytes<Value>(
        of left: String, _ right: String, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Value
    ) -> Value {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { body(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The offset of the first difference, searched eight bytes at a time; nil if one text is a prefix of the
    /// other.
    fileprivate func firstDifference(from other: UnsafeRawBufferPointer) -> Int? {
        let count = Swift.min(count, other.count)
        var place = 0
        while place + 8 <= count {
            let difference =
                loadUnaligned(fromByteOffset: place, as: UInt64.self)
                ^ other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            if difference != 0 { return place + UInt64(littleEndian: difference).trailingZeroBitCount / 8 }
            place += 8
        }
        while place < count {
            if self[place] != other[place] { return place }
            place += 1
        }
        return nil
    }
}

extension Optional: VerbatimText where Wrapped: VerbatimText {
    /// Whether both are nil or have the same UTF-8 bytes.
    public static func isVerbatim(_ left: Wrapped?, _ right: Wrapped?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): Wrapped.isVerbatim(left, right)
        default: false
        }
    }
}

/// A text property whose owner compares it by its bytes.
@propertyWrapper public struct Verbatim<Value: VerbatimText>: Equatable, Sendable {
    /// The text.
    public var wrappedValue: Value

    /// Wraps text.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    /// Whether both have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        Value.isVerbatim(left.wrappedValue, right.wrappedValue)
    }
}

/// A text as a dictionary key that is compared by its bytes.
package struct TextKey: Hashable, Sendable {
    /// The text.
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: TextKey, right: TextKey) -> Bool {
        String.isVerbatim(left.text, right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
