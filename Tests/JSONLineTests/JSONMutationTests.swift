import JSONLine
import TestSupport
import Testing

/// Hostile bytes: none may trap, and every accepted text must be wholly readable.
@Suite struct JSONMutationTests {
    /// Reads the whole text; returns whether it was accepted.
    @discardableResult
    private func exercise(_ bytes: [UInt8]) -> Bool {
        do {
            let document = try JSONDocument(parsing: bytes)
            visit(document.root)
            let canonical = document.root.canonicalBytes()
            let again = try? JSONDocument(parsing: canonical)
            #expect(again?.root.canonicalBytes() == canonical)
            return true
        } catch {
            #expect((0...bytes.count).contains(error.offset))
            return false
        }
    }

    private func visit(_ node: JSONNode) {
        _ = (node.string, node.int, node.bool, node["a"], node.stringEquals("k0"))
        if let double = node.double { #expect(double.isFinite) }
        for element in node.elements { visit(element) }
        for (key, value) in node.members {
            #expect(node.member(named: key)?.rawBytes == value.rawBytes)
            visit(value)
        }
    }

    @Test(arguments: 0..<20)
    func everyTruncationOfAContainerIsRefused(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let bytes = Array("[\(random.document(depth: 4))]".utf8)
        #expect(exercise(bytes))
        for length in 0..<bytes.count {
            #expect(!exercise(Array(bytes[..<length])))
        }
    }

    @Test(arguments: 0..<20)
    func mutationsNeverTrap(seed: Int) {
        var random = SplitMix64(seed: 1000 + UInt64(seed))
        let special =
            Array("\"\\{}[]:,.-+eE0189utfn \n\0".utf8) + [
                0x7F, 0x80, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFF,
            ]
        for _ in 0..<40 {
            let original = Array(random.document(depth: 4).utf8)
            for _ in 0..<20 {
                var bytes = original
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    let index = Int.random(in: 0...bytes.count, using: &random)
                    let byte = special.randomElement(using: &random) ?? 0
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes.insert(byte, at: index)
                    case 1 where index < bytes.count: bytes[index] = byte
                    case 2 where index < bytes.count: bytes.remove(at: index)
                    case 3: bytes.insert(contentsOf: bytes[..<index].suffix(8), at: index)
                    default: bytes.append(byte)
                    }
                }
                exercise(bytes)
            }
        }
    }

    @Test func noiseNeverTraps() {
        var random = SplitMix64(seed: 77)
        for length in 0..<3_000 {
            exercise((0..<length % 64).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        }
    }
}
