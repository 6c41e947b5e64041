import Foundation
import JSONLine

/// Checks JSON values against JSON Schemas with the keywords that `openrpc.json` uses; any other keyword is
/// an error.
///
/// Objects are closed unless a schema has `additionalProperties: true`. An undocumented field is an error
/// here although clients must ignore it, so that the document stays complete.
package final class SchemaChecker {
    private let document: JSONNode
    private var patterns: [String: NSRegularExpression] = [:]

    /// - Parameter document: the root for `$ref`.
    package init(_ document: JSONNode) { self.document = document }

    /// The violation in a value; nil if it is valid.
    package func complaint(about value: JSONNode, against schema: JSONNode, at path: String = "$") -> String?
    {
        if let reference = schema["$ref"]?.string {
            guard let target = resolve(reference) else { return "\(path): \(reference) leads nowhere" }
            return complaint(about: value, against: target, at: path)
        }
        for (keyword, rule) in schema.members {
            if let complaint = complaint(about: value, keyword, rule, schema, path) { return complaint }
        }
        return nil
    }

    /// The part of the document that a reference points to.
    package func resolve(_ reference: String) -> JSONNode? {
        guard reference.hasPrefix("#/") else { return nil }
        var node: JSONNode? = document
        for name in reference.dropFirst(2).split(separator: "/") { node = node?.member(named: String(name)) }
        return node
    }

    private func complaint(
        about value: JSONNode, _ keyword: String, _ rule: JSONNode, _ schema: JSONNode, _ path: String
    ) -> String? {
        func unless(_ isRight: Bool, _ wanted: String) -> String? {
            isRight ? nil : "\(path): \(wanted) is needed, not \(value.excerpt)"
        }
        switch keyword {
        case "description", "default", "x-since": return nil
        case "type":
            let names = rule.kind == .array ? rule.elements.compactMap(\.string) : [rule.string ?? ""]
            return unless(names.contains { Self.has(value, type: $0) }, names.joined(separator: " or "))
        case "const": return unless(value.canonicalBytes() == rule.canonicalBytes(), rule.excerpt)
        case "enum":
            let isListed = rule.elements.contains { $0.canonicalBytes() == value.canonicalBytes() }
            return unless(isListed, "one of \(rule.excerpt)")
        case "minimum": return number(value, rule) { $0 >= $1 } ? nil : "\(path): below \(rule.excerpt)"
        case "maximum": return number(value, rule) { $0 <= $1 } ? nil : "\(path): above \(rule.excerpt)"
        case "minLength":
            return unless((value.string?.unicodeScalars.count ?? .max) >= rule.int ?? 0, "longer text")
        case "pattern":
            guard let text = value.string, let pattern = rule.string else { return nil }
            return unless(matches(text, pattern), pattern)
        case "minItems": return unless(value.kind != .array || value.count >= rule.int ?? 0, "a longer array")
        case "maxItems":
            return unless(value.kind != .array || value.count <= rule.int ?? .max, "a shorter array")
        case "items": return items(value, rule, path)
        case "required":
            guard value.kind == .object else { return nil }
            let missing = rule.elements.compactMap(\.string).first { value.member(named: $0) == nil }
            return missing.map { "\(path): \($0) is missing" }
        case "properties":
            return members(value, rule, isOpen: schema["additionalProperties"]?.bool == true, path)
        case "additionalProperties": return nil
        case "oneOf": return alternatives(value, rule, path)
        case "not":
            return complaint(about: value, against: rule, at: path) == nil
                ? "\(path): \(rule.excerpt) must not hold" : nil
        default: return "\(path): the checker does not know \(keyword)"
        }
    }

    private static func has(_ value: JSONNode, type: String) -> Bool {
        switch type {
        case "null": value.kind == .null
        case "boolean": value.kind == .bool
        case "integer": value.int != nil
        case "number": value.kind == .number
        case "string": value.kind == .string
        case "array": value.kind == .array
        case "object": value.kind == .object
        default: false
        }
    }

    private func number(_ value: JSONNode, _ bound: JSONNode, _ holds: (Double, Double) -> Bool) -> Bool {
        guard let number = value.double, let bound = bound.double else { return true }
        return holds(number, bound)
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        if patterns[pattern] == nil { patterns[pattern] = try? NSRegularExpression(pattern: pattern) }
        let whole = NSRange(text.startIndex..., in: text)
        return patterns[pattern]?.firstMatch(in: text, range: whole) != nil
    }

    private func items(_ value: JSONNode, _ rule: JSONNode, _ path: String) -> String? {
        guard value.kind == .array else { return nil }
        for (index, element) in value.elements.enumerated() {
            if let complaint = complaint(about: element, against: rule, at: "\(path)[\(index)]") {
                return complaint
            }
        }
        return nil
    }

    private func members(_ value: JSONNode, _ rule: JSONNode, isOpen: Bool, _ path: String) -> String? {
        guard value.kind == .object else { return nil }
        for (name, member) in value.members {
            guard let schema = rule.member(named: name) else {
                if isOpen { continue }
                return "\(path): the document knows no \(name)"
            }
            if let complaint = complaint(about: member, against: schema, at: "\(path).\(name)") {
                return complaint
            }
        }
        return nil
    }

    private func alternatives(_ value: JSONNode, _ rule: JSONNode, _ path: String) -> String? {
        let complaints = rule.elements.map { complaint(about: value, against: $0, at: path) }
        let fitting = complaints.count { $0 == nil }
        if fitting == 1 { return nil }
        if fitting > 1 { return "\(path): \(value.excerpt) fits \(fitting) alternatives" }
        return "\(path): no alternative fits: " + complaints.compactMap { $0 }.joined(separator: "; ")
    }
}

extension JSONNode {
    /// The beginning of the source text, for a failure's report.
    package var excerpt: String { String(String(decoding: rawBytes, as: UTF8.self).prefix(200)) }
}
