import JSONLine
import TestSupport

/// A recorded conversation, `Protocol/transcripts/*.jsonl`.
struct Transcript {
    /// One line of the file.
    enum Step {
        /// A comment.
        case note
        case connect(String)
        case disconnect(String)
        /// A client sends a request.
        case send(String, JSONNode)
        /// A client sends bytes that may not be a request, and a newline.
        case sendRaw(String, [UInt8])
        /// The daemon sends a line to a client.
        case receive(String, JSONNode)
        /// The daemon closes a client's connection.
        case closed(String)
        /// The daemon is killed and started again.
        case restart
    }

    /// A line that is not valid in a transcript.
    struct Malformed: Error {
        let line: Int
    }

    let name: String
    let steps: [Step]
    /// Initial values of placeholders: ids by short names.
    private(set) var values: [(name: String, value: JSONNode)] = []
    /// Whether it is of an older minor version, so that a daemon may send additional members and other texts.
    let isOlder: Bool
    /// Whether the test waits until a lease ends.
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

    /// The transcripts of version 1.0, unchanged.
    static func ofOlderVersions() throws -> [String] {
        try Checkout.names(in: "Protocol/transcripts/1.0").map { "1.0/" + $0 }
    }
}

extension Transcript {
    /// The transcripts that contain each method's result, each notification and each reason.
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
