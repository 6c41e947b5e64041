import Foundation
import JSONLine
import TestSupport
import Testing

/// `Protocol/openrpc.json`, with the queries of the tests.
final class ProtocolSchema {
    let root: JSONNode
    let checker: SchemaChecker

    convenience init() throws { try self.init(Checkout.bytes(of: "Protocol/openrpc.json")) }

    init(_ bytes: [UInt8]) throws {
        root = try JSONDocument(parsing: bytes).root
        checker = SchemaChecker(root)
    }

    // MARK: Names

    var methodNames: [String] { calls.compactMap { $0["name"]?.string } }

    var notificationNames: [String] { notifications.compactMap { $0["name"]?.string } }

    /// The methods that a client may call.
    private var calls: [JSONNode] { elements(root["methods"]).filter { $0["result"] != nil } }

    /// The daemon's notifications, which are methods without a result in OpenRPC.
    private var notifications: [JSONNode] { elements(root["methods"]).filter { $0["result"] == nil } }

    /// The code of each reason.
    var errorCodes: [String: Int] {
        var codes: [String: Int] = [:]
        for (reason, error) in members(root["components"]?["errors"]) {
            codes[reason] = error["code"]?.int
        }
        return codes
    }

    func method(_ name: String) -> JSONNode? {
        calls.first { $0["name"]?.string == name }
    }

    func notification(_ name: String) -> JSONNode? {
        notifications.first { $0["name"]?.string == name }
    }

    /// The reasons that a method lists; for nil those that apply to any line.
    func reasons(of method: String?) -> Set<String> {
        let list = method.flatMap(self.method)?["errors"] ?? root["x-connection-errors"]
        let names = elements(list).compactMap { $0["$ref"]?.string?.split(separator: "/").last }
        return Set(names.map(String.init))
    }

    private func elements(_ node: JSONNode?) -> [JSONNode] { node.map { Array($0.elements) } ?? [] }

    private func members(_ node: JSONNode?) -> [(key: String, value: JSONNode)] {
        node.map { Array($0.members) } ?? []
    }

    // MARK: Violations

    /// The violation in a request with a known method.
    func complaint(aboutRequest request: JSONNode) -> String? {
        guard let name = request["method"]?.string, let method = method(name) else {
            return "no such method"
        }
        return complaint(aboutParams: request["params"], of: method, name)
    }

    private func complaint(aboutParams params: JSONNode?, of method: JSONNode, _ name: String) -> String? {
        for param in elements(method["params"]) {
            guard let field = param["name"]?.string, let schema = param["schema"] else { return "no schema" }
            guard let value = params?.member(named: field) else {
                if param["required"]?.bool == true { return "\(name): \(field) is missing" }
                continue
            }
            if let complaint = checker.complaint(about: value, against: schema, at: "\(name).\(field)") {
                return complaint
            }
        }
        let known = Set(elements(method["params"]).compactMap { $0["name"]?.string })
        let unknown = members(params).map(\.key).first { !known.contains($0) }
        return unknown.map { "\(name): the document knows no \($0)" }
    }

    /// The violation in a result.
    func complaint(aboutResult result: JSONNode, of method: String) -> String? {
        guard let schema = self.method(method)?["result"]?["schema"] else { return "\(method): no schema" }
        return checker.complaint(about: result, against: schema, at: "result of \(method)")
    }

    /// The violation in an error; the method is nil if the line was not a request.
    func complaint(aboutError error: JSONNode, of method: String?) -> String? {
        let of = method ?? "no request"
        guard let reason = error["data"]?["reason"]?.string,
            let entry = root["components"]?["errors"]?.member(named: reason), let schema = entry["data"]
        else { return "error of \(of): an unknown reason in \(error.excerpt)" }
        guard Set(error.members.map(\.key)) == ["code", "message", "data"] else {
            return "error of \(of): code, message and data are needed"
        }
        guard entry["code"]?.int == error["code"]?.int else { return "\(reason): another code" }
        guard error["message"]?.string?.isEmpty == false else { return "\(reason): no message" }
        guard reasons(of: method).union(reasons(of: nil)).contains(reason) else {
            return "\(of) does not list \(reason)"
        }
        return error["data"].flatMap {
            checker.complaint(about: $0, against: schema, at: "data of \(reason)")
        }
    }

    /// The violation in a notification.
    func complaint(aboutNotification line: JSONNode) -> String? {
        let name = line["method"]?.string ?? ""
        guard let entry = notification(name) else { return "no such notification: \(line.excerpt)" }
        return complaint(aboutParams: line["params"], of: entry, name)
    }
}

/// The checkout that this test was compiled from.
enum Checkout {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func bytes(of path: String) throws -> [UInt8] {
        try Array(Data(contentsOf: root.appending(path: path)))
    }

    static func text(of path: String) throws -> String {
        String(decoding: try bytes(of: path), as: UTF8.self)
    }

    /// The names of the files in a folder, sorted.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
    }
}
