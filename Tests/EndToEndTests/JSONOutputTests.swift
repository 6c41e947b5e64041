import Foundation
import JSONLine
import TestSupport
import Testing

@testable import itinerary_client

extension EndToEnd {
    /// `Protocol/commands.json` has schemas of the output of each command with `--json`.
    @Suite struct JSONOutputTests {
        /// Commands that print no JSON of their own: editors, servers, files for other programs, and documentation.
        private static let others: Set = [
            "connect", "demo", "mcp", "call", "schema", "completions", "man", "help",
        ]

        private static func document(_ name: String) throws -> [UInt8] {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return try Array(Data(contentsOf: root.appending(path: "Protocol/\(name)")))
        }

        /// The schemas, with the references to openrpc.json.
        private struct Schemas {
            private let commands: JSONNode
            private let checker: SchemaChecker
            private let methods: JSONNode

            init() throws {
                let root = try JSONDocument(parsing: JSONOutputTests.document("openrpc.json")).root
                let text = String(decoding: try JSONOutputTests.document("commands.json"), as: UTF8.self)
                let own = Array(text.replacing("openrpc.json#", with: "#").utf8)
                commands = try #require(JSONDocument(parsing: own).root["commands"])
                methods = try #require(root["methods"])
                checker = SchemaChecker(root)
            }

            var names: [String] { commands.members.map(\.key) }

            /// The violation in a line of `watch`.
            func complaint(aboutNotification line: JSONNode) -> String? {
                let name = line["method"]?.string ?? ""
                let known = commands["watch"]?.elements.compactMap { $0["notificationOf"] }.first
                guard known?.elements.contains(where: { $0.string == name }) == true,
                    let method = methods.elements.first(where: { $0["name"]?.string == name })
                else { return "no notification \(name)" }
                let params = method["params"].map { Array($0.elements) } ?? []
                for member in (line["params"] ?? line).members {
                    guard let schema = params.first(where: { $0["name"]?.string == member.key })?["schema"]
                    else {
                        return "no param \(member.key)"
                    }
                    if let complaint = checker.complaint(about: member.value, against: schema) {
                        return complaint
                    }
                }
                return nil
            }

            /// The violations of each schema of a command; nil if one fits.
            func complaint(about value: JSONNode, of command: String) -> String? {
                let schemas = commands.member(named: command).map { Array($0.elements) } ?? []
                let complaints = schemas.map { schema in
                    let meant = schema["resultOf"]?.string.flatMap { name in
                        methods.elements.first { $0["name"]?.string == name }?["result"]?["schema"]
                    }
                    return checker.complaint(about: value, against: meant ?? schema)
                }
                return complaints.contains(nil)
                    ? nil : complaints.compactMap(\.self).joined(separator: "\n") + "\n\(value.excerpt)"
            }
        }

        @Test func `each command has schemas of its JSON output`() throws {
            let commands = CommandTable.program.commands.map(\.name)
            #expect(Set(try Schemas().names) == Set(commands).subtracting(Self.others))
        }

        @Test func `the --json output of each command is one document that matches its schema`() throws {
            let home = try Home()
            defer { home.end() }
            let schemas = try Schemas()
            let calendar = try home.write(
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20270402T100000Z\nSUMMARY:Game\nEND:VEVENT\nBEGIN:VEVENT\n"
                    + "UID:v\nDTSTART:never\nEND:VEVENT\nEND:VCALENDAR\n", to: "c.ics")
            let runs: [[String]] = [
                ["ping"], ["status"], ["list"],
                ["create", "T", "--slug", "t", "--start", "2027-04-01", "--days", "4", "--zone", "UTC"],
                ["add", "t", "Dinner", "cost=90 EUR", "paidBy=ann", "for=ann,ben", "who=ann", "time=19:30"],
                ["add", "t", "Hotel", "nights=9"],
                ["add", "t", "--game", "g", "Match", "--starts", "2027-04-02T10:00:00Z"],
                ["edit", "t", "Dinner", "note=x"], ["edit", "t", "name=U"],
                ["edit", "t", "days=3", "--dry-run"],
                ["move", "t", "Dinner", "--day", "2"],
                ["shift", "t", "--from-day", "2", "--days", "1", "--dry-run"],
                ["shift", "t", "--from-day", "2", "--days", "1"], ["swap", "t", "1", "2"],
                ["repeat", "t", "Hotel", "all"], ["todo", "t", "add", "Visa", "Passes"],
                ["todo", "t", "done", "Visa"], ["todo", "t"], ["costs", "t"],
                ["costs", "t", "--by", "kind", "--rates", "JPY:0.0061 EUR"], ["show", "t"],
                ["show", "t", "--day", "2"], ["today"], ["next", "-n", "3"], ["search", "dinner"],
                ["check", "t"],
                ["log", "t"], ["undo", "t", "--dry-run"], ["undo", "t"], ["redo", "t"], ["redo", "t"],
                ["import", calendar, "t"], ["import", calendar, "--dry-run"], ["export", "t"],
                ["copy", "t", "--start", "2028-04-01", "--name", "Copy"], ["remove", "t", "Dinner"],
                ["restore"],
                ["restore", "t"], ["restore", "t", "Dinner"], ["delete", "copy", "--yes"],
                ["restore", "copy"], ["stop"],
            ]
            var seen: Set<String> = ["watch"]
            var watch: Program?
            for words in runs {
                if words == ["edit", "t", "Dinner", "note=x"] {
                    watch = try home.startClient(["watch", "t", "--json"])
                    try watch?.waitForLine(with: "trip.presence", of: .output)
                }
                let outcome = try home.client(words + ["--json"])
                let document = try? JSONDocument(parsing: Array(outcome.output.utf8)).root
                guard let document else {
                    Issue.record("\(words): \(outcome)")
                    continue
                }
                let complaint = schemas.complaint(about: document, of: words[0])
                #expect(complaint == nil, "\(words): \(complaint ?? "")")
                seen.insert(words[0])
            }
            #expect(seen == Set(schemas.names))
            watch?.send(2)
            let lines = try #require(try watch?.finish().output).split(separator: "\n")
            #expect(lines.contains { $0.contains("trip.delta") })
            for line in lines {
                let line = try JSONDocument(parsing: Array(line.utf8)).root
                let complaint = schemas.complaint(aboutNotification: line)
                #expect(complaint == nil, "\(complaint ?? "") in \(line.excerpt)")
            }
        }
    }
}
