import TestSupport
import Testing

/// The section “Lines” of Protocol/README.md.
@Suite struct FramingTests {
    private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

    @Test(arguments: [
        "\u{FEFF}" + ping, #"{"jsonrpc":"2.0","id":1,"method":"ping","id":2}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"ping",}"#, #"{"jsonrpc":"2.0","id":1e999,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"ping","x":"\ud800"}"#, ping + ping, "garbage", "{",
        #"{"jsonrpc":"2.0","id":NaN,"method":"ping"}"#, "\u{0}",
        #"{"jsonrpc":"2.0","id":01,"method":"ping"}"#,
    ])
    func `a bad line is parse_error with an offset and no id, and the connection continues`(_ bad: String)
        throws
    {
        let client = try TestServer().connected()
        try client.send(bad)
        let line = try client.line()
        #expect(line.json["id"]?.isNull == true)
        #expect(line.error?["code"]?.int == -32700)
        #expect(line.reason == "parse_error")
        #expect(line.data?["offset"]?.int != nil)
        try client.drain()
    }

    @Test func `bytes that are not UTF-8 are parse_error`() throws {
        let client = try TestServer().connected()
        try client.send(
            raw: Array(#"{"jsonrpc":"2.0","id":1,"method":"ping","x":""#.utf8) + [0xC3, 0x28]
                + Array("\"}\n".utf8))
        #expect(try client.line().reason == "parse_error")
    }

    @Test(arguments: [(31, true), (32, false)])
    func `depth 32 is accepted and depth 33 is not`(nested: Int, isParsed: Bool) throws {
        let client = try TestServer().connected()
        // The request's object has depth 1.
        let x = String(repeating: "[", count: nested) + String(repeating: "]", count: nested)
        try client.send(#"{"jsonrpc":"2.0","id":1,"method":"ping","x":\#(x)}"#)
        let line = try client.line()
        #expect((line.result != nil) == isParsed)
        if !isParsed { #expect(line.reason == "parse_error") }
    }

    @Test func `carriage returns and blank lines are accepted`() throws {
        let client = try TestServer().connected()
        try client.send(raw: Array("\n\r\n  \n\(Self.ping)\r\n\n".utf8))
        #expect(try client.line().id == 1)
        try client.drain()
    }

    @Test func `a line over the limit is reported before its end, and the connection continues`() throws {
        let client = try TestServer().connected()
        try client.send(raw: [UInt8](repeating: UInt8(ascii: "x"), count: (1 << 20) + 2))
        let line = try client.line()
        #expect(line.reason == "line_too_long")
        #expect(line.error?["code"]?.int == -32700)
        #expect(line.json["id"]?.isNull == true)
        try client.send(raw: [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20))
        try client.send("")
        // It is reported once; then the next line is read.
        try client.drain()
    }

    @Test func `a line of exactly the limit is accepted`() throws {
        let client = try TestServer().connected()
        let head = #"{"jsonrpc":"2.0","id":1,"method":"ping","x":""#
        let filling = String(repeating: "y", count: (1 << 20) - head.utf8.count - 2)
        try client.send(head + filling + "\"}")
        #expect(try client.line().result != nil)
    }

    @Test func `an unfinished last line is dropped, and earlier requests are answered`() throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try client.makeTrip()
        try client.send(client.request("item.remove", #"{"trip":"t","item":"\#(id(4))"}"#))
        try client.send(raw: Array(client.request("item.remove", #"{"trip":"t","item":"\#(id(5))"}"#).utf8))
        client.closeWriting()
        let lines = try client.linesToEnd()
        #expect(lines.count == 1)
        #expect(lines.first?.version == 2)
        let other = try server.client("bob")
        #expect(try other.result("trip.get", #"{"trip":"t"}"#).places.contains("4 05"))
    }

    @Test func `each of sixteen consecutive bad lines is answered, and the last closes the connection`()
        throws
    {
        let client = try TestServer().connected()
        // A valid JSON line, even one that is not a request, resets the count.
        let bad = { (count: Int) in String(repeating: "bad\n", count: count) }
        try client.send(bad(15) + "[]\n" + bad(17))
        let lines = try client.linesToEnd()
        #expect(lines.count == 15 + 1 + 16 + 1)
        #expect(lines.prefix(15).allSatisfy { $0.reason == "parse_error" })
        #expect(lines[15].reason == "invalid_request")
        #expect(lines.dropFirst(16).prefix(16).allSatisfy { $0.reason == "parse_error" })
        #expect(lines.last?.method == "goodbye")
        #expect(lines.last?.params?["reason"]?.string == "bad_lines")
    }

    @Test func `requests before sixteen bad lines are answered before the goodbye`() throws {
        let server = try TestServer.held()
        let client = try server.client("ann")
        try client.makeTrip()
        server.held?.hold()
        let move = client.request("item.move", LineClient.moving(4, to: end(5)))
        let get = client.request("trip.get", #"{"trip":"t"}"#)
        let bad = Array(repeating: "bad", count: 16).joined(separator: "\n")
        try client.send(move + "\n" + get + "\n" + bad)
        try server.awaitHeld()
        server.held?.resume()
        let lines = try client.linesToEnd()
        #expect(lines.count == 19)
        #expect(lines.first?.version == 2)
        #expect(lines.count(where: { $0.reason == "parse_error" }) == 16)
        #expect(lines.last?.method == "goodbye")
    }
}
