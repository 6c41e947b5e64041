import JSONLine
import TestSupport

/// The values of a transcript's placeholders: texts that begin with `$` and are a whole value.
struct Placeholders {
    private var values: [String: [UInt8]] = [:]
    /// Whether lines may have additional members and other texts, because they are of a newer minor version.
    private let isOlder: Bool

    /// - Parameter values: initial values.
    init(_ values: [(name: String, value: JSONNode)] = [], isOlder: Bool = false) {
        for (name, value) in values { self.values[name] = Array(value.rawBytes) }
        self.isOlder = isOlder
    }

    /// Members whose values may differ in a newer minor version.
    private static let free: Set = ["message", "summary", "minor", "limits", "capabilities"]

    /// A client's line with its placeholders replaced.
    func filled(_ node: JSONNode) throws -> JSONNode {
        var json = JSONWriter()
        fill(node, into: &json)
        return try JSONDocument(parsing: json.take()).root
    }

    private func fill(_ node: JSONNode, into json: inout JSONWriter) {
        switch node.kind {
        case .object:
            json.beginObject()
            for (key, value) in node.members {
                json.key(escaping: key)
                fill(value, into: &json)
            }
            json.endObject()
        case .array:
            json.beginArray()
            for element in node.elements { fill(element, into: &json) }
            json.endArray()
        default: json.raw(node.string.flatMap { values[$0] } ?? Array(node.rawBytes))
        }
    }

    /// The first difference between a line and the expected one. If there is none, returns nil and binds new
    /// placeholders.
    mutating func difference(_ actual: JSONNode, from expected: JSONNode) -> String? {
        var bound = self
        if let difference = bound.match(actual, expected, "$") { return difference }
        self = bound
        return nil
    }

    private mutating func match(_ actual: JSONNode, _ expected: JSONNode, _ path: String) -> String? {
        if let name = expected.string, name.hasPrefix("$") { return bind(name, actual, path) }
        switch (expected.kind, actual.kind) {
        case (.object, .object):
            for (key, value) in expected.members where !(isOlder && Self.free.contains(key)) {
                guard let other = actual.member(named: key) else { return "\(path).\(key) is missing" }
                if let difference = match(other, value, "\(path).\(key)") { return difference }
            }
            if isOlder { return nil }
            let surplus = actual.members.map(\.key).first { expected.member(named: $0) == nil }
            return surplus.map { "\(path).\($0) is not expected" }
        case (.array, .array):
            guard expected.count == actual.count else { return "\(path) has \(actual.count) elements" }
            for (index, pair) in zip(actual.elements, expected.elements).enumerated() {
                if let difference = match(pair.0, pair.1, "\(path)[\(index)]") { return difference }
            }
            return nil
        default:
            let isEqual = expected.canonicalBytes() == actual.canonicalBytes()
            return isEqual ? nil : "\(path) is \(actual.excerpt), not \(expected.excerpt)"
        }
    }

    private mutating func bind(_ name: String, _ actual: JSONNode, _ path: String) -> String? {
        switch name {
        case "$any": return nil
        case "$time":
            let isTime = actual.string?.utf8.count == 24 && actual.string?.last == "Z"
            return isTime ? nil : "\(path) is no time: \(actual.excerpt)"
        default:
            let bytes = Array(actual.rawBytes)
            guard let known = values.updateValue(bytes, forKey: name), known != bytes else { return nil }
            return
                "\(path) is \(actual.excerpt), but \(name) stood for \(String(decoding: known, as: UTF8.self))"
        }
    }
}
