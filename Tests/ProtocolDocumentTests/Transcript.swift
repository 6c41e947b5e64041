import JSONLine

/// A golden conversation, `Protocol/transcripts/*.jsonl`.
struct Transcript {
    /// One line of the file.
    enum Step {
        /// Words for the reader.
        case note
        case connect(String)
        case disconnect(String)
        /// A client sends a request.
        case send(String, JSONNode)
        /// A client sends bytes that are perhaps no request, and a newline.
        case sendRaw(String, [UInt8])
        /// The daemon sends a line to a client.
        case receive(String, JSONNode)
        /// The daemon closes a client's connection.
        case closed(String)
        /// The daemon is killed and started again.
        case restart
    }

    /// A line that is none of a transcript's.
    struct Malformed: Error {
        let line: Int
    }

    let name: String
    let steps: [Step]
    /// What placeholders stand for from the beginning: ids by short names.
    private(set) var values: [(name: String, value: JSONNode)] = []
    /// Whether it is of an older minor version: a daemon may say more than it, and in other words.
    let isOlder: Bool
    /// Whether time is to pass until a lease ends.
    private(set) var waitsForLease = false

    init(name: String) throws {
        self.name = name
        isOlder = name.contains("/")
        let lines = try Checkout.bytes(of: "Protocol/transcripts/\(name)").split(
            separator: UInt8(ascii: "\n"))
        var steps: [Step] = []
        for (index, bytes) in lines.enumerated() {
            let line = try JSONDocument(parsing: Array(bytes)).root
            guard let step = Step(line) else { throw Malformed(line: index + 1) }
            steps.append(step)
            if line["time"] != nil { waitsForLease = true }
            for (name, value) in line["values"]?.members.map(\.self) ?? [] { values.append((name, value)) }
        }
        self.steps = steps
    }

    static func all() throws -> [String] {
        try Checkout.names(in: "Protocol/transcripts").filter { $0.hasSuffix(".jsonl") }
    }

    /// Those of 1.0, kept as they were.
    static func ofOlderVersions() throws -> [String] {
        try Checkout.names(in: "Protocol/transcripts/1.0").map { "1.0/" + $0 }
    }
}

extension Transcript {
    /// The transcripts in which each method is answered, each notification comes and each reason is given.
    static func coverage() throws -> [String: Set<String>] {
        var shown: [String: Set<String>] = [:]
        for name in try all() {
            var asked: [String: String] = [:]
            for step in try Transcript(name: name).steps {
                switch step {
                case .send(let client, let line):
                    asked["\(client) \(line["id"]?.excerpt ?? "")"] = line["method"]?.string
                case .receive(let client, let line):
                    let subject =
                        line["method"]?.string ?? line["error"]?["data"]?["reason"]?.string
                        ?? asked["\(client) \(line["id"]?.excerpt ?? "")"]
                    if let subject { shown[subject, default: []].insert(String(name.dropLast(6))) }
                default: break
                }
            }
        }
        return shown
    }
}

extension Transcript.Step {
    fileprivate init?(_ line: JSONNode) {
        guard let from = line["from"]?.string else {
            switch line.members.map(\.key) {
            case ["transcript", "about"], ["transcript", "about", "values"], ["note"], ["time"]: self = .note
            case ["daemon"]: self = .restart
            default: return nil
            }
            return
        }
        let prefix = "server→"
        if from.hasPrefix(prefix) {
            let client = String(from.dropFirst(prefix.count))
            if let content = line["line"] {
                self = .receive(client, content)
            } else if line["closed"]?.bool == true {
                self = .closed(client)
            } else {
                return nil
            }
        } else if let content = line["line"] {
            self = .send(from, content)
        } else if let raw = line["raw"]?.string {
            let once = Array(raw.utf8)
            self = .sendRaw(from, (0..<(line["times"]?.int ?? 1)).flatMap { _ in once })
        } else if line["connect"]?.bool == true {
            self = .connect(from)
        } else if line["disconnect"]?.bool == true {
            self = .disconnect(from)
        } else {
            return nil
        }
    }
}
