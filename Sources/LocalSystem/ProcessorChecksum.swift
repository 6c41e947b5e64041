import CSystemShim

/// CRC-32C as the processor computes it.
package enum ProcessorChecksum {
    /// Whether this processor does.
    package static let isAvailable = shim_has_crc32c() != 0

    /// The remainder after more bytes, bits not inverted. To ask where it is not available traps.
    package static func remainder(_ remainder: UInt32, after bytes: UnsafeRawBufferPointer) -> UInt32 {
        precondition(isAvailable, "this processor has no CRC-32C")
        return shim_crc32c(remainder, bytes.baseAddress, bytes.count)
    }
}
