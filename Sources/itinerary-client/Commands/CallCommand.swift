import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripProtocol

/// `call METHOD [JSON|-]`: sends one request unchanged.
enum CallCommand {
    static let command = Command(
        name: "call", summary: "send one protocol request and print the result", forms: ["METHOD [JSON|-]"],
        words: [
            WordRow("METHOD", .oneOf(Method.allCases.map(\.rawValue))),
            WordRow("JSON", .text, isRequired: false),
        ],
        examples: [
            .init("call trip.get '{\"trip\":\"japan\"}'", "a trip as JSON"),
            .init("call trip.apply - < change.json", "params from standard input"),
            .init("call daemon.shutdown", "stop the daemon"),
        ],
        exits: [
            .usage: "the params are not a JSON object, or the daemon rejects them",
            .badData: "standard input is not a JSON object", .otherProtocol: "the daemon has no such method",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let method = invocation.words[0]
        let params = try await params(invocation)
        do throws(CommandFailure) {
            Answer.print(
                try await asking(await invocation.caller.connect().client.call(method, params: params)))
        } catch {
            switch error.refusal?.known {
            case .invalidParams?, .lineTooLong?: throw error.exiting(.usage)
            case .methodNotFound?:
                let question = NearestSpelling.question(for: method, among: Method.allCases.map(\.rawValue))
                throw error.saying(error.message + question)
            default: throw error
            }
        }
    }

    private static func params(_ invocation: Invocation) async throws(CommandFailure) -> [UInt8] {
        guard invocation.words.count > 1 else { return Array("{}".utf8) }
        let isInput = invocation.words[1] == "-"
        let bytes =
            isInput
            ? try await CommandInput.read(
                nil, atMost: WireLimits.lineBytes, timeout: invocation.caller.timeout)
            : Array(invocation.words[1].utf8)
        let code = isInput ? ExitCode.badData : .usage
        let name = isInput ? "standard input" : "the params"
        let root: JSONNode
        do throws(JSONSyntaxError) {
            root = try JSONDocument(parsing: bytes).root
        } catch {
            throw CommandFailure("\(name): \(error)", exitCode: code)
        }
        guard root.kind == .object else {
            throw CommandFailure("\(name): a JSON object is needed", exitCode: code)
        }
        // Converted to one line.
        return root.canonicalBytes()
    }
}
