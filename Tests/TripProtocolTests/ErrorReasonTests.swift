import JSONLine
import Testing
import TripModel

@testable import TripProtocol

@Suite struct ErrorReasonTests {
    /// The table of the protocol's documentation, copied by hand.
    private static let table: [Int: [String]] = [
        -32700: ["parse_error", "line_too_long"], -32600: ["invalid_request"], -32601: ["method_not_found"],
        -32602: ["invalid_params"], -32603: ["internal_error"],
        -32002: ["not_initialized", "unsupported_protocol"],
        -32010: ["trip_not_found", "item_not_found", "drag_not_found", "batch_not_found"],
        -32011: [
            "game_immovable", "day_out_of_range", "outside_valid_days", "before_departure_game",
            "after_arrival_game", "no_valid_position", "slug_taken", "text_not_allowed",
        ],
        -32012: [
            "version_conflict", "item_held", "already_dragging", "anchor_moved", "lease_expired",
            "undo_conflict",
            "nothing_to_undo", "nothing_to_redo", "duplicate_id", "seq_reuse", "seq_too_old",
        ],
        -32013: ["limit_exceeded"],
        -32014: ["storage_full", "storage_failed", "outcome_unknown", "trip_corrupt", "shutting_down"],
        -32015: ["read_only", "access_denied"],
    ]

    @Test func `every reason has the code of its class, and there are no others`() {
        var expected: [String: Int] = [:]
        for (code, reasons) in Self.table { for reason in reasons { expected[reason] = code } }
        let actual = Dictionary(uniqueKeysWithValues: ErrorReason.allCases.map { ($0.rawValue, $0.code) })
        #expect(actual == expected)
    }

    @Test func `an error is written with its code, message, reason and facts`() throws {
        let games = [ItemID(high: 0, low: 1), ItemID(high: 0, low: 2)]
        let error = WireError(
            .afterArrivalGame, "no", .field("to"), .offset(3), .validDays(1...4), .games(games), .expected(5),
            .actual(6), .by("Ann"), .limit("items", max: 7), .opIndex(8), .file("/f")
        ).with(
            .versions(
                client: ProtocolVersion(major: 1, minor: 2), server: ProtocolVersion(major: 3, minor: 0)))
        let line = try JSONDocument(parsing: ServerLine.error(.string("a"), error).dropLast()).root
        #expect(line["jsonrpc"]?.string == "2.0")
        #expect(line["id"]?.string == "a")
        #expect(line["error"]?["code"]?.int == -32011)
        #expect(line["error"]?["message"]?.string == "no")
        let data = try #require(line["error"]?["data"])
        let expected =
            #"{"reason":"after_arrival_game","field":"to","offset":3,"validDays":[1,4],"games":["\#(games[0])","\#(games[1])"],"#
            + #""expected":5,"actual":6,"by":"Ann","limit":"items","max":7,"opIndex":8,"file":"/f","#
            + #""client":{"major":1,"minor":2},"server":{"major":3,"minor":0},"older":"client"}"#
        #expect(String(decoding: data.rawBytes, as: UTF8.self) == expected)
    }

    @Test func `an error line ends with one newline, and its id is null if the request had none`() throws {
        let line = ServerLine.error(nil, WireError(.parseError, "a\nb", .offset(0)))
        #expect(line.count(where: { $0 == UInt8(ascii: "\n") }) == 1)
        #expect(line.last == UInt8(ascii: "\n"))
        #expect(try JSONDocument(parsing: line).root["id"]?.isNull == true)
    }

    @Test func `a client decodes an error's code, reason and message, also with an unknown reason`() throws {
        func read(_ reason: String) throws -> IncomingMessage {
            try IncomingMessage(
                line: Array(
                    #"{"jsonrpc":"2.0","id":7,"error":{"code":-32012,"message":"m","data":{"reason":"\#(reason)"}}}"#
                        .utf8))
        }
        guard case .reply(let id?, .failure(let known)) = try read("item_held") else {
            Issue.record("an error is a failed reply")
            return
        }
        #expect(id == .number(7))
        #expect(known.code == -32012)
        #expect(known.known == .itemHeld)
        guard case .reply(_, .failure(let unknown)) = try read("from_the_future") else {
            Issue.record("an error is a failed reply")
            return
        }
        #expect(unknown.known == nil)
        #expect(unknown.reason == "from_the_future")
    }
}
