import JSONLine
import TripModel

/// What an assistant can do: one row a tool.
struct AssistantTool: Sendable {
    let name: String
    let summary: String
    /// Its arguments, as the properties of a JSON schema.
    let properties: String
    let required: [String]
    let changes: Bool
    let run: @Sendable (AssistantDesk, JSONNode?) async throws(CommandFailure) -> [UInt8]

    /// What its arguments have to be, as a JSON schema.
    var schema: String {
        let required = required.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"type":"object","properties":{\#(properties)},"required":[\#(required)],"#
            + #""additionalProperties":false}"#
    }

    static let instructions = """
        Trips have days from 1 on, with games (fixed by their schedule), travel (after the games of the city it leaves, \
        before those of the city it reaches) and custom items (free). A trip is named by its slug or name, an item by its \
        title or id. What is refused says why, with the days or games that would do; gaps lists every place for an item.
        """

    static func named(_ name: String) -> AssistantTool? { all.first { $0.name == name } }

    private static let trip = #""trip":{"type":"string","description":"slug, name or id"}"#
    private static let item = #""item":{"type":"string","description":"title or id"}"#
    private static let placement =
        #""to":{"type":"object","description":"a place: day with at (start or end), after or before (a title or id)","#
        + #""properties":{"day":{"type":"integer"},"at":{"enum":["start","end"]},"after":{"type":"string"},"#
        + #""before":{"type":"string"}},"required":["day"],"additionalProperties":false}"#
    /// The fields of each kind, but for the source, which is a program's.
    private static let fields = [ItemKind.custom, .travel, .game].map { kind in
        let names = kind.fields.filter { $0 != .source }.map { field in
            switch field.row.type {
            case .cost: field.name + "{amount,currency}"
            case .coordinate: field.name + "{lat,lon}"
            default: field.name
            }
        }
        return "\(kind.rawValue): \(names.joined(separator: " "))"
    }.joined(separator: "; ")

    static let all: [AssistantTool] = [
        AssistantTool(
            name: "list", summary: "List all trips.", properties: "", required: [], changes: false,
            run: AssistantDeeds.list),
        AssistantTool(
            name: "show", summary: "Show a trip with all its items and problems.", properties: trip,
            required: ["trip"], changes: false, run: AssistantDeeds.show),
        AssistantTool(
            name: "check", summary: "Tell what does not fit in a trip.", properties: trip, required: ["trip"],
            changes: false, run: AssistantDeeds.check),
        AssistantTool(
            name: "gaps", summary: "Tell every place for an item, and why it may not go to some.",
            properties: "\(trip),\(item)", required: ["trip", "item"], changes: false,
            run: AssistantDeeds.gaps),
        AssistantTool(
            name: "add", summary: "Add an item to a trip.",
            properties: trip
                + #","item":{"type":"object","description":"kind (custom, travel or game) and its fields. \#(fields)","#
                + #""properties":{"kind":{"enum":["custom","travel","game"]}},"required":["kind"]},"#
                + placement,
            required: ["trip", "item"], changes: true, run: AssistantDeeds.add),
        AssistantTool(
            name: "edit",
            summary: "Change fields of an item or, without item, of the trip itself; null clears one.",
            properties: trip + "," + item
                + #","set":{"type":"object","description":"fields of the item, or name startDate dayCount timeZone slug"}"#,
            required: ["trip", "set"], changes: true, run: AssistantDeeds.edit),
        AssistantTool(
            name: "move", summary: "Move items to a place, all or none.",
            properties: trip + "," + item + #","items":{"type":"array","items":{"type":"string"}},"#
                + placement,
            required: ["trip", "to"], changes: true, run: AssistantDeeds.move),
        AssistantTool(
            name: "shift",
            summary: "Move all items of a day and later by some days, all or none; games stay.",
            properties: trip + #","fromDay":{"type":"integer"},"days":{"type":"integer"}"#,
            required: ["trip", "fromDay", "days"], changes: true, run: AssistantDeeds.shift),
        AssistantTool(
            name: "undo", summary: "Take back this assistant's own last change of a trip.", properties: trip,
            required: ["trip"], changes: true, run: AssistantDeeds.undo),
        AssistantTool(
            name: "import",
            summary: "Tell what a calendar, table or trip would change in a trip; nothing is imported.",
            properties: trip
                + #","content":{"type":"string","description":"the text of the file"},"format":{"enum":["ics","csv","json"]},"#
                + #""source":{"type":"string","description":"whose entries these are"}"#,
            required: ["trip", "content"], changes: false, run: AssistantDeeds.importDryRun),
    ]

    /// The answer to `tools/list`.
    static let list: [UInt8] = {
        let tools = all.map { tool in
            return
                #"{"name":"\#(tool.name)","description":"\#(tool.summary)","inputSchema":\#(tool.schema),"#
                + #""annotations":{"readOnlyHint":\#(!tool.changes)}}"#
        }
        return Array(#"{"tools":[\#(tools.joined(separator: ","))]}"#.utf8)
    }()
}
