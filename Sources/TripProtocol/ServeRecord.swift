import JSONLine

/// How a daemon was started, as it says in a file beside its socket: whoever finds the socket without a daemon knows by
/// it which one served there, and can start the same again.
package struct ServeRecord: Equatable, Sendable {
    /// The directory of its trips, an absolute path.
    package var data: String
    /// `sync` or `relaxed`.
    package var durability: String
    /// Bytes from which on it compacts a journal.
    package var compactAt: Int
    /// The group whose accounts may connect; nil for none.
    package var allowedGroup: String?

    /// Makes a record.
    package init(data: String, durability: String, compactAt: Int, allowedGroup: String? = nil) {
        self.data = data
        self.durability = durability
        self.compactAt = compactAt
        self.allowedGroup = allowedGroup
    }

    /// Where the record of a socket is.
    package static func path(ofSocket socket: String) -> String { socket + ".serve" }

    /// The arguments that start the same daemon at the same socket.
    package func arguments(socket: String) -> [String] {
        [
            "serve", "--socket", socket, "--data", data, "--durability", durability, "--compact-at",
            "\(compactAt)",
        ] + (allowedGroup.map { ["--allow-group", $0] } ?? [])
    }

    /// As it stands in the file: one JSON object and a newline.
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

    /// Reads a file; nil where it makes no sense, as that of another program may.
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
