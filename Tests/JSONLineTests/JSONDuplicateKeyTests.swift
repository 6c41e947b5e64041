import JSONLine
import Testing

@Suite struct JSONDuplicateKeyTests {
    private func parse(_ text: String) throws(JSONSyntaxError) -> JSONDocument {
        try JSONDocument(parsing: Array(text.utf8))
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, 7),
        (#"{"":1,"":2}"#, 6),
        (#"{"a":1,"b":2,"a":1}"#, 13),
        (#"{"a":1,"\u0061":2}"#, 7),
        (#"{"\u0061":1,"a":2}"#, 12),
        (#"{"\u00e9":1,"é":2}"#, 12),
        (#"{"\ud83d\ude00":1,"😀":2}"#, 18),
        (#"{"a\/b":1,"a/b":2}"#, 10),
        (#"{"\n":1,"\u000A":2}"#, 8),
        (#"[0,{"x":{"a":1,"a":2}}]"#, 15),
        (#"{"x":{"a":1},"x":{"b":1}}"#, 13),
        (#"{"a":{"a":1,"b":2},"b":1,"c":0,"b":2}"#, 31),
        (#"{"12345678":1,"12345678":2}"#, 14),
        (#"{"a":1,"a":2,"b":3,"b":4}"#, 7),
    ])
    func refusesAKeyUsedTwice(text: String, offset: Int) {
        #expect(throws: JSONSyntaxError(.duplicateKey, at: offset)) { try parse(text) }
    }

    @Test(arguments: [
        #"{"a":1,"A":2}"#,
        #"{"é":1,"e\u0301":2}"#,
        #"{"a":{"a":{"a":1}},"b":{"a":1,"b":2}}"#,
        #"[{"a":1},{"a":1}]"#,
        #"{"a":"a","b":"a"}"#,
        #"{"\\u0061":1,"a":2}"#,
        #"{"a\u0000":1,"a":2}"#,
    ])
    func acceptsKeysThatDiffer(text: String) throws {
        _ = try parse(text)
    }

    /// Around the number of keys at which pairwise comparison is replaced by sorting.
    @Test(arguments: 2...40)
    func findsADuplicateAnywhere(count: Int) throws {
        let keys = (0..<count).map { "\"key\($0)\"" }
        _ = try parse("{" + keys.map { $0 + ":0" }.joined(separator: ",") + "}")
        for first in 0..<count - 1 {
            for second in [first + 1, count - 1] {
                var repeated = keys
                repeated[second] = repeated[first].replacing("k", with: "\\u006b")
                let offset = 1 + repeated[..<second].reduce(0) { $0 + $1.utf8.count + 3 }
                #expect(throws: JSONSyntaxError(.duplicateKey, at: offset)) {
                    try parse("{" + repeated.map { $0 + ":0" }.joined(separator: ",") + "}")
                }
            }
        }
    }

    @Test func theFirstRepetitionOfManyIsReported() {
        let keys = (0..<50).map { "\"\($0 % 20)\":0" }
        let offset = 1 + keys[..<20].reduce(0) { $0 + $1.utf8.count + 1 }
        #expect(throws: JSONSyntaxError(.duplicateKey, at: offset)) {
            try parse("{" + keys.joined(separator: ",") + "}")
        }
    }

    @Test func aHundredThousandKeysAreNoBurden() throws {
        let keys = (0..<100_000).map { "\"\($0)\":\($0)" }
        let root = try parse("{" + keys.joined(separator: ",") + "}").root
        #expect(root.count == 100_000)
        #expect(root.member(named: "99999")?.int == 99_999)

        let offset = 1 + keys.reduce(0) { $0 + $1.utf8.count + 1 }
        #expect(throws: JSONSyntaxError(.duplicateKey, at: offset)) {
            try parse("{" + (keys + ["\"5000\":1"]).joined(separator: ",") + "}")
        }
    }

    @Test func largeObjectsWithinALargeObject() throws {
        let inner = "{" + (0..<30).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let root = try parse("{" + (0..<3000).map { "\"\($0)\":\(inner)" }.joined(separator: ",") + "}").root
        #expect(root["2999"]?["29"]?.int == 0)
        #expect(root["2999"]?["30"] == nil)
    }
}
