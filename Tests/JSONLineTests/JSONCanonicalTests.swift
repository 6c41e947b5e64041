import JSONLine
import TestSupport
import Testing

@Suite struct JSONCanonicalTests {
    private func canonical(_ text: String) throws -> String {
        String(decoding: try JSONDocument(parsing: Array(text.utf8)).root.canonicalBytes(), as: UTF8.self)
    }

    @Test(arguments: [
        (#" { "b" : 1 , "a" : [ true , null ] } "#, #"{"a":[true,null],"b":1}"#),
        (#"{"b":{"d":1,"c":2},"a":{}}"#, #"{"a":{},"b":{"c":2,"d":1}}"#),
        (#"{"é":1,"z":2,"\u007a\u007a":3,"":4}"#, #"{"":4,"z":2,"zz":3,"é":1}"#),
        (#""\u0041\/\u00e9\ud83d\ude00\u000a\u0022\u0001""#, #""A/é😀\n\"\u0001""#),
        ("\"é\u{7f}\"", "\"é\u{7f}\""),
        ("[1,1.0,10e-1,100E-2]", "[1,1,1,1]"),
        ("[0,-0,-0.0,0e5]", "[0,0,0,0]"),
        ("[-1.50,15e-1,0.1000]", "[-1.5,1.5,0.1]"),
        ("[1e2,9007199254740991]", "[100,9007199254740991]"),
        ("[9007199254740992,9007199254740992.0]", "[9007199254740992.0,9007199254740992.0]"),
        ("[]", "[]"),
    ])
    func oneSpelling(text: String, expected: String) throws {
        #expect(try canonical(text) == expected)
        #expect(try canonical(expected) == expected)
    }

    /// UTF-16 order would put the emoji (a surrogate pair) before U+FF5E.
    @Test func keysAreOrderedByTheirUTF8Bytes() throws {
        #expect(try canonical(#"{"😀":1,"～":2,"a":3,"B":4}"#) == #"{"B":4,"a":3,"～":2,"😀":1}"#)
    }

    @Test func requestsThatDifferStayDifferent() throws {
        let requests = [
            #"{"a":1}"#, #"{"a":"1"}"#, #"{"a":true}"#, #"{"a":null}"#, #"{}"#, #"{"a":[1]}"#, #"{"a":[]}"#,
            #"{"a":{}}"#, #"{"A":1}"#, #"{"a":2}"#, #"{"a":1,"b":1}"#, #"{"a":[1,2]}"#, #"{"a":[2,1]}"#,
        ]
        #expect(Set(try requests.map(canonical)).count == requests.count)
    }

    @Test func canonicalFormOfRandomDocumentsIsItsOwn() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<500 {
            let once = try canonical(random.document(depth: 5))
            #expect(try canonical(once) == once)
        }
    }
}
