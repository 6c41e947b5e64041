import Foundation
import JSONLine
import TestSupport
import Testing

/// Comparison with Foundation's reader for texts that both accept. Numbers are compared loosely, because
/// JSONSerialization rounds some by a few units in the last place. Other tests compare numbers exactly with
/// the standard library.
@Suite struct JSONFoundationTests {
    private func isNear(_ double: Double?, _ other: Any?) -> Bool {
        guard let double, let other = (other as? NSNumber)?.doubleValue else { return false }
        return abs(double - other) <= abs(double) * 1e-14
    }

    private func same(_ node: JSONNode, _ other: Any) -> Bool {
        switch node.kind {
        case .null: return other is NSNull
        case .bool: return (other as? NSNumber)?.boolValue == node.bool
        case .number: return isNear(node.double, other)
        case .string: return (other as? String).map { Array($0.utf8) } == node.string.map { Array($0.utf8) }
        case .array:
            guard let array = other as? [Any], array.count == node.count else { return false }
            return zip(node.elements, array).allSatisfy { same($0, $1) }
        case .object:
            guard let object = other as? [String: Any], object.count == node.count else { return false }
            return node.members.allSatisfy { key, value in object[key].map { same(value, $0) } ?? false }
        }
    }

    @Test func valuesAgree() throws {
        var random = SplitMix64(seed: 5)
        for _ in 0..<500 {
            let text = random.document(depth: 5)
            let node = try JSONDocument(parsing: Array(text.utf8)).root
            let other = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(same(node, other), "\(text)")
        }
    }

    @Test func foundationReadsWhatTheWriterWrites() throws {
        var random = SplitMix64(seed: 6)
        for _ in 0..<200 {
            var writer = JSONWriter()
            writer.beginObject()
            let text = String(String.UnicodeScalarView((0..<20).map { _ in random.scalar() }))
            let number = random.finiteDouble()
            writer.member("text", text)
            writer.member("number", number)
            writer.endObject()
            let object = try JSONSerialization.jsonObject(with: Data(writer.bytes)) as? [String: Any]
            #expect((object?["text"] as? String).map { Array($0.utf8) } == Array(text.utf8))
            #expect(isNear(number, object?["number"]))
        }
    }
}
