import CommandLineKit
import JSONLine
import LocalSystem
import TripModel

extension AssistantTool {
    /// Holds arguments against the tool's schema: what is passed over in silence is done otherwise than it was meant.
    ///
    /// - Throws: `CommandFailure` naming the first that is wrong, and what would be right.
    func check(_ arguments: JSONNode?) throws(CommandFailure) {
        guard let root = try? JSONDocument(parsing: Array(schema.utf8)).root else {
            preconditionFailure("the schema of \(name) is JSON")
        }
        guard let arguments, !arguments.isNull else { return }
        try Self.check(arguments, root, "")
    }

    private static func check(
        _ value: JSONNode, _ schema: JSONNode, _ path: String
    ) throws(CommandFailure) {
        let name = path.isEmpty ? "arguments" : path
        if let words = schema["enum"]?.elements.compactMap(\.string) {
            guard let word = value.string, words.contains(word) else {
                throw .usage("\(name): one of \(words.joined(separator: ", ")) is needed")
            }
        }
        switch schema["type"]?.string {
        case "string"?: if value.string == nil { throw .usage("\(name): a text is needed") }
        case "integer"?: if value.int == nil { throw .usage("\(name): a whole number is needed") }
        case "boolean"?: if value.bool == nil { throw .usage("\(name): true or false is needed") }
        case "array"?:
            guard value.kind == .array else { throw .usage("\(name): a list is needed") }
            guard let items = schema["items"] else { return }
            for (index, element) in value.elements.enumerated() {
                try check(element, items, "\(name)[\(index)]")
            }
        case "object"?:
            guard value.kind == .object else { throw .usage("\(name): an object is needed") }
            try checkMembers(of: value, schema, path)
        default: break
        }
    }

    private static func checkMembers(
        of value: JSONNode, _ schema: JSONNode, _ path: String
    ) throws(CommandFailure) {
        let properties = schema["properties"]?.members.map { (key: $0.key, schema: $0.value) } ?? []
        for (key, member) in value.members {
            let place = path.isEmpty ? key : "\(path).\(key)"
            if let known = properties.first(where: { $0.key == key })?.schema {
                // Null says nothing, as if it were not there.
                if !member.isNull { try check(member, known, place) }
            } else if schema["additionalProperties"]?.bool == false {
                throw unknown(place, key, among: properties.map(\.key))
            }
        }
    }

    /// Looks whether all names are fields of an item of a kind, or of a trip where there is none.
    static func check(
        fields: JSONNode, of kind: ItemKind?, besides others: Set<String> = [], _ path: String
    ) throws(CommandFailure) {
        let known =
            kind.map { $0.fields.map(\.name) } ?? ["name", "startDate", "dayCount", "timeZone", "slug"]
        for (key, _) in fields.members where !known.contains(key) && !others.contains(key) {
            // A field of another kind has an answer of its own.
            if kind != nil, ItemField(name: key) != nil || ["day", "sortOrder"].contains(key) { continue }
            throw unknown("\(path).\(key)", key, among: known)
        }
    }

    private static func unknown(_ place: String, _ name: String, among names: [String]) -> CommandFailure {
        let question = NearestSpelling.question(for: name, among: names)
        let right = question.isEmpty ? "; there are \(names.joined(separator: ", "))" : question
        return .usage("\(PlainText.visible(place)) is not known\(right)")
    }
}
