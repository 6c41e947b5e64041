import JSONLine
import TestSupport
import Testing

@testable import TripModel
@testable import TripProtocol

/// The documentation, the schema and the code must name the same things.
@Suite struct DocumentTests {
    private let readme: Handbook
    private let schema: ProtocolSchema

    init() throws {
        readme = try Handbook(Checkout.text(of: "Protocol/README.md"))
        schema = try ProtocolSchema()
    }

    @Test func `every method is in the documentation, the schema and the code`() {
        let methods = Set(TripProtocol.Method.allCases.map(\.rawValue))
        #expect(Set(schema.methodNames) == methods)
        #expect(schema.methodNames.count == methods.count)
        #expect(Set(readme.sections(of: "Methods").map(\.name)) == methods)
    }

    @Test func `every notification is in the documentation and the schema`() {
        #expect(Set(readme.sections(of: "Notifications").map(\.name)) == Set(schema.notificationNames))
    }

    @Test func `every reason has the same code in the documentation, the schema and the code`() {
        var codes: [String: Int] = [:]
        for reason in ErrorReason.allCases { codes[reason.rawValue] = reason.code }
        #expect(schema.errorCodes == codes)
        var received: [String: Int] = [:]
        for row in readme.rows(of: "Errors") where row.count == 4 { received[row[0]] = Int(row[1]) }
        #expect(received == codes)
    }

