import Foundation
import JSONLine

/// Untrusted JSON. The first byte says how the bytes, as a stream, are split into reads.
enum JSONHarness {
    private static let maximumDepth = 32

    static func run(_ bytes: [UInt8]) throws(Finding) {
        guard let first = bytes.first else { return }
        let text = Array(bytes.dropFirst())
        try LineCheck(text, limit: 24, chunk: Int(first) % 9 + 1).run()
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: text, maximumDepth: maximumDepth)
        } catch {
            return try checkRefusal(of: text, error)
        }
        try check(document.root, text)
    }

    // MARK: Rejected input

    private static func checkRefusal(of text: [UInt8], _ error: JSONSyntaxError) throws(Finding) {
        try Finding.unless((0...text.count).contains(error.offset), "an error is in the text", "\(error)")
        switch error.reason {
        case .tooDeep:
            let depth = Self.depth(of: text[...error.offset])
            try Finding.unless(depth == maximumDepth + 1, "only what is too deep is called so", "\(depth)")
        case .invalidUTF8:
            let rest = text[error.offset...].prefix(4)
            try Finding.unless(
                String(validating: text[..<error.offset], as: UTF8.self) != nil
                    && String(validating: text, as: UTF8.self) == nil,
                "only what is no UTF-8 is called so, where it begins", "\(Array(rest))")
        case .numberOutOfRange:
            let digits = text[error.offset...].prefix { "+-.eE0123456789".utf8.contains($0) }
            let start = text[..<error.offset].lastIndex { !"+-.eE0123456789".utf8.contains($0) } ?? -1
            let number = Double(String(decoding: text[(start + 1)..<digits.endIndex], as: UTF8.self))
            try Finding.unless(number?.isFinite != true, "a finite number is in range", "\(error)")
        // Foundation's reader accepts these.
        case .duplicateKey, .loneSurrogate, .byteOrderMark, .trailingComma, .tooLong: break
        default:
            // Every reader must reject invalid syntax.
            guard isComparable(text), String(validating: text, as: UTF8.self) != nil else { return }
            try Finding.unless(
                Self.foundation(text) == nil, "what one reader refuses the other does not take", "\(error)")
        }
    }

    /// The maximum nesting depth of containers, with strings detected by their quotes.
    private static func depth(of text: ArraySlice<UInt8>) -> Int {
        var (depth, deepest) = (0, 0)
        var (isInString, isEscaped) = (false, false)
        for byte in text {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    // MARK: Accepted input

    private static func check(_ root: JSONNode, _ text: [UInt8]) throws(Finding) {
        try Finding.unless(
            String(validating: text, as: UTF8.self) != nil && !text.starts(with: [0xEF, 0xBB, 0xBF]),
            "what is taken is UTF-8 without a mark")
        try Finding.unless(depth(of: text[...]) <= maximumDepth, "what is taken nests no deeper than the cap")
        try checkParts(of: root)
        var writer = JSONWriter()
        write(root, to: &writer)
        let written = try reread(writer.take(), "what is written can be read")
        try Finding.unless(isSame(root, written), "what is read, written and read is the same")
        let canonical = root.canonicalBytes()
        let other = try reread(canonical, "the canonical form can be read")
        try Finding.unless(other.canonicalBytes() == canonical, "the canonical form is its own")
        try Finding.unless(written.canonicalBytes() == canonical, "equal values have one canonical form")
        guard isComparable(text) else { return }
        guard let foundation = foundation(text) else {
            throw Finding("what one reader takes the other does not refuse")
        }
        try Finding.unless(isSame(root, foundation), "two readers read the same")
    }

    private static func reread(_ bytes: [UInt8], _ promise: String) throws(Finding) -> JSONNode {
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: bytes, maximumDepth: maximumDepth).root
        } catch {
            throw Finding(promise, "\(error): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    private static func checkParts(of node: JSONNode) throws(Finding) {
        if let double = node.double {
            let text = String(decoding: node.rawBytes, as: UTF8.self)
            try Finding.unless(double.isFinite, "a number is finite", text)
            try Finding.unless(double == Double(text), "a number is the nearest double", text)
            let integer = Int(text).flatMap { $0.magnitude < 1 << 53 ? $0 : nil }
            try Finding.unless(node.int == integer, "an integer is one that is exact", text)
        }
        for element in node.elements { try checkParts(of: element) }
        for (key, value) in node.members {
            try Finding.unless(
                node.member(named: key)?.rawBytes.startIndex == value.rawBytes.startIndex,
                "a member is found by its key", key)
            try checkParts(of: value)
        }
    }

    private static func write(_ node: JSONNode, to writer: inout JSONWriter) {
        switch node.kind {
        case .null: writer.null()
        case .bool: writer.value(node.bool == true)
        case .number: if let int = node.int { writer.value(int) } else { writer.value(node.double ?? 0) }
        case .string: writer.value(node.string ?? "")
        case .array:
            writer.beginArray()
            for element in node.elements { write(element, to: &writer) }
            writer.endArray()
        case .object:
            writer.beginObject()
            for (key, value) in node.members {
                writer.key(escaping: key)
                write(value, to: &writer)
            }
            writer.endObject()
        }
    }

    private static func isSame(_ node: JSONNode, _ other: JSONNode) -> Bool {
        guard node.kind == other.kind, node.count == other.count else { return false }
        switch node.kind {
        case .null: return true
        case .bool: return node.bool == other.bool
        // A whole number with a point or an exponent is not an integer at first, but may be written without
        // them.
        case .number: return node.double == other.double && (node.int == nil || node.int == other.int)
        case .string: return node.string?.utf8.elementsEqual((other.string ?? "").utf8) == true
        case .array: return zip(node.elements, other.elements).allSatisfy { isSame($0, $1) }
        case .object:
            return zip(node.members, other.members).allSatisfy { one, two in
                one.key.utf8.elementsEqual(two.key.utf8) && isSame(one.value, two.value)
            }
        }
    }

    // MARK: Foundation's reader

    /// Foundation's reader takes zero bytes as a sign of another encoding, and drops all byte-order marks.
    private static func isComparable(_ text: [UInt8]) -> Bool {
        !text.contains(0) && text.firstRange(of: [0xEF, 0xBB, 0xBF]) == nil
    }

    private static func foundation(_ text: [UInt8]) -> Any? {
        try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
    }

    /// Numbers are compared loosely, because Foundation's reader rounds some by a few units in the last
    /// place.
    private static func isSame(_ node: JSONNode, _ other: Any) -> Bool {
        switch node.kind {
        case .null: return other is NSNull
        case .bool: return (other as? NSNumber)?.boolValue == node.bool
        case .number:
            guard let double = node.double, let other = (other as? NSNumber)?.doubleValue else {
                return false
            }
            return abs(double - other) <= abs(double) * 1e-14
        case .string: return (other as? String)?.utf8.elementsEqual((node.string ?? "").utf8) == true
        case .array:
            guard let array = other as? [Any], array.count == node.count else { return false }
            return zip(node.elements, array).allSatisfy { isSame($0, $1) }
        case .object:
            guard let object = other as? [String: Any] else { return false }
            // Foundation's reader merges keys that differ only in their Unicode composition.
            guard object.count == node.count else { return Set(node.members.map(\.key)).count < node.count }
            return node.members.allSatisfy { key, value in object[key].map { isSame(value, $0) } ?? false }
        }
    }
}
