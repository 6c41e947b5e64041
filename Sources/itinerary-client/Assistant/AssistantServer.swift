import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// The Model Context Protocol on standard input and output. Requests are answered one by one.
final class AssistantServer {
    /// The supported versions of the protocol, the newest first.
    private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]
    /// The maximum size of a message.
    private static let lineLimit = 16 << 20

    private var caller: Caller
    private var desk: AssistantDesk?
    private let output = AssistantOutput()

    init(_ caller: Caller) { self.caller = caller.asItself }

    /// Serves until the input ends.
    func serve() async throws(CommandFailure) {
        var framer = LineFramer(limit: Self.lineLimit)
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        let input: Descriptor
        do throws(SystemError) { input = try Descriptor.duplicate(of: 0) } catch {
            throw CommandFailure("\(error)", exitCode: .noInput)
        }
        while true {
            while let frame = framer.next() {
                switch frame {
                case .line(let line):
                    if let answer = await answer(to: line) { output.send(answer) }
                case .tooLong:
                    output.send(
                        AssistantMessage.refusal(nil, -32600, "a message has at most \(Self.lineLimit) bytes")
                    )
                }
            }
            if StandardStream.output.failure != nil { return }
            do throws(SystemError) {
                switch try input.read(into: &buffer) {
                case .bytes(let count): framer.append(buffer[..<count])
                case .wouldBlock: _ = input.isReadable(within: -1)
                case .end: return
                }
            } catch {
                throw CommandFailure("standard input: \(error)", exitCode: .noInput)
            }
        }
    }

    /// The answer to a line; nil if it needs none.
    private func answer(to line: [UInt8]) async -> [UInt8]? {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        guard let root = try? JSONDocument(parsing: line).root else {
            return AssistantMessage.refusal(nil, -32700, "JSON on one line is needed")
        }
        guard root.kind == .array else { return await answer(to: root) }
        // A batch, as allowed by the protocol of 2025-03-26, gets one answer.
        guard root.count > 0 else { return AssistantMessage.refusal(nil, -32600, "there is no request") }
        var answers: [[UInt8]] = []
        for message in root.elements {
            if let answer = await answer(to: message) { answers.append(answer) }
        }
        return answers.isEmpty ? nil : AssistantMessage.list(answers)
    }

    /// The answer to a message; nil for a notification.
    private func answer(to message: JSONNode) async -> [UInt8]? {
        guard message.kind == .object else {
            return AssistantMessage.refusal(nil, -32600, "a request must be an object")
        }
        let id = message["id"]
        guard let method = message["method"]?.string else {
            // A response. We send no requests, so it is ignored.
            if message["method"] == nil, message["result"] != nil || message["error"] != nil { return nil }
            return AssistantMessage.refusal(id, -32600, "method: a text is needed")
        }
        guard let id else { return nil }
        guard id.string != nil || id.double != nil else {
            return AssistantMessage.refusal(nil, -32600, "id: a text or a number is needed")
        }
        do throws(AssistantRefusal) {
            return AssistantMessage.result(id, try await answer(method, message["params"]))
        } catch {
            return AssistantMessage.refusal(id, error.code, error.message)
        }
    }

    private func answer(_ method: String, _ params: JSONNode?) async throws(AssistantRefusal) -> [UInt8] {
        switch method {
        case "initialize": return initialize(params)
        case "ping": return Array("{}".utf8)
        case "tools/list": return AssistantTool.list
        case "tools/call":
            guard let name = params?["name"]?.string, let tool = AssistantTool.named(name) else {
                throw AssistantRefusal(-32602, "there is no such tool; tools/list names them")
            }
            return await call(tool, params?["arguments"])
        case "resources/list":
            return try await refusing { desk throws(CommandFailure) in try await desk.resources() }
        case "resources/templates/list": return AssistantDesk.templates
        case "resources/read":
            let uri = try Self.uri(params)
            return try await refusing { desk throws(CommandFailure) in try await desk.read(uri) }
        case "resources/subscribe":
            let uri = try Self.uri(params)
            return try await refusing { desk throws(CommandFailure) in try await desk.subscribe(to: uri) }
        case "resources/unsubscribe":
            let uri = try Self.uri(params)
            return try await refusing { desk throws(CommandFailure) in await desk.unsubscribe(from: uri) }
        default: throw AssistantRefusal(-32601, "there is no method \(PlainText.visible(method))")
        }
    }

    private func initialize(_ params: JSONNode?) -> [UInt8] {
        if let name = params?["clientInfo"]?["name"]?.string { caller = caller.named(ifNobody: name) }
        let wanted = params?["protocolVersion"]?.string ?? ""
        return Answer.params { json in
            json.member("protocolVersion", Self.versions.contains(wanted) ? wanted : Self.versions[0])
            json.key("capabilities")
            json.raw(Array(#"{"tools":{},"resources":{"subscribe":true}}"#.utf8))
            json.key("serverInfo")
            json.beginObject()
            json.member("name", "itinerary-client")
            json.member("version", ProtocolVersion.program)
            json.endObject()
            json.member("instructions", AssistantTool.instructions)
        }
    }

    /// Runs a tool. A failure is returned as the tool's result, as the protocol demands.
    private func call(_ tool: AssistantTool, _ arguments: JSONNode?) async -> [UInt8] {
        let text: [UInt8]
        var isError = false
        do throws(CommandFailure) {
            try tool.check(arguments)
            text = try await tool.run(try await connected(), arguments)
        } catch {
            text = error.json.dropLast()
            isError = true
        }
        return Answer.params { json in
            json.objects("content", [text]) { text, json in
                json.member("type", "text")
                json.member("text", String(decoding: text, as: UTF8.self))
            }
            json.key("structuredContent")
            json.raw(text)
            json.member("isError", isError)
        }
    }

    private func refusing(
        _ body: (AssistantDesk) async throws(CommandFailure) -> [UInt8]
    ) async throws(AssistantRefusal) -> [UInt8] {
        do throws(CommandFailure) { return try await body(try await connected()) } catch {
            throw AssistantRefusal(error.exitCode == .noInput ? -32002 : -32603, error.message)
        }
    }

    private func connected() async throws(CommandFailure) -> AssistantDesk {
        if let desk { return desk }
        let made = AssistantDesk(try await SteadyClient(caller), caller, output)
        desk = made
        return made
    }

    private static func uri(_ params: JSONNode?) throws(AssistantRefusal) -> String {
        guard let uri = params?["uri"]?.string else { throw AssistantRefusal(-32602, "uri: it is missing") }
        return uri
    }
}

/// The reason for not answering a request, with a code of JSON-RPC.
struct AssistantRefusal: Error {
    let code: Int
    let message: String

    init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }
}
