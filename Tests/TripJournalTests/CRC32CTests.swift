import Testing

@testable import TripJournal

@Suite struct CRC32CTests {
    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        var checksum = CRC32C()
        checksum.update(bytes)
        return checksum.value
    }

    @Test func `the published test vectors give the published checksums`() {
        #expect(checksum([]) == 0)
        #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
        // RFC 3720, B.4.
        #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(checksum(Array(0..<32)) == 0x46DD_794E)
        #expect(checksum((0..<32).reversed()) == 0x113F_DB5C)
    }

    @Test func `the processor and the tables give the same result`() {
        var generator = SystemRandomNumberGenerator()
        for count in [0, 1, 7, 8, 9, 63, 64, 65, 1000, 4099] {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            var byTables = CRC32C(continuing: 77)
            bytes.withUnsafeBytes { byTables.updateByTables($0) }
            var checksum = CRC32C(continuing: 77)
            checksum.update(bytes)
            #expect(checksum == byTables, "\(bytes)")
        }
    }

    @Test
    func `eight bytes per step give the same as one bit per step, for every length, split and alignment`() {
        let bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
        for count in 0...bytes.count {
            let expected = bitwise(bytes[..<count])
            for split in 0...count {
                var checksum = CRC32C()
                checksum.update(Array(bytes[..<split]))
                var rest = CRC32C(continuing: checksum.value)
                bytes[split..<count].withUnsafeBytes { rest.update($0) }
                #expect(rest.value == expected)
                var byTables = CRC32C(continuing: checksum.value)
                bytes[split..<count].withUnsafeBytes { byTables.updateByTables($0) }
                #expect(byTables.value == expected)
            }
        }
    }

    private func bitwise(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var remainder = ~UInt32(0)
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1 }
        }
        return ~remainder
    }
}
