import JSONLine
import TestSupport
import Testing

/// The checker must reject invalid values; otherwise the other tests would prove nothing.
@Suite struct SchemaCheckerTests {
    private static func parse(_ text: String) throws -> JSONNode {
        try JSONDocument(parsing: Array(text.utf8)).root
    }

    private static func complaint(_ value: String, _ schema: String) throws -> String? {
        let document = try parse(#"{"a":{"word":{"type":"string","minLength":2}}}"#)
        return SchemaChecker(document).complaint(about: try parse(value), against: try parse(schema))
    }

    @Test func `each keyword accepts valid values and rejects others`() throws {
        let table: [(schema: String, right: [String], wrong: [String])] = [
            (#"{"type":"integer"}"#, ["0", "-7"], ["1.0", "\"1\"", "1e3", "null", "9007199254740992"]),
            (#"{"type":"number"}"#, ["0", "1.5"], ["\"1\"", "true"]),
            (#"{"type":"boolean"}"#, ["true"], ["0"]),
            (#"{"type":["string","null"]}"#, ["\"\"", "null"], ["0", "{}"]),
            (#"{"type":"object"}"#, ["{}"], ["[]"]),
            (#"{"type":"array"}"#, ["[]"], ["{}"]), (#"{"const":"a"}"#, ["\"a\""], ["\"b\"", "null"]),
            (#"{"const":true}"#, ["true"], ["1"]), (#"{"enum":["a",1]}"#, ["\"a\"", "1"], ["\"1\"", "2"]),
            (#"{"minimum":1,"maximum":3}"#, ["1", "3"], ["0", "4", "0.99"]),
            (#"{"minLength":2}"#, ["\"ab\""], ["\"a\"", "\"\""]),
            (#"{"pattern":"^[a-z]+$"}"#, ["\"ab\""], ["\"aB\"", "\"\""]),
            (#"{"minItems":1,"maxItems":2}"#, ["[1]", "[1,2]"], ["[]", "[1,2,3]"]),
            (#"{"items":{"type":"integer"}}"#, ["[]", "[1]"], ["[1,\"2\"]"]),
            (
                #"{"required":["a"],"properties":{"a":{"type":"integer"}}}"#, [#"{"a":1}"#],
                ["{}", #"{"a":""}"#, #"{"a":1,"b":2}"#]
            ),
            (#"{"additionalProperties":true,"properties":{}}"#, [#"{"b":2}"#], []),
            (#"{"oneOf":[{"type":"integer"},{"minimum":5}]}"#, ["1", "7.5"], ["7", "1.5"]),
            (##"{"$ref":"#/a/word"}"##, ["\"ab\""], ["\"a\"", "1"]), (##"{"$ref":"#/a/none"}"##, [], ["1"]),
            (#"{"maxLength":1}"#, [], ["\"\""]),
        ]
        for (schema, right, wrong) in table {
            for value in right { #expect(try Self.complaint(value, schema) == nil, "\(schema) and \(value)") }
            for value in wrong { #expect(try Self.complaint(value, schema) != nil, "\(schema) and \(value)") }
        }
    }

    @Test func `a violation contains its path`() throws {
        let schema = #"{"properties":{"a":{"items":{"properties":{"b":{"type":"string"}}}}}}"#
        let complaint = try Self.complaint(#"{"a":[{"b":"x"},{"b":7}]}"#, schema)
        #expect(complaint?.contains("$.a[1].b") == true)
    }
}
