import Foundation
import JSONLine
import TestSupport
import Testing

/// The examples in the documentation must be messages of the transcripts that they name.
@Suite struct ExampleTests {
    /// A request and its answer, or a notification.
    private struct Example {
        var request: JSONNode?
        let answer: JSONNode
    }

    /// A transcript's messages of a method or notification, without refused requests.
    private static func examples(of method: String, in transcript: Transcript) -> [Example] {
        var (asked, examples): ([String: JSONNode], [Example]) = ([:], [])
        for step in transcript.steps {
            switch step {
            case .send(let client, let line):
                asked["\(client) \(line["id"]?.excerpt ?? "")"] = line
            case .receive(let client, let line):
                let request = asked["\(client) \(line["id"]?.excerpt ?? "")"]
                if line["method"]?.string == method {
                    examples.append(Example(answer: line))
                } else if line["result"] != nil, let request, request["method"]?.string == method {
                    examples.append(Example(request: request, answer: line))
                }
            default: break
            }
        }
        return examples
    }

    /// Whether two pairs of nodes are equal, apart from placeholders.
    private static func isShown(
        _ transcript: Transcript, _ pairs: [(actual: JSONNode?, expected: JSONNode?)]
    ) -> Bool {
        var known = Placeholders(transcript.values)
        return pairs.allSatisfy { actual, expected in
            guard let actual, let expected else {
                return (actual.map { Array($0.members).isEmpty } ?? true) && expected == nil
            }
            return known.difference(actual, from: expected) == nil
        }
    }

    private static func object(_ members: [(JSONNode?, JSONNode?)]) throws -> JSONNode {
        var json = JSONWriter()
        json.beginObject()
        for case (let name?, let value?) in members {
            json.key(escaping: name.string ?? "")
            json.raw(Array(value.rawBytes))
        }
        json.endObject()
        return try JSONDocument(parsing: json.take()).root
    }

    @Test func `the examples of the schema are in the transcripts that they name`() throws {
        let schema = try ProtocolSchema()
        for method in schema.root["methods"]?.elements.map(\.self) ?? [] {
            let name = method["name"]?.string ?? ""
            for example in method["examples"]?.elements.map(\.self) ?? [] {
                let transcript = try Transcript(name: "\(example["name"]?.string ?? "").jsonl")
                let params = try Self.object(
                    example["params"]?.elements.map { ($0["name"], $0["value"]) } ?? [])
                let result = example["result"]?["value"]
                let isShown = Self.examples(of: name, in: transcript).contains { shown in
                    guard let request = shown.request else {
                        return Self.isShown(transcript, [(params, shown.answer["params"])])
                    }
                    return Self.isShown(
                        transcript, [(params, request["params"]), (result, shown.answer["result"])])
                }
                #expect(isShown, "\(transcript.name) does not show this example of \(name)")
            }
        }
    }

    @Test func `each method and notification of the documentation has an example from a transcript`() throws {
        let schema = try ProtocolSchema()
        let text = try Checkout.text(of: "Protocol/README.md")
        for name in schema.methodNames + schema.notificationNames {
            let section = try #require(text.components(separatedBy: "\n### `\(name)`\n").dropFirst().first)
            let parts = (section.components(separatedBy: "\n### ").first ?? "")
                .components(separatedBy: "\nFrom [").dropFirst()
            #expect(!parts.isEmpty, "\(name) has no example")
            for part in parts {
                let title = part.prefix { $0 != "]" }
                #expect(part.hasPrefix("\(title)](transcripts/\(title).jsonl):\n\n```json\n"), "\(name)")
                let transcript = try Transcript(name: "\(title).jsonl")
                let lines = try Self.messages(part.components(separatedBy: "```")[1])
                let isShown = Self.examples(of: name, in: transcript).contains { shown in
                    lines.count == (shown.request == nil ? 1 : 2)
                        && Self.isShown(
                            transcript,
                            zip(lines, [shown.request, shown.answer].compactMap(\.self)).map { ($0, $1) })
                }
                #expect(isShown, "\(title) does not show this example of \(name)")
            }
        }
    }

    /// The messages of a block: each begins with an arrow, and may continue on the next lines.
    private static func messages(_ block: String) throws -> [JSONNode] {
        var messages: [String] = []
        for line in block.split(separator: "\n").dropFirst() {
            if let arrow = line.first, arrow == "→" || arrow == "←" {
                messages.append(String(line.dropFirst(2)))
            } else {
                let last = try #require(messages.indices.last, "a block begins with an arrow")
                messages[last] += line.trimmingCharacters(in: .whitespaces)
            }
        }
        return try messages.map { try JSONDocument(parsing: Array($0.utf8)).root }
    }
}
