import LocalSystem

/// A running CRC-32C (Castagnoli), eight bytes per step, computed by the processor if possible and otherwise by tables.
package struct CRC32C: Equatable, Sendable {
    private var remainder: UInt32

    /// The checksum of zero bytes.
    package init() { self.init(continuing: 0) }

    /// Continues the checksum `value` of the preceding bytes.
    package init(continuing value: UInt32) { remainder = ~value }

    /// The checksum of all bytes so far.
    package var value: UInt32 { ~remainder }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard ProcessorChecksum.isAvailable else { return updateByTables(bytes) }
        remainder = ProcessorChecksum.remainder(remainder, after: bytes)
    }

    /// Adds bytes with the portable algorithm.
    mutating func updateByTables(_ bytes: UnsafeRawBufferPointer) {
        remainder = Self.tables.withUnsafeBufferPointer { tables in
            var remainder = remainder
            var position = 0
            while position + 8 <= bytes.count {
                let loaded = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                let word = UInt64(littleEndian: loaded) ^ UInt64(remainder)
                remainder = 0
                for place in 0..<8 {
                    let byte = Int((word >> UInt64(8 * place)) & 0xFF)
                    remainder ^= tables[(7 - place) << 8 | byte]
                }
                position += 8
            }
            while position < bytes.count {
                remainder = tables[Int((remainder ^ UInt32(bytes[position])) & 0xFF)] ^ remainder >> 8
                position += 1
            }
            return remainder
        }
    }

    /// Eight tables of 256: table n has the contribution of a byte that is followed by n more bytes.
    private static let tables: [UInt32] = {
        let reflectedPolynomial: UInt32 = 0x82F6_3B78
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var remainder = UInt32(byte)
            for _ in 0..<8 {
                remainder = remainder & 1 == 1 ? remainder >> 1 ^ reflectedPolynomial : remainder >> 1
            }
            tables[byte] = remainder
        }
        for index in 256..<tables.count {
            let shorter = tables[index - 256]
            tables[index] = tables[Int(shorter & 0xFF)] ^ shorter >> 8
        }
        return tables
    }()
}
