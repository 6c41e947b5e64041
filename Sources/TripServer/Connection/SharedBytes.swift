/// Bytes that several connections may be sent: made once, held once, and counted once however many wait for them.
final class SharedBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// How many connections hold each of the bytes that are shared.
struct SharedBytesCount {
    private var holders: [ObjectIdentifier: Int] = [:]
    /// Bytes of all, each counted once.
    private(set) var byteCount = 0

    /// Takes note of what a connection holds now, instead of what it held before.
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
                preconditionFailure("what a connection lets go of, it held")
            }
            holders[ObjectIdentifier(shared)] = count == 1 ? nil : count - 1
            if count == 1 { byteCount -= shared.bytes.count }
        }
    }
}