    @Test func `the data of every reason is documented like in the schema`() throws {
        for row in readme.rows(of: "Errors") where row.count == 4 {
            let data = try #require(
                schema.root["components"]?["errors"]?.member(named: row[0])?["data"], "\(row[0])")
            let required = Set(data["required"]?.elements.compactMap(\.string) ?? [])
            let fields = data["properties"]?.members.map(\.key).filter { $0 != "reason" } ?? []
            let expected = Set(fields.map { required.contains($0) ? $0 : $0 + "?" })
            #expect(Set(Handbook.quoted(row[2])) == expected, "\(row[0])")
        }
    }

    @Test func `every field of the schema is documented in the section of its method`() {
        for section in readme.sections(of: "Methods") {
            guard let method = schema.method(section.name) else { continue }
            for param in method["params"]?.elements.compactMap({ $0["name"]?.string }) ?? [] {
                #expect(section.mentions(param), "\(section.name) is silent about \(param)")
            }
            let result = method["result"]?["schema"]
            for field in result?["properties"]?.members.map(\.key) ?? [] {
                #expect(section.mentions(field), "\(section.name) is silent about \(field) of its result")
            }
        }
        for section in readme.sections(of: "Notifications") {
            let params = schema.notification(section.name)?["params"]?.elements
            for field in params?.compactMap({ $0["name"]?.string }) ?? [] {
                #expect(section.mentions(field), "\(section.name) is silent about \(field)")
            }
        }
    }

    @Test(arguments: TripProtocol.Method.allCases)
    func `the errors of a method follow from its traits`(method: TripProtocol.Method) {
        let (reasons, traits) = (schema.reasons(of: method.rawValue), method.traits)
        #expect(reasons.contains("not_initialized") == (traits.moment == .afterHello))
        #expect(reasons.contains("invalid_request") == (traits.moment == .beforeHello))
        // A batch may belong to any trip, and a drop may name one.
        let namesTrip = traits.scope == .trip || method == .commitBatch || method == .drop
        // A creation may use an existing id, and the new trip may be deleted before the answer; likewise a
        // restored one.
        let makesTrip = method == .createTrip || method == .restoreTrip
        #expect(reasons.contains("trip_not_found") == (namesTrip || makesTrip))
        #expect(reasons.contains("trip_corrupt") == (namesTrip || makesTrip))
        #expect(reasons.contains("drag_not_found") == (traits.scope == .drag))
        #expect(reasons.contains("batch_not_found") == (traits.scope == .batch))
        let isReadOnly = traits.needs > .viewer && traits.scope != .drag && traits.scope != .batch
        #expect(reasons.contains("read_only") == isReadOnly)
        #expect(reasons.contains("invalid_params"))
    }

    @Test func `the methods that defer later requests are those of the table`() throws {
        let text = try Checkout.text(of: "Protocol/README.md")
        let start = try #require(text.range(of: "until the answer to one of these has left:")?.upperBound)
        let received = text[start...].prefix { $0 != ";" }
        let names = Handbook.quoted(String(received)).filter { $0.contains(".") }
        let always = TripProtocol.Method.allCases.filter {
            if case .always = $0.traits.blocksLater { true } else { false }
        }
        #expect(Set(names) == Set(always.map(\.rawValue)))
    }

    @Test func `every method has an example that matches its schemas`() {
        for name in schema.methodNames {
            let examples = schema.method(name)?["examples"]?.elements.map(\.self) ?? []
            #expect(!examples.isEmpty, "\(name) has no example")
            for example in examples {
                var request = JSONWriter()
                request.beginObject()
                request.member("method", name)
                request.key("params")
                request.beginObject()
                for param in example["params"]?.elements.map(\.self) ?? [] {
                    guard let key = param["name"]?.string, let value = param["value"] else { continue }
                    request.key(escaping: key)
                    request.raw(Array(value.rawBytes))
                }
                request.endObject()
                request.endObject()
                let root = try? JSONDocument(parsing: request.take()).root
                #expect(root.flatMap { schema.complaint(aboutRequest: $0) } == nil && root != nil)
                let result = example["result"]?["value"]
                #expect(
                    result.flatMap { schema.complaint(aboutResult: $0, of: name) } == nil && result != nil)
            }
        }
    }

    @Test func `links of reasons and methods lead to methods, and those of transcripts to their files`()
        throws
    {
        let methods = Set(schema.methodNames)
        let shown = try Transcript.coverage()
        let reasons = schema.root["x-reasons"]
        for (reason, received) in reasons?.members.map(\.self) ?? [] {
            #expect(schema.errorCodes[reason] != nil, "\(reason) is none")
            for link in received["links"]?.elements.compactMap(\.string) ?? [] {
                #expect(methods.contains(link), "\(reason)")
            }
        }
        for reason in schema.errorCodes.keys {
            let received = reasons?.member(named: reason)?["transcripts"]?.elements.compactMap(\.string) ?? []
            #expect(received == (shown[reason] ?? []).sorted(), "\(reason)")
        }
        for method in schema.methodNames.compactMap(schema.method) {
            for link in method["links"]?.elements.map(\.self) ?? [] {
                #expect(methods.contains(link["method"]?.string ?? ""), "\(link.excerpt)")
            }
        }
    }

    /// The members that the meta-schema of OpenRPC 1.3 allows in each object; names with `x-` are allowed at
    /// the root.
    @Test func `the document has no member that OpenRPC does not know`() {
        func check(_ node: JSONNode?, _ known: Set<String>) {
            let unknown = Set(node?.members.map(\.key) ?? []).subtracting(known)
            #expect(unknown.isEmpty, "\(node?.excerpt ?? "")")
        }
        func checkAll(_ list: JSONNode?, _ known: Set<String>) {
            for node in list?.elements.map(\.self) ?? [] { check(node, known) }
        }
        let descriptor: Set = ["name", "summary", "description", "required", "schema", "deprecated"]
        let example: Set = ["name", "summary", "description", "value"]
        let root = schema.root.members.map(\.key).filter { !$0.hasPrefix("x-") }
        #expect(Set(root) == ["openrpc", "info", "methods", "components"])
        for method in schema.root["methods"]?.elements.map(\.self) ?? [] {
            check(
                method,
                [
                    "name", "summary", "description", "tags", "paramStructure", "params", "result", "errors",
                    "links",
                    "examples",
                ])
            checkAll(method["tags"], ["name", "description", "externalDocs"])
            checkAll(method["params"], descriptor)
            check(method["result"], descriptor)
            checkAll(method["links"], ["name", "summary", "description", "method", "params", "server"])
            for pairing in method["examples"]?.elements.map(\.self) ?? [] {
                check(pairing, ["name", "description", "params", "result"])
                checkAll(pairing["params"], example)
                check(pairing["result"], example)
            }
        }
        for (_, error) in schema.root["components"]?["errors"]?.members.map(\.self) ?? [] {
            check(error, ["code", "message", "data"])
        }
    }

    @Test func `every limit is documented with its value`() {
        var limits: [String: Int] = [:]
        for limit in WireLimits.announced { limits["\(limit.name)"] = limit.value }
        var received: [String: Int] = [:]
        for row in readme.rows(of: "Limits") where row.count == 4 { received[row[0]] = Int(row[1]) }
        #expect(received == limits)
        let refusal = schema.root["components"]?["errors"]?["limit_exceeded"]?["data"]
        let refusing = Set(
            refusal?["properties"]?["limit"]?["enum"]?.elements.compactMap(\.string) ?? [])
        for row in readme.rows(of: "Limits") where row.count == 4 && row[3].isEmpty {
            #expect(refusing.contains(row[0]), "limit_exceeded does not name \(row[0])")
        }
        let named = schema.root["components"]?["schemas"]?["Limits"]?["properties"]?.members.map(\.key)
        #expect(named == WireLimits.announced.map { "\($0.name)" })
    }

    @Test func `lists of values match the code`() {
        func values(_ path: String...) -> Set<String> {
            var node = schema.root["components"]?["schemas"]
            for name in path { node = node?.member(named: name) }
            return Set(node?["enum"]?.elements.compactMap(\.string) ?? [])
        }
        #expect(values("Problem", "properties", "kind") == Set(Problem.Kind.allCases.map(\.rawValue)))
        let kinds = readme.rows(of: "Objects").filter { $0.count == 2 }.map { $0[0] }
        #expect(Set(kinds).isSuperset(of: Problem.Kind.allCases.map(\.rawValue)))
        for reason in ["shutting_down", "slow_consumer", "bad_lines", "handshake_timeout", "access_changed"] {
            #expect(GoodbyeReason(rawValue: reason) != nil)
            #expect(
                readme.sections(of: "Notifications").contains { $0.name == "goodbye" && $0.mentions(reason) })
        }
    }

    @Test(arguments: ItemKind.allCases) func `the fields of a kind match its schemas`(kind: ItemKind) {
        let name = kind.rawValue.capitalized
        let schemas = schema.root["components"]?["schemas"]
        let fields = Set(kind.fields.map(\.name))
        let required = Set(kind.fields.filter(\.isRequired).map(\.name))
        let common: Set = ["id", "day", "sortOrder", "version", "modifiedAt", "modifiedBy", "kind"]
        for (schema, others) in [
            ("\(name)Item", common.union(["said"])), ("New\(name)", ["id", "kind", "said"]),
        ] {
            let schema = schemas?.member(named: schema)
            let received = Set(schema?["properties"]?.members.map(\.key) ?? [])
            #expect(received == fields.union(others))
            let needed = Set(schema?["required"]?.elements.compactMap(\.string) ?? [])
            #expect(needed.subtracting(common) == required)
        }
        let settable = Set(schemas?["ItemFields"]?["properties"]?.members.map(\.key) ?? [])
        #expect(settable == Set(ItemField.allCases.map(\.name) + ["said"]))
        for field in kind.fields {
            #expect(
                readme.mentions(field.name, inChapter: "Objects"), "the README is silent about \(field.name)")
        }
    }

    @Test func `links lead to headings, and references of the schema to definitions`() {
        for link in readme.links { #expect(readme.anchors.contains(link), "no heading for #\(link)") }
        var references: [String] = []
        func collect(_ node: JSONNode) {
            if let reference = node["$ref"]?.string { references.append(reference) }
            for (_, member) in node.members { collect(member) }
            for element in node.elements { collect(element) }
        }
        collect(schema.root)
        #expect(references.count > 100)
        for reference in Set(references) { #expect(schema.checker.resolve(reference) != nil, "\(reference)") }
        let used = Set(references.compactMap { $0.split(separator: "/").last.map(String.init) })
        for part in ["schemas", "errors"] {
            for name in schema.root["components"]?.member(named: part)?.members.map(\.key) ?? [] {
                #expect(used.contains(name), "nothing uses \(name)")
            }
        }
    }

    @Test func `rpc_discover returns the document, also before hello`() throws {
        let client = try LiveServer(Audit(schema)).connect()
        let answer = try client.result("rpc.discover")
        #expect(answer.canonicalBytes() == schema.root.canonicalBytes())
        let tokens = String(decoding: answer.rawBytes, as: UTF8.self).replacing(/"(?:[^"\\]|\\.)*"/, with: "")
        #expect(!tokens.contains { $0.isWhitespace })
        try client.hello("ann")
        #expect(try client.result("rpc.discover").rawBytes == answer.rawBytes)
    }
}
