import JSONLine

/// The options of a daemon, stored in a file beside its socket. If the daemon is gone, a client can start the
/// same one again.
package struct ServeRecord: Equatable, Sendable {
    /// The directory of its trips, an absolute path.
    package var data: String
    /// `sync` or `relaxed`.
    package var durability: String
    /// The size in bytes from which it compacts a journal.
    package var compactAt: Int
    /// The group whose accounts may connect; nil for none.
    package var allowedGroup: String?

    package init(data: String, durability: String, compactAt: Int, allowedGroup: String? = nil) {
        self.data = data
        self.durability = durability
        self.compactAt = compactAt
        self.allowedGroup = allowedGroup
    }

    /// The path of a socket's record.
    package static func path(ofSocket socket: String) -> String { socket + ".serve" }

    /// The arguments that start the same daemon at the same socket.
    package func arguments(socket: String) -> [String] {
        [
            "serve", "--socket", socket, "--data", data, "--durability", durability, "--compact-at",
            "\(compactAt)",
        ] + (allowedGroup.map { ["--allow-group", $0] } ?? [])
    }

    /// The content of the file: one JSON object and a newline.
    package var bytes: [UInt8] {
        var json = JSONWriter(reserving: 256)
        json.beginObject()
        json.member("data", data)
        json.member("durability", durability)
        json.member("compactAt", compactAt)
        json.member("allowGroup", allowedGroup)
        json.endObject()
        return json.take() + [UInt8(ascii: "\n")]
    }

    /// Decodes a file; nil if it is invalid, for example from another program.
    package init?(bytes: [UInt8]) {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard let root = try? JSONDocument(parsing: Array(line)).root, let data = root["data"]?.string,
            data.hasPrefix("/"), let durability = root["durability"]?.string,
            ["sync", "relaxed"].contains(durability), let compactAt = root["compactAt"]?.int, compactAt > 0
        else { return nil }
        self.init(
            data: data, durability: durability, compactAt: compactAt, allowedGroup: root["allowGroup"]?.string
        )
    }
}
