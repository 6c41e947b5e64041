/// Text that equals only text of the same bytes, as it is kept and sent.
///
/// Swift's own `==` takes `é` and `e` with an accent behind it for equal. A change from one to the other would then
/// count as none, or be made without being told.
public protocol VerbatimText: Sendable {
    /// Whether both have the same bytes of UTF-8.
    static func isVerbatim(_ left: Self, _ right: Self) -> Bool
}

extension String: VerbatimText {
    /// Whether both have the same bytes of UTF-8.
    public static func isVerbatim(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return withBytes(of: left, right) { $0.firstDifference(from: $1) == nil }
    }

    /// Whether the bytes of one text come before those of another.
    static func precedes(_ left: String, _ right: String) -> Bool {
        withBytes(of: left, right) { left, right in
            guard let place = left.firstDifference(from: right) else { return left.count < right.count }
            return left[place] < right[place]
        }
    }

    /// Texts are compared where they lie: byte by byte through a view costs ten times as much.
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
    /// The first place at which two texts differ, eight bytes at a time; nil where one is the beginning of the other.
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
    /// Whether both are nil, or have the same bytes of UTF-8.
    public static func isVerbatim(_ left: Wrapped?, _ right: Wrapped?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): Wrapped.isVerbatim(left, right)
        default: false
        }
    }
}

/// A field that holds text and makes what it belongs to compare by bytes.
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

/// Text as a key that only text of the same bytes finds.
package struct TextKey: Hashable, Sendable {
    /// The text.
    package let text: String

    /// Makes a key.
    package init(_ text: String) { self.text = text }

    package static func == (left: TextKey, right: TextKey) -> Bool {
        String.isVerbatim(left.text, right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
