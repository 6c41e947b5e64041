import JSONLine
import TestSupport
import Testing

@Suite struct JSONNodeTests {
    private func root(_ text: String) throws -> JSONNode {
        try JSONDocument(parsing: Array(text.utf8)).root
    }

    @Test func kinds() throws {
        let node = try root(#"[null,true,false,1,1.5,"a","\n",[],{}]"#)
        #expect(
            node.elements.map(\.kind) == [
                .null, .bool, .bool, .number, .number, .string, .string, .array, .object,
            ])
        #expect(node.elements.map(\.isNull) == [true] + Array(repeating: false, count: 8))
        #expect(node.elements.map(\.bool) == [nil, true, false] + Array(repeating: nil, count: 6))
    }

    @Test func everyAccessorIsNilOrEmptyForOtherKinds() throws {
        for element in try root(#"[null,true,1.5,"1",[1],{"a":1}]"#).elements {
            let kind = element.kind
            #expect((element.string != nil) == (kind == .string))
            #expect((element.double != nil) == (kind == .number))
            #expect((element.bool != nil) == (kind == .bool))
            #expect(element.int == nil)
            #expect((element["a"] != nil) == (kind == .object))
            #expect((element.member(named: "a") != nil) == (kind == .object))
            #expect(Array(element.elements).count == (kind == .array ? 1 : 0))
            #expect(Array(element.members).count == (kind == .object ? 1 : 0))
            #expect(element.count == (kind == .array || kind == .object ? 1 : 0))
            #expect(element.stringEquals("1") == (kind == .string))
        }
    }

    @Test func membersInOrderOverNestedValues() throws {
        let node = try root(#"{"z":{"z":[1,{"q":2}]},"a":[[],[[3]]],"\u0062":"x","":null}"#)
        #expect(node.members.map(\.key) == ["z", "a", "b", ""])
        #expect(node.members.underestimatedCount == 4)
        #expect(node["z"]?["z"]?.elements.map(\.kind) == [.number, .object])
        #expect(node["b"]?.string == "x")
        #expect(node.member(named: "b")?.stringEquals("x") == true)
        #expect(node[""]?.isNull == true)
        #expect(node["q"] == nil)
        #expect(node["zz"] == nil)
        #expect(node["x"] == nil, "a value is not a key")
    }

    @Test func rawBytesAreTheExactText() throws {
        let node = try root(#"  { "a" : [1 , 2.50] , "b":"\u0041" }  "#)
        #expect(String(decoding: node.rawBytes, as: UTF8.self) == #"{ "a" : [1 , 2.50] , "b":"\u0041" }"#)
        #expect(node["a"].map { String(decoding: $0.rawBytes, as: UTF8.self) } == "[1 , 2.50]")
        #expect(node["b"].map { String(decoding: $0.rawBytes, as: UTF8.self) } == #""\u0041""#)
        #expect(node["a"]?.elements.map { String(decoding: $0.rawBytes, as: UTF8.self) } == ["1", "2.50"])
    }

    @Test func aNodeKeepsItsDocumentAlive() throws {
        let node = try root(#"{"a":["deep enough to need storage"]}"#)["a"]?.elements.first { _ in true }
        #expect(node?.string == "deep enough to need storage")
    }

    @Test func stringsAreComparedByBytes() throws {
        let node = try root(#"["é","e\u0301","\u00e9",""]"#)
        #expect(node.elements.map { $0.stringEquals("é") } == [true, false, true, false])
        #expect(node.elements.map { $0.stringEquals("") } == [false, false, false, true])
    }

    @Test func unescaping() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0000\u00e9\u20AC\uD83C\uDFDF\uffff tail\u0041""#
        #expect(try root(text).string == "\"\\/\u{8}\u{C}\n\r\t\0é€🏟\u{FFFF} tailA")
    }

    // MARK: Numbers

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9007199254740991", 9_007_199_254_740_991),
            ("-9007199254740991", -9_007_199_254_740_991), ("9007199254740992", nil),
            ("-9007199254740992", nil),
            ("18446744073709551617", nil), ("99999999999999999999999999999999", nil), ("1.0", nil),
            ("1e0", nil),
            ("-0.0", nil), ("10E1", nil),
        ] as [(String, Int?)])
    func integersAreWrittenAsIntegers(text: String, value: Int?) throws {
        #expect(try root(text).int == value)
    }

    @Test(arguments: [
        "0", "-0", "-0.0", "0.1", "0.3", "100", "1e22", "1e23", "-1e-22", "1e-23", "123.456e-10",
        "9007199254740991",
        "9007199254740993", "9007199254740991e22",
        "0.1000000000000000055511151231257827021181583404541015625",
        "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324", "2.4703282292062328e-324", "1e-400",
        "1.7976931348623157e308", "1.7976931348623158e308", "7.2057594037927933e16", "8.5e15",
        "100.33333333333333",
        "0.00000000000000000000000000000000000000000001e44", "123456789012345678901234567890e-20",
        "0e99999999999",
        "1e-99999999999999999999999", "0.000000000000000000000001",
    ])
    func doublesAreRoundedCorrectly(text: String) throws {
        // The standard library's conversion is exact, and is reached here without the parser's short cut.
        let expected = try #require(Double(text))
        #expect(try root(text).double?.bitPattern == expected.bitPattern)
        #expect(try root("[\(text)]").elements.first { _ in true }?.double?.bitPattern == expected.bitPattern)
    }

    @Test func digitsWithoutEnd() throws {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(try root("0.\(zeros)1e100001").double == 1)
        #expect(try root("1\(zeros)e-100000").double == 1)
        #expect(try root("1\(zeros)e-100000").int == nil)
        #expect(try root("0.\(zeros)1").double == 0)
        #expect(try root("1.\(zeros)1").double == 1)
        #expect(throws: JSONSyntaxError(.numberOutOfRange, at: 0)) { try root("1" + zeros) }
        #expect(throws: JSONSyntaxError(.numberOutOfRange, at: 0)) { try root("0.\(zeros)1e100310") }
    }

    @Test func shortDecimalsAgreeWithTheStandardLibrary() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<20_000 {
            let digits = UInt64.random(
                in: 0...UInt64(1) << UInt64.random(in: 1...56, using: &random), using: &random)
            let text = "\(digits).\(random.next() % 1000)e\(Int.random(in: -30...30, using: &random))"
            #expect(try root(text).double?.bitPattern == Double(text)?.bitPattern)
        }
    }
}
