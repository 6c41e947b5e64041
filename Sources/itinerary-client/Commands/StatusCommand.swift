import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `status`: the daemon's state, for people and monitoring.
enum StatusCommand {
    private static let prometheus = OptionRow.flag(
        "--prometheus", "print metrics in the Prometheus text format")

    static let command = Command(
        name: "status", summary: "show the daemon's status", forms: ["[--prometheus]"],
        options: [prometheus],
        examples: [
            .init("status", "start time, trips, people, memory"),
            .init("status --prometheus", "for monitoring"),
            .init("status >/dev/null && echo running", "in a script"),
        ],
        exits: [.unavailable: "no daemon is running; status does not start one"], startsDaemon: false,
        run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let (client, welcome) = try await asking(await invocation.caller.connect(role: .viewer))
        let stats = try await asking(await client.perform(.stats))
        await client.close()
        let address = invocation.caller.address
        if invocation.has(prometheus) {
            let text = DaemonMetrics.text(of: stats, journals: JournalSizes(of: address))
            return StandardStream.output.write(text)
        }
        guard invocation.isJSON else {
            return StandardStream.output.print(
                DaemonWords.lines(stats, welcome, address: address).joined(separator: "\n"))
        }
        Answer.print { json in
            json.member("socket", address.host == nil ? address.listeningPath : nil)
            json.member("host", address.host?.description)
            json.key("protocol")
            json.encode(welcome.version)
            json.member("pid", welcome.serverProcess)
            if let journals = JournalSizes(of: address) {
                json.member("data", journals.data)
                json.member("journalBytes", journals.byteCount)
            }
            for (key, value) in stats.members {
                json.key(escaping: key)
                json.raw(value.rawBytes)
            }
        }
    }
}

/// The disk usage of the journals of a daemon on this machine.
struct JournalSizes {
    /// The data directory.
    let data: String
    let byteCount: Int

    /// Nil for a remote daemon, and if the data directory is unknown.
    init?(of address: DaemonAddress) {
        guard address.host == nil, let record = DaemonStarter.record(ofSocket: address.listeningPath) else {
            return nil
        }
        data = record.data
        let trips = record.data + "/trips"
        let names = (try? RealFileSystem().list(trips)) ?? []
        byteCount = names.reduce(0) { sum, name in
            let status = (try? FileStatus.ofPath("\(trips)/\(name)/journal")) ?? nil
            return sum + Int(status?.size ?? 0)
        }
    }
}

/// The daemon's statistics as text.
enum DaemonWords {
    static func lines(_ stats: JSONNode, _ welcome: Welcome, address: DaemonAddress) -> [String] {
        func count(_ name: StaticString) -> Int { stats[name]?.int ?? 0 }
        var first = "itineraryd \(stats["program"]?.string ?? "?"), protocol \(welcome.version), "
        first += "process \(welcome.serverProcess) at \(address)"
        var lines = [first]
        if let since = stats["startedAt"]?.string { lines.append("up since \(moment(since))") }
        lines.append(
            "\(counted(count("trips"), "trip")), \(count("openTrips")) open; "
                + "\(counted(max(0, count("connections") - 1), "other connection"))")
        if let people = stats["people"], people.count > 0 {
            lines.append(
                "people: "
                    + people.elements.compactMap { $0.string.map(PlainText.visible) }.joined(separator: ", "))
        }
        let durability = stats["durability"]?.string ?? welcome.durability.rawValue
        lines.append("\(count("commits")) changes and \(count("syncs")) syncs since the start, \(durability)")
        if let journals = JournalSizes(of: address) {
            let compacted = counted(count("compactions"), "compaction")
            let last = stats["lastCompactionAt"]?.string.map { ", the last at \(moment($0))" } ?? ""
            lines.append(
                "journals of \(size(journals.byteCount)) in \(journals.data); \(compacted) since the start\(last)"
            )
        }
        return lines.map(PlainText.visible)
    }

    /// `2026-11-22 07:10 UTC`
    private static func moment(_ text: String) -> String {
        text.prefix(16).replacing("T", with: " ") + " UTC"
    }

    private static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<10_000: "\(bytes) bytes"
        case ..<10_000_000: "\(bytes / 1000) kB"
        default: "\(bytes / 1_000_000) MB"
        }
    }
}

/// The daemon's statistics in the text format of Prometheus.
enum DaemonMetrics {
    private struct Row {
        let field: StaticString
        let name: String
        let type: String
        let help: String
        /// The factor from the daemon's unit to the metric's.
        var scale = 1.0
    }

    private static let rows = [
        Row(field: "connections", name: "connections", type: "gauge", help: "Connections now."),
        Row(field: "trips", name: "trips", type: "gauge", help: "Trips."),
        Row(field: "openTrips", name: "open_trips", type: "gauge", help: "Trips in memory."),
        Row(field: "versions", name: "versions", type: "gauge", help: "Versions of all trips, added up."),
        Row(
            field: "queuedBytes", name: "queued_bytes", type: "gauge", help: "Bytes queued for clients."),
        Row(field: "journalBytes", name: "journal_bytes", type: "gauge", help: "Bytes of all journals."),
        Row(field: "requests", name: "requests_total", type: "counter", help: "Lines read."),
        Row(field: "sentSnapshots", name: "snapshots_sent_total", type: "counter", help: "Snapshots sent."),
        Row(
            field: "skippedSnapshots", name: "snapshots_skipped_total", type: "counter",
            help: "Versions that were sent merged with others."),
        Row(field: "commits", name: "commits_total", type: "counter", help: "Changes written."),
        Row(field: "syncs", name: "syncs_total", type: "counter", help: "Syncs of the disk."),
        Row(
            field: "syncMicroseconds", name: "sync_seconds_total", type: "counter",
            help: "Time that syncs of the disk took.", scale: 1e-6),
        Row(
            field: "compactions", name: "compactions_total", type: "counter",
            help: "Compactions of journals."),
    ]

    static func text(of stats: JSONNode, journals: JournalSizes?) -> [UInt8] {
        var text =
            "# HELP itineraryd_up Whether the daemon answers.\n# TYPE itineraryd_up gauge\nitineraryd_up 1\n"
        for row in rows {
            let own = row.name == "journal_bytes" ? journals?.byteCount : stats[row.field]?.int
            guard let value = own else { continue }
            let name = "itineraryd_\(row.name)"
            let number = row.scale == 1 ? "\(value)" : "\(Double(value) * row.scale)"
            text += "# HELP \(name) \(row.help)\n# TYPE \(name) \(row.type)\n\(name) \(number)\n"
        }
        if let last = stats["lastCompactionAt"]?.string.flatMap({ Timestamp($0) }) {
            let name = "itineraryd_last_compaction_timestamp_seconds"
            text += "# HELP \(name) Time of the last compaction.\n# TYPE \(name) gauge\n"
            text += "\(name) \(Double(last.milliseconds) / 1000)\n"
        }
        return Array(text.utf8)
    }
}
