import JSONLine
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func commasAndNesting() {
        let text = written { writer in
            writer.beginObject()
            writer.member("a", 1)
            writer.key("b")
            writer.beginArray()
            writer.beginObject()
            writer.endObject()
            writer.beginArray()
            writer.endArray()
            writer.value("x")
            writer.null()
            writer.value(true)
            writer.endArray()
            writer.key(escaping: "c")
            writer.beginObject()
            writer.member("d", false)
            writer.member("e", "")
            writer.endObject()
            writer.member("f", -0.5)
            writer.endObject()
            writer.endLine()
        }
        #expect(text == #"{"a":1,"b":[{},[],"x",null,true],"c":{"d":false,"e":""},"f":-0.5}"# + "\n")
    }

    @Test func rawValuesTakeTheirPlace() {
        let text = written { writer in
            writer.beginArray()
            writer.raw(Array(#"{"a":1}"#.utf8))
            writer.raw(Array("[1,2]".utf8)[...])
            writer.beginObject()
            writer.key("k")
            writer.raw(Array("null".utf8))
            writer.member("l", 2)
            writer.endObject()
            writer.endArray()
        }
        #expect(text == #"[{"a":1},[1,2],{"k":null,"l":2}]"#)
    }

    @Test func nilMembersAreLeftOut() {
        let text = written { writer in
            writer.beginObject()
            writer.member("a", String?.none)
            writer.member("b", Int?.none)
            writer.member("c", Int?.some(3))
            writer.member("d", Double?.none)
            writer.member("e", Bool?.none)
            writer.member("f", String?.some("x"))
            writer.member("g", Double?.some(1.5))
            writer.member("h", Bool?.some(true))
            writer.endObject()
        }
        #expect(text == #"{"c":3,"f":"x","g":1.5,"h":true}"#)
    }

    @Test func linesFollowOneAnother() {
        var writer = JSONWriter(reserving: 0)
        writer.value(1)
        writer.endLine()
        writer.beginObject()
        writer.endObject()
        writer.endLine()
        #expect(writer.take() == Array("1\n{}\n".utf8))
        #expect(writer.bytes.isEmpty)
        #expect(writer.bytes.capacity == 0)
        writer.value("again")
        #expect(writer.take() == Array("\"again\"".utf8))
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("\"", #""\"""#), ("\\", #""\\""#), ("/", #""/""#),
        ("\n\t\r\u{8}\u{C}", #""\n\t\r\b\f""#), ("\0\u{1}\u{1F}", #""\u0000\u0001\u001f""#),
        ("\u{7F}é😀", "\"\u{7F}é😀\""),
        ("12345678\"12345678", #""12345678\"12345678""#), ("éééé\néééé", #""éééé\néééé""#),
        ("\u{2028}", "\"\u{2028}\""),
    ])
    func strings(text: String, expected: String) {
        #expect(written { $0.value(text) } == expected)
    }

    @Test(arguments: [
        (0, "0"), (7, "7"), (-7, "-7"), (10, "10"), (1_234_567_890, "1234567890"),
        (.max, "9223372036854775807"),
        (.min, "-9223372036854775808"),
    ])
    func integers(value: Int, expected: String) {
        #expect(written { $0.value(value) } == expected)
    }

    @Test(
        arguments: [
            (100, "100"), (0, "0"), (-0.0, "-0"), (-1, "-1"), (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"),
            (150.5, "150.5"), (9_007_199_254_740_991, "9007199254740991"), (1e15, "1000000000000000"),
            (1e16, "1e+16"),
            (1e-7, "1e-07"), (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
        ] as [(Double, String)])
    func doubles(value: Double, expected: String) {
        #expect(written { $0.value(value) } == expected)
    }

    @Test func everyDoubleComesBackBitForBit() throws {
        var random = SplitMix64(seed: 1)
        for round in 0..<20_000 {
            // All bit patterns, and the sort orders that halving a gap again and again produces.
            let value =
                round.isMultiple(of: 2)
                ? random.finiteDouble() : Double.random(in: -2000...2000, using: &random)
            var writer = JSONWriter()
            writer.value(value)
            let back = try JSONDocument(parsing: writer.bytes).root.double
            #expect(back?.bitPattern == value.bitPattern)
        }
    }

    @Test func everyStringComesBack() throws {
        var random = SplitMix64(seed: 2)
        for length in 0..<2_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<length % 40 { text.append(random.scalar()) }
            let string = String(text)
            var writer = JSONWriter()
            writer.beginObject()
            writer.key(escaping: string)
            writer.value(string)
            writer.endObject()
            let root = try JSONDocument(parsing: writer.bytes).root
            #expect(root.member(named: string)?.string.map { Array($0.utf8) } == Array(string.utf8))
            #expect(root.members.map { Array($0.key.utf8) } == [Array(string.utf8)])
        }
    }

    @Test func sixtyFourLevelsAreKeptApart() throws {
        let text = written { writer in
            for level in 0..<64 {
                if level.isMultiple(of: 3) {
                    writer.beginArray()
                    writer.value(level)
                } else {
                    writer.beginObject()
                    writer.member("n", level)
                    writer.key("in")
                }
                if level % 3 == 0, level == 63 { writer.null() }
            }
            for level in (0..<64).reversed() {
                if level.isMultiple(of: 3) { writer.endArray() } else { writer.endObject() }
            }
        }
        _ = try JSONDocument(parsing: Array(text.utf8), maximumDepth: 64)
    }
}
