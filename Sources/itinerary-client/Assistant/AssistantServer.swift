import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// The Model Context Protocol on standard input and output: requests are answered one after the other.
final class AssistantServer {
    /// The versions of the protocol that are spoken, the newest first.
    private static let versions = ["2025-06-18", "2025-03-26", "2024-11-05"]
    /// Bytes of a message that is read.
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
            throw CommandFailure("\(error)", exitCode: CommandFailure.noInput)
        }
        while true {
            while let frame = framer.next() {
                switch frame {
                case .line(let line): await receive(line)
                case .tooLong: output.refuse(nil, -32600, "a message has at most \(Self.lineLimit) bytes")
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
                throw CommandFailure("standard input: \(error)", exitCode: CommandFailure.noInput)
            }
        }
    }

    private func receive(_ line: [UInt8]) async {
        if line.allSatisfy({ $0 <= 0x20 }) { return }
        guard let root = try? JSONDocument(parsing: line).root, root.kind == .object else {
            return output.refuse(nil, -32700, "a JSON object on one line is needed")
        }
        guard let method = root["method"]?.string else { return }
        // What has no id is a notification, and nothing has to be done for any.
        guard let id = root["id"], !id.isNull else { return }
        do throws(AssistantRefusal) {
            let result = try await answer(method, root["params"])
            output.answer(id, result)
        } catch {
            output.refuse(id, error.code, error.message)
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

    /// Runs a tool; what is refused is told to the assistant as the tool's own answer.
    private func call(_ tool: AssistantTool, _ arguments: JSONNode?) async -> [UInt8] {
        let text: [UInt8]
        var isError = false
        do throws(CommandFailure) {
            text = try await tool.run(try await connected(), arguments)
        } catch {
            text = error.json.dropLast()
            isError = true
        }
        return Answer.params { json in
            json.key("content")
            json.beginArray()
            json.beginObject()
            json.member("type", "text")
            json.member("text", String(decoding: text, as: UTF8.self))
            json.endObject()
            json.endArray()
            json.key("structuredContent")
            json.raw(text)
            json.member("isError", isError)
        }
    }

    private func refusing(
        _ body: (AssistantDesk) async throws(CommandFailure) -> [UInt8]
    ) async throws(AssistantRefusal) -> [UInt8] {
        do throws(CommandFailure) { return try await body(try await connected()) } catch {
            throw AssistantRefusal(error.exitCode == CommandFailure.noInput ? -32002 : -32603, error.message)
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

/// Why a request of an assistant's is not answered, by the codes of JSON-RPC.
struct AssistantRefusal: Error {
    let code: Int
    let message: String

    init(_ code: Int, _ message: String) {
        self.code = code
        self.message = message
    }
}

/// Standard output in whole messages, from any thread.
final class AssistantOutput: Sendable {
    private let turn = Guarded(())

    func answer(_ id: JSONNode, _ result: [UInt8]) {
        send { json in
            json.key("id")
            json.raw(id.rawBytes)
            json.key("result")
            json.raw(result)
        }
    }

    func refuse(_ id: JSONNode?, _ code: Int, _ message: String) {
        send { json in
            json.key("id")
            if let id { json.raw(id.rawBytes) } else { json.null() }
            json.key("error")
            json.beginObject()
            json.member("code", code)
            json.member("message", message)
            json.endObject()
        }
    }

    /// Tells that a resource has changed.
    func tellUpdate(of uri: String) {
        send { json in
            json.member("method", "notifications/resources/updated")
            json.key("params")
            json.beginObject()
            json.member("uri", uri)
            json.endObject()
        }
    }

    private func send(_ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.beginObject()
        json.member("jsonrpc", "2.0")
        members(&json)
        json.endObject()
        json.endLine()
        let bytes = json.take()
        turn.withLock { _ in StandardStream.output.write(bytes) }
    }
}
