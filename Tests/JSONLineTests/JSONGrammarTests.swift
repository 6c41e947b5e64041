import JSONLine
import Testing

/// RFC 8259: texts that must be accepted, and texts that must be rejected, with the error and its position.
@Suite struct JSONGrammarTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1", "-1", "10", "0.5", "-0.0", "1.25e3", "1E3", "1e+3", "1e-3",
        "0e0",
        "0e999", "-0.000e99999999999999999999", "1e-999", "123456789012345678901234567890",
        "1.7976931348623157e308",
        "0.00000000000000000000000000000000000001e345", #""""#, #""a""#, #"" ""#, "\"\u{7f}\"", "\"\u{80}\"",
        "\"\u{2028}\u{2029}\"", "\"\u{FEFF}\"", "\"\u{FFFE}\u{FFFF}\"", "\"\u{10FFFF}\"",
        "\"\u{D7FF}\u{E000}\"",
        #""\"\\\/\b\f\n\r\t""#, #""\u0000\u001f\u007F\uABCD\uabcd""#, #""\ud83d\ude00""#, #""\uDBFF\uDFFF""#,
        #""\\u000""#, "[]", "[ ]", "[1]", "[1,2]", "[[],[[]]]", "[null, 1, \"1\", {}]", "{}", "{ }",
        #"{"a":1}"#,
        #"{"":0}"#, #"{"a":{"a":{"a":1}}}"#, #"{"a":1,"A":2,"a ":3}"#, #"[{"a":1},{"a":2}]"#, " 1 ",
        "\t[\r\n]\n",
        #" { "a" : [ 1 , 2 ] , "b" : null } "#, #"{"\u0061":1,"b":2}"#, "\"12345678\"", "\"1234567é\"",
    ])
    func accepts(text: String) throws {
        _ = try JSONDocument(parsing: Array(text.utf8))
    }

    @Test(arguments: [
        Refusal("", .emptyInput, 0),
        Refusal("  \t", .emptyInput, 3),
        Refusal("\u{FEFF}{}", .byteOrderMark, 0),
        Refusal("\u{FEFF}", .byteOrderMark, 0),
        // Cut short.
        Refusal("[", .unexpectedEnd, 1),
        Refusal("[1", .unexpectedEnd, 2),
        Refusal("[1,", .unexpectedEnd, 3),
        Refusal("{", .unexpectedEnd, 1),
        Refusal(#"{"a"#, .unexpectedEnd, 3),
        Refusal(#"{"a""#, .unexpectedEnd, 4),
        Refusal(#"{"a":"#, .unexpectedEnd, 5),
        Refusal(#"{"a":1"#, .unexpectedEnd, 6),
        Refusal(#"{"a":1,"#, .unexpectedEnd, 7),
        Refusal(#"""#, .unexpectedEnd, 1),
        Refusal(#""abc"#, .unexpectedEnd, 4),
        Refusal(#""\"#, .unexpectedEnd, 2),
        Refusal(#""\u12"#, .unexpectedEnd, 5),
        Refusal(#""\ud83d"#, .unexpectedEnd, 7),
        Refusal(#""\ud83d\"#, .unexpectedEnd, 8),
        Refusal("tru", .unexpectedEnd, 3),
        Refusal("-", .unexpectedEnd, 1),
        Refusal("1.", .unexpectedEnd, 2),
        Refusal("1e", .unexpectedEnd, 2),
        Refusal("1e+", .unexpectedEnd, 3),
        // Structure.
        Refusal("]", .valueExpected, 0),
        Refusal("}", .valueExpected, 0),
        Refusal(",", .valueExpected, 0),
        Refusal("'a'", .valueExpected, 0),
        Refusal("/* */1", .valueExpected, 0),
        Refusal("é", .valueExpected, 0),
        Refusal("\u{A0}1", .valueExpected, 0),
        Refusal("[,1]", .valueExpected, 1),
        Refusal("[1,,2]", .valueExpected, 3),
        Refusal(#"{"a":}"#, .valueExpected, 5),
        Refusal(#"{"a":,"b":1}"#, .valueExpected, 5),
        Refusal("{1:2}", .keyExpected, 1),
        Refusal("{a:2}", .keyExpected, 1),
        Refusal("{,}", .keyExpected, 1),
        Refusal(#"{"a":1,,"b":2}"#, .keyExpected, 7),
        Refusal("{null:1}", .keyExpected, 1),
        Refusal("{]", .keyExpected, 1),
        Refusal("[}", .valueExpected, 1),
        Refusal(#"{"a" 1}"#, .colonExpected, 5),
        Refusal(#"{"a",1}"#, .colonExpected, 4),
        Refusal(#"{"a"}"#, .colonExpected, 4),
        Refusal(#"{"a"::1}"#, .valueExpected, 5),
        Refusal("[1 2]", .commaOrEndExpected, 3),
        Refusal("[1:2]", .commaOrEndExpected, 2),
        Refusal("[1}", .commaOrEndExpected, 2),
        Refusal(#"{"a":1]"#, .commaOrEndExpected, 6),
        Refusal(#"{"a":1 "b":2}"#, .commaOrEndExpected, 7),
        Refusal(#"["a" "b"]"#, .commaOrEndExpected, 5),
        Refusal("[1,]", .trailingComma, 2),
        Refusal("[1 , ]", .trailingComma, 3),
        Refusal("[[1],]", .trailingComma, 4),
        Refusal(#"{"a":1,}"#, .trailingComma, 6),
        Refusal("1 2", .trailingBytes, 2),
        Refusal("{}{}", .trailingBytes, 2),
        Refusal("[]]", .trailingBytes, 2),
        Refusal("1,", .trailingBytes, 1),
        Refusal("nullx", .trailingBytes, 4),
        Refusal("0x10", .trailingBytes, 1),
        Refusal("1_000", .trailingBytes, 1),
        Refusal("{}//", .trailingBytes, 2),
        // Control bytes.
        Refusal("\0", .controlByte, 0),
        Refusal("{}\0", .controlByte, 2),
        Refusal("[\u{0B}1]", .controlByte, 1),
        Refusal("1\u{0C}", .controlByte, 1),
        Refusal("\"\0\"", .controlByte, 1),
        Refusal("\"a\nb\"", .controlByte, 2),
        Refusal("\"a\tb\"", .controlByte, 2),
        Refusal("\"12345678\u{1F}\"", .controlByte, 9),
        Refusal("\"\u{1F}23456789\"", .controlByte, 1),
        Refusal("\"éé\u{01}\"", .controlByte, 5),
        // Literals.
        Refusal("True", .invalidLiteral, 0),
        Refusal("NULL", .invalidLiteral, 0),
        Refusal("nul]", .invalidLiteral, 3),
        Refusal("[tru]", .invalidLiteral, 4),
        Refusal("fAlse", .invalidLiteral, 1),
        Refusal("undefined", .invalidLiteral, 0),
        Refusal("NaN", .invalidLiteral, 0),
        Refusal("nan", .invalidLiteral, 1),
        Refusal("Infinity", .invalidLiteral, 0),
        // Numbers.
        Refusal("-Infinity", .invalidNumber, 1),
        Refusal("-NaN", .invalidNumber, 1),
        Refusal("+1", .invalidNumber, 0),
        Refusal("[ +1]", .invalidNumber, 2),
        Refusal(".5", .invalidNumber, 0),
        Refusal("-.5", .invalidNumber, 1),
        Refusal("[1.]", .invalidNumber, 3),
        Refusal("1.e5", .invalidNumber, 2),
        Refusal("--1", .invalidNumber, 1),
        Refusal("- 1", .invalidNumber, 1),
        Refusal("[1e]", .invalidNumber, 3),
        Refusal("1e+-2", .invalidNumber, 3),
        Refusal("1e.5", .invalidNumber, 2),
        Refusal("[-]", .invalidNumber, 2),
        Refusal("1.2.3", .trailingBytes, 3),
        Refusal("1e2.5", .trailingBytes, 3),
        Refusal("00", .leadingZero, 0),
        Refusal("01", .leadingZero, 0),
        Refusal("[-012.5]", .leadingZero, 2),
        Refusal("1e999", .numberOutOfRange, 0),
        Refusal("[ -1e999]", .numberOutOfRange, 2),
        Refusal("1.7976931348623159e308", .numberOutOfRange, 0),
        Refusal("10e308", .numberOutOfRange, 0),
        Refusal("1e99999999999999999999999999", .numberOutOfRange, 0),
        // Escapes.
        Refusal(#""\x41""#, .invalidEscape, 2),
        Refusal(#""\'""#, .invalidEscape, 2),
        Refusal(#""a\U0041""#, .invalidEscape, 3),
        Refusal(#""\u12G4""#, .invalidEscape, 5),
        Refusal(#""\u""#, .invalidEscape, 3),
        Refusal(#""\u+123""#, .invalidEscape, 3),
        Refusal(#""\u{41}""#, .invalidEscape, 3),
        Refusal("\"\\\n\"", .controlByte, 2),
        Refusal(#""\ud800""#, .loneSurrogate, 1),
        Refusal(#""ab\udfff""#, .loneSurrogate, 3),
        Refusal(#""\ud83d\ud83d""#, .loneSurrogate, 1),
        Refusal(#""\ud83dx""#, .loneSurrogate, 1),
        Refusal(#""\ud83d\n""#, .loneSurrogate, 1),
        Refusal(#""\ud83d\u0041""#, .loneSurrogate, 1),
        Refusal(#""\ude00\ud83d""#, .loneSurrogate, 1),
        Refusal(#"{"\ud83d":1}"#, .loneSurrogate, 2),
    ])
    func refuses(refusal: Refusal) {
        #expect(throws: JSONSyntaxError(refusal.reason, at: refusal.offset)) {
            try JSONDocument(parsing: Array(refusal.text.utf8))
        }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xFE], [0xFF], [0xC3], [0xC3, 0x28], [0xC0, 0x80], [0xC1, 0xBF],
            [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x28],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func refusesIllFormedUTF8(sequence: [UInt8]) {
        for (prefix, suffix) in [
            ("\"", "\""), ("\"12345678", "12345678\""), ("{\"é", "\":1}"), ("", ""), ("[1", "]"),
        ] {
            let expected = JSONSyntaxError(.invalidUTF8, at: prefix.utf8.count)
            #expect(throws: expected) {
                try JSONDocument(parsing: Array(prefix.utf8) + sequence + Array(suffix.utf8))
            }
            #expect(throws: expected) { try JSONDocument(parsing: Array(prefix.utf8) + sequence) }
        }
    }

    @Test func acceptsEveryWellFormedScalarAndNothingLikeIt() throws {
        for value in UInt32(0x20)...0x10_FFFF {
            guard let scalar = Unicode.Scalar(value), scalar != "\"", scalar != "\\" else { continue }
            // Only every 251st of the longer forms.
            guard value < 0x900 || value % 251 == 0 else { continue }
            let document = try JSONDocument(parsing: [0x22] + Array(String(scalar).utf8) + [0x22])
            #expect(document.root.string == String(scalar))
        }
    }

    @Test func everyReasonSaysSomethingOfItsOwn() {
        let words = Set(JSONSyntaxError.Reason.allCases.map(\.description))
        #expect(words.count == JSONSyntaxError.Reason.allCases.count)
        #expect(
            JSONSyntaxError(.trailingComma, at: 7).description
                == "a comma after the last element is not allowed at byte 7")
    }

    @Test func offsetsOfASliceCountFromItsFirstByte() {
        let bytes = Array("garbage[1,]".utf8)
        #expect(throws: JSONSyntaxError(.trailingComma, at: 2)) { try JSONDocument(parsing: bytes[7...]) }
    }

    // MARK: Depth

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")])
    func depth(opening: String, closing: String) throws {
        let levels = opening.count { $0 == "[" || $0 == "{" }
        func nested(_ depth: Int) -> [UInt8] {
            let repeats = depth / levels
            return Array(
                (String(repeating: opening, count: repeats) + "1" + String(repeating: closing, count: repeats))
                    .utf8)
        }
        _ = try JSONDocument(parsing: nested(32))
        let offset = opening.utf8.count * (32 / levels)
        #expect(throws: JSONSyntaxError(.tooDeep, at: offset)) {
            try JSONDocument(parsing: nested(32 + levels))
        }
        _ = try JSONDocument(parsing: nested(32 + levels), maximumDepth: 32 + levels)
    }

    @Test func depthCountsOpenContainersOnly() throws {
        let siblings = Array(("[" + Array(repeating: "[[]]", count: 100).joined(separator: ",") + "]").utf8)
        _ = try JSONDocument(parsing: siblings, maximumDepth: 3)
        #expect(throws: JSONSyntaxError(.tooDeep, at: 2)) {
            try JSONDocument(parsing: siblings, maximumDepth: 2)
        }
    }

    @Test func aMillionOpeningBracketsAreRefusedAtTheCap() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: JSONSyntaxError(.tooDeep, at: 32)) { try JSONDocument(parsing: bytes) }
        // There is no recursion, so without a limit the stack cannot overflow.
        #expect(throws: JSONSyntaxError(.unexpectedEnd, at: 1_000_000)) {
            try JSONDocument(parsing: bytes, maximumDepth: .max)
        }
    }
}

/// A text and its expected error.
struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let reason: JSONSyntaxError.Reason
    let offset: Int

    init(_ text: String, _ reason: JSONSyntaxError.Reason, _ offset: Int) {
        self.text = text
        self.reason = reason
        self.offset = offset
    }

    var testDescription: String { text.debugDescription }
}
