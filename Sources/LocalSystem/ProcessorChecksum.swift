import CSystemShim

/// CRC-32C as computed by the processor.
package enum ProcessorChecksum {
    /// Whether this processor has the instruction.
    package static let isAvailable = shim_has_crc32c() != 0

    /// The remainder after more bytes, without inverted bits. Traps if it is not available.
    package static func remainder(_ remainder: UInt32, after bytes: UnsafeRawBufferPointer) -> UInt32 {
        precondition(isAvailable, "this processor has no CRC-32C")
        return shim_crc32c(remainder, bytes.baseAddress, bytes.count)
    }
}
