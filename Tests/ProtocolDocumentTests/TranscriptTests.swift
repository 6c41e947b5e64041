import JSONLine
import TestSupport
import Testing

/// The daemon must send exactly the lines of the recorded conversations, apart from placeholders.
@Suite struct TranscriptTests {
    @Test(arguments: (try? Transcript.all()) ?? [])
    func `a transcript replays`(name: String) throws {
        try Replay.run(Transcript(name: name), Audit(ProtocolSchema()))
    }

    @Test(arguments: (try? Transcript.ofOlderVersions()) ?? [])
    func `a client of an older minor version works`(name: String) throws {
        try Replay.run(Transcript(name: name), Audit(ProtocolSchema()))
    }

    @Test func `the required conversations exist`() throws {
        let names = [
            "attendance", "bad-lines", "batch", "catch-up", "create", "deferral", "focus", "hello", "history",
            "lease-expiry", "long-change", "refusals", "rejected-drop", "respacing", "restrict", "retry",
            "shutdown", "todo", "trash", "two-editors", "undo",
        ]
        #expect(try Transcript.all() == names.map { $0 + ".jsonl" })
    }

    private static func difference(_ actual: String, from expected: String, in known: inout Placeholders)
        throws -> String?
    {
        let (actual, expected) = (try parse(actual), try parse(expected))
        return known.difference(actual, from: expected)
    }

    private static func parse(_ text: String) throws -> JSONNode {
        try JSONDocument(parsing: Array(text.utf8)).root
    }

    @Test func `placeholders have one value each, and everything else must be equal`() throws {
        var known = Placeholders()
        let expected = #"{"a":"$x","b":["$any","$time"],"c":1}"#
        let time = #""2026-06-11T19:00:00.000Z""#
        #expect(try Self.difference(#"{"c":1,"a":7,"b":[{},\#(time)]}"#, from: expected, in: &known) == nil)
        for other in [
            #"{"a":8,"b":[{},\#(time)],"c":1}"#, #"{"a":7,"b":[{},"now"],"c":1}"#,
            #"{"a":7,"b":[{},\#(time)],"c":2}"#,
            #"{"a":7,"b":[{}],"c":1}"#, #"{"a":7,"b":[{},\#(time)]}"#,
            #"{"a":7,"b":[{},\#(time)],"c":1,"d":0}"#,
        ] {
            #expect(try Self.difference(other, from: expected, in: &known) != nil, "\(other)")
        }
        #expect(try known.filled(Self.parse(#"{"to":["$x","$y"]}"#)).excerpt == #"{"to":[7,"$y"]}"#)
    }
}
