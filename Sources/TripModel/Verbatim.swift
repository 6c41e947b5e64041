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
        left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
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
