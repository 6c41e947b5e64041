import Synchronization

/// The kind and the fields of an item with what is derived from them, which the trip, its commits and the history share.
package final class SharedContent: Sendable {
    let value: ItemContent
    /// The UTF-8 length of the fields' texts.
    package let textBytes: Int
    private let encoded = Mutex<[UInt8]?>(nil)

    init(_ value: ItemContent) {
        self.value = value
        textBytes = value.textBytes
    }

    /// The encoded fields. Any thread.
    ///
    /// - Parameter encode: encodes them when they are first needed.
    package func encoded(_ encode: (ItemContent) -> [UInt8]) -> [UInt8] {
        encoded.withLock { bytes in
            if let bytes { return bytes }
            let new = encode(value)
            bytes = new
            return new
        }
    }

    /// Frees the encoded fields, which are not needed any more.
    package func dropEncoded() { encoded.withLock { $0 = nil } }
}

extension SharedContent: Equatable {
    package static func == (left: SharedContent, right: SharedContent) -> Bool {
        left === right || left.value == right.value
    }
}
