import TestSupport
import Testing
import TripModel

/// Requests that set fields which the kind of the item does not have.
@Suite struct OtherKindTests {
    /// The items of the trip `t` with their kinds.
    private static let items: [(number: Int, kind: ItemKind)] = [(1, .game), (3, .travel), (4, .custom)]

    @Test func `random changes can set every field`() {
        let names = Set(RandomChanges.fields.keys).subtracting(["said"])
        #expect(names == Set(ItemField.allCases.map(\.name)))
    }

    /// Two fields, because the cost of a change depends on some fields before all of them are checked.
    @Test(arguments: ["item.update", "trip.apply", "batch.commit"], [false, true])
    func `an update of two fields is refused if the kind lacks one of them`(
        _ method: String, _ isDryRun: Bool
    ) throws {
        let server = try TestServer()
        let client = try server.client("ann")
        try client.makeTrip()
        let dryRun = isDryRun ? #","dryRun":true"# : ""
        var values = RandomChanges(seed: 1)
        let fields = ItemField.allCases
        for (number, kind) in Self.items {
            for (index, one) in fields.enumerated() {
                for other in fields[index...].dropFirst() {
                    let members = [one, other].map { field in
                        #""\#(field.name)":\#(values.valid(RandomChanges.fields[field.name] ?? .text))"#
                    }
                    let update = #""item":"\#(id(number))","set":{\#(members.joined(separator: ","))}"#
                    let ops = #""ops":[{"op":"update",\#(update)}]"#
                    let line: Line
                    switch method {
                    case "trip.apply": line = try client.call(method, #"{"trip":"t",\#(ops)\#(dryRun)}"#)
                    case "batch.commit":
                        let opened = try client.result("batch.open", #"{"trip":"t"}"#)
                        let batch = try #require(opened["batch"]?.string)
                        try client.result("batch.add", #"{"batch":"\#(batch)",\#(ops)}"#)
                        line = try client.call(method, #"{"batch":"\#(batch)"\#(dryRun)}"#)
                        if isDryRun { try client.result("batch.drop", #"{"batch":"\#(batch)"}"#) }
                    default: line = try client.call(method, #"{"trip":"t",\#(update)\#(dryRun)}"#)
                    }
                    #expect(line.reason != "internal_error", "\(update)")
                    let lacking = [one, other].filter { !kind.fields.contains($0) }
                    guard !lacking.isEmpty else { continue }
                    #expect(line.reason == "invalid_params", "\(update)")
                    let path = line.data?["field"]?.string ?? ""
                    #expect(lacking.contains { path.hasSuffix("set.\($0.name)") }, "\(update): \(path)")
                }
            }
        }
    }

    @Test(arguments: [false, true])
    func `a viewer is refused as a viewer, whatever fields it sets`(_ isRestricted: Bool) throws {
        let server = try TestServer()
        try server.client("ann").makeTrip()
        let viewer = try server.connect()
        if isRestricted { try viewer.result("session.restrict", #"{"user":"val","role":"viewer"}"#) }
        try viewer.hello("val", role: isRestricted ? "editor" : "viewer", client: nil)
        for (number, _) in Self.items {
            for field in ItemField.allCases where !field.isRequired {
                let set = #"{"gameId":"g9","\#(field.name)":null}"#
                let line = try viewer.call(
                    "item.update", #"{"trip":"t","item":"\#(id(number))","set":\#(set)}"#)
                #expect(line.reason == "read_only", "\(set)")
            }
        }
    }
}
