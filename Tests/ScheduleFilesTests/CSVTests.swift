import ScheduleFiles
import TestSupport
import Testing

@Suite struct CSVTests {
    private func records(_ bytes: [UInt8]) throws -> [CSVRecord] {
        var reader = CSVReader(bytes)
        var records: [CSVRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    private func fields(_ text: String) throws -> [[String]] {
        try records(Array(text.utf8)).map { $0.fields.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test(arguments: [
        ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]), ("a,b", [["a", "b"]]),
        ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
        ("", []), ("\n\r\n\n", []), ("\u{FEFF}a,b\n", [["a", "b"]]), ("\u{FEFF}", []), (",", [["", ""]]),
        (",\n,", [["", ""], ["", ""]]), ("a,\n", [["a", ""]]), ("\"a\",\"b\"\n", [["a", "b"]]),
        ("\"a,b\",c", [["a,b", "c"]]), ("\"a\"\"b\"", [["a\"b"]]), ("\"\"\"\"", [["\""]]),
        ("\"\"", [[""]]),
        ("\"a\nb\r\nc\",d\ne,f", [["a\nb\r\nc", "d"], ["e", "f"]]), ("a\"b,c", [["a\"b", "c"]]),
        (" \"a\"", [[" \"a\""]]), ("a\rb,c\n", [["a"], ["b", "c"]]), ("a\r", [["a"]]),
        ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]), ("\"a\rb\",c\rd", [["a\rb", "c"], ["d"]]),
        ("\"a\"\r\n", [["a"]]),
        ("\n\na\n\nb", [["a"], ["b"]]), (" \n", [[" "]]), ("é,日本\n", [["é", "日本"]]),
        ("a\u{FEFF},b", [["a\u{FEFF}", "b"]]), ("=1+1,@x", [["=1+1", "@x"]]),
    ])
    func `fields, quotes, doubled quotes, and line ends inside quotes`(text: String, expected: [[String]])
        throws
    {
        #expect(try fields(text) == expected)
    }

    @Test func `a record's line is its first, with quoted and blank lines counted`() throws {
        let text = "\u{FEFF}h\r\n\n\"a\nb\r\nc\"\n\nd\n\"x\"\"\ny\"\nlast"
        #expect(try records(Array(text.utf8)).map(\.line) == [1, 3, 7, 8, 10])
    }

    @Test(arguments: [
        ("a\n\"b\nc\nd", CSVError.unterminatedQuote(line: 2)), ("\"", .unterminatedQuote(line: 1)),
        ("\"a\"\"", .unterminatedQuote(line: 1)), ("a,\"b\n\nc,\"x\"\n", .textAfterClosingQuote(line: 3)),
        ("a\n\"b\"c\n", .textAfterClosingQuote(line: 2)), ("\"a\" ,b", .textAfterClosingQuote(line: 1)),
        ("x\n\"a\nb\"c", .textAfterClosingQuote(line: 3)),
        ("x\r\"a\rb\"c", .textAfterClosingQuote(line: 3)),
    ])
    func `errors contain their line`(text: String, error: CSVError) throws {
        #expect(throws: error) { try fields(text) }
        #expect("\(error)".hasPrefix("line "))
    }

    @Test func `a field is quoted only if necessary, and lines end with CRLF`() {
        var writer = CSVWriter()
        writer.write(["a", "b c", ""])
        writer.write(["a,b", "say \"x\"", "two\nlines", "cr\r", "=1+1"])
        writer.write([""])
        let expected = "a,b c,\r\n\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",\"cr\r\",=1+1\r\n\"\"\r\n"
        #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
    }

    @Test(arguments: 0..<200)
    func `written records are read back unchanged`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "a", "b", ",", "\"", "\n", "\r", "\r\n", "é", "日", " ", "'", "\u{FEFF}", "\t", "", "\"\"",
        ]
        var writer = CSVWriter()
        var expected: [[String]] = []
        for _ in 0..<random.below(8) {
            let record = (0...random.below(5)).map { _ in
                (0..<random.below(6)).map { _ in pieces[random.below(pieces.count)] }.joined()
            }
            // A byte-order mark at the very start is skipped, so such a table begins with a header.
            if expected.isEmpty {
                writer.write(["header"])
                expected.append(["header"])
            }
            writer.write(record)
            expected.append(record)
        }
        let text = String(decoding: writer.bytes, as: UTF8.self)
        let back = try fields(text)
        #expect(back.map { $0.map { Array($0.utf8) } } == expected.map { $0.map { Array($0.utf8) } })
    }

    @Test(arguments: 0..<200)
    func `bytes that are not text are preserved, and no input makes the reader loop or trap`(seed: UInt64)
        throws
    {
        var random = SplitMix64(seed: seed)
        let alphabet: [UInt8] = [0x2C, 0x22, 0x0A, 0x0D, 0x61, 0xEF, 0xBB, 0xBF, 0xFF, 0x00]
        let bytes = (0..<random.below(60)).map { _ in alphabet[random.below(alphabet.count)] }
        guard let records = try? records(bytes) else { return }
        let lines = bytes.count(where: { $0 == 0x0A || $0 == 0x0D }) + 1
        #expect(records.allSatisfy { $0.line <= lines && !$0.fields.isEmpty })
        #expect(records.map(\.line) == records.map(\.line).sorted())
        if !bytes.contains(0x22) {
            let kept = records.map { $0.fields.map(\.count).reduce($0.fields.count - 1, +) }.reduce(0, +)
            let dropped = bytes.count - kept
            #expect(dropped <= 3 + 2 * lines)
        }
    }
}
