import Foundation
import JSONLine
import Testing
import TripProtocol

/// The table in `Protocol/transcripts/README.md` lists the transcripts of each message.
@Suite struct CoverageTests {
    /// Messages that no conversation with a healthy daemon contains.
    private static let unshown: Set = [
        "internal_error", "shutting_down", "storage_full", "storage_failed", "outcome_unknown",
        "trip_corrupt",
        // Needs several accounts.
        "access_denied",
    ]

    private static func table(_ schema: ProtocolSchema, _ shown: [String: Set<String>]) -> [String] {
        func rows(_ title: String, _ names: [String]) -> [String] {
            ["", "| \(title) | shown in |", "|---|---|"]
                + names.map { name in
                    let links = (shown[name] ?? []).sorted().map { "[\($0)](\($0).jsonl)" }
                    return "| `\(name)` | \(links.isEmpty ? "–" : links.joined(separator: ", ")) |"
                }
        }
        return rows("method", schema.methodNames) + rows("notification", schema.notificationNames)
            + rows("reason", ErrorReason.allCases.map(\.rawValue))
    }

    @Test func `every method, notification and reason is in a transcript, and the table lists which`() throws
    {
        let (schema, shown) = (try ProtocolSchema(), try Transcript.coverage())
        let all =
            schema.methodNames + schema.notificationNames
            + ErrorReason.allCases.map(\.rawValue).filter { !Self.unshown.contains($0) }
        for name in all { #expect(shown[name] != nil, "no transcript shows \(name)") }
        let text = try Checkout.text(of: "Protocol/transcripts/README.md")
        let wanted = Self.table(schema, shown).joined(separator: "\n") + "\n"
        #expect(text.hasSuffix(wanted), "the table is to end so: \(wanted)")
    }
}
