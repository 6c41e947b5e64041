/// Encoded bytes that are sent to several connections: stored once, and counted once.
final class SharedBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Counts the connections that hold each `SharedBytes`.
struct SharedBytesCount {
    private var holders: [ObjectIdentifier: Int] = [:]
    /// The total size, each object counted once.
    private(set) var byteCount = 0

    /// Updates the objects that a connection holds.
    mutating func replace(_ old: [SharedBytes], with new: [SharedBytes]) {
        for shared in new {
            if holders.updateValue(
                holders[ObjectIdentifier(shared), default: 0] + 1, forKey: ObjectIdentifier(shared))
                == nil
            {
                byteCount += shared.bytes.count
            }
        }
        for shared in old {
            guard let count = holders[ObjectIdentifier(shared)] else {
                preconditionFailure("only held bytes are released")
            }
            holders[ObjectIdentifier(shared)] = count == 1 ? nil : count - 1
            if count == 1 { byteCount -= shared.bytes.count }
        }
    }
}
