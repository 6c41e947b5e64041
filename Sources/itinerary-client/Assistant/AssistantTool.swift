import JSONLine
import ScheduleFiles
import TripModel

/// A tool for assistants, one per row.
struct AssistantTool: Sendable {
    let name: String
    let summary: String
    /// Its arguments, as the properties of a JSON schema.
    let properties: String
    let required: [String]
    let changes: Bool
    let run: @Sendable (AssistantDesk, JSONNode?) async throws(CommandFailure) -> [UInt8]

    /// The schema of its arguments.
    var schema: String {
        let required = required.map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"type":"object","properties":{\#(properties)},"required":[\#(required)],"#
            + #""additionalProperties":false}"#
    }

    static let instructions = """
        Trips have days from 1 on, with events (fixed by their schedule), travel (after the events of the city it leaves, \
        before those of the city it reaches) and custom items (free). Name a trip by its slug or name, an item by its \
        title or id. A refusal has a reason, with the days or events that would work; gaps lists every place for an item. \
        A tool with dryRun can be tried: it then only reports what it would do.
        """

    static func named(_ name: String) -> AssistantTool? { all.first { $0.name == name } }

    private static let trip = #""trip":{"type":"string","description":"slug, name or id"}"#
    private static let item = #""item":{"type":"string","description":"title or id"}"#
    private static let placement =
        #""to":{"type":"object","description":"a place: day with at (start or end), after or before (a title or id)","#
        + #""properties":{"day":\#(placeDay),"at":{"enum":["start","end"]},"after":{"type":"string"},"#
        + #""before":{"type":"string"}},"required":["day"],"additionalProperties":false}"#
    private static let placeDay = #"{"type":["integer","string"],"description":"\#(DayWord.forms)"}"#
    private static let dryRun =
        #""dryRun":{"type":"boolean","description":"only report what it would do (false)"}"#
    private static let day = #"{"type":"string","description":"\#(DayWord.forms)"}"#

    /// The fields of items as schema properties, from the table of fields. `source` is omitted, because only
    /// imports set it.
    ///
    /// - Parameter clears: whether null is allowed, which clears a field.
    private static func fields(clears: Bool) -> String {
        (ItemField.allCases.filter { $0 != .source }.map { field in
            let kinds = ItemKind.allCases.filter { $0.fields.contains(field) }
            let scope =
                kinds.count == ItemKind.allCases.count ? "" : kinds.map(\.rawValue).joined(separator: ", ")
            let type = { (name: String) in
                clears && !field.isRequired ? #""type":["\#(name)","null"]"# : #""type":"\#(name)""#
            }
            let (schema, note): (String, String) =
                switch field.row.type {
                case .text: (type("string"), "")
                case .minutes: (type("integer"), "minutes")
                case .nights: (type("integer"), "from its day on")
                case .flag: (type("boolean"), "true unless given")
                case .time: (type("string"), "local time, HH:MM")
                case .moment: (type("string"), "with its offset, as 2027-04-03T18:00:00+09:00")
                case .side: (type("string"), "id of an event, or none")
                case .cost:
                    (
                        #""type":["object","string"\#(clears ? #","null""# : "")]"#
                            + #","properties":{"amount":{"type":"number"},"currency":{"type":"string"}},"#
                            + #""required":["amount","currency"]"#, "or a text, as 12.50 EUR"
                    )
                case .coordinate:
                    (
                        type("object")
                            + #","properties":{"lat":{"type":"number"},"lon":{"type":"number"}},"#
                            + #""required":["lat","lon"]"#, "degrees"
                    )
                case .source: (type("object"), "")
                }
            let words = [scope.isEmpty ? "" : "of \(scope)", note].filter { !$0.isEmpty }.joined(
                separator: "; ")
            let description = words.isEmpty ? "" : #","description":"\#(words)""#
            return #""\#(field.name)":{\#(schema)\#(description)}"#
        } + [
            #""\#(ArrivalText.name)":{"type":"string","description":"of travel; 11:20 or 06:20+1, instead of durationMinutes"}"#
        ]).joined(separator: ",")
    }

    static let all: [AssistantTool] = [
        AssistantTool(
            name: "list", summary: "List all trips.", properties: "", required: [], changes: false,
            run: AssistantActions.list),
        AssistantTool(
            name: "show", summary: "Show a trip with its items and problems, or only some of its days.",
            properties: trip + #","from":\#(day),"to":\#(day)"#, required: ["trip"], changes: false,
            run: AssistantActions.show),
        AssistantTool(
            name: "today", summary: "Show the items of today, of one trip or of all that are under way.",
            properties: trip, required: [], changes: false, run: AssistantActions.today),
        AssistantTool(
            name: "next", summary: "Show what comes next by the clock of the place, in one trip or in all.",
            properties: trip + #","count":{"type":"integer","description":"1 unless given"}"#, required: [],
            changes: false, run: AssistantActions.next),
        AssistantTool(
            name: "search",
            summary: "Find the items with a text in their title, note, city, place or reference.",
            properties: trip + #","text":{"type":"string"}"#, required: ["text"], changes: false,
            run: AssistantActions.search),
        AssistantTool(
            name: "log", summary: "List the changes of a trip and their authors, newest first.",
            properties: trip + #","limit":{"type":"integer","description":"50 unless given"}"#,
            required: ["trip"], changes: false, run: AssistantActions.log),
        AssistantTool(
            name: "export", summary: "Return a trip as the text of a file.",
            properties: trip
                + #","format":{"enum":[\#(FileFormat.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]}"#,
            required: ["trip", "format"], changes: false, run: AssistantActions.export),
        AssistantTool(
            name: "create", summary: "Create an empty trip.",
            properties:
                #""name":{"type":"string"},"start":\#(day),"days":{"type":"integer","description":"7 unless given"},"#
                + #""zone":{"type":"string","description":"IANA time zone"},"slug":{"type":"string"}"#,
            required: ["name"], changes: true, run: AssistantActions.create),
        AssistantTool(
            name: "copy", summary: "Make a new trip with the items of another one, on other dates.",
            properties: trip
                + #","start":\#(day),"name":{"type":"string"},"withoutGames":{"type":"boolean","description":"leave the events out"}"#,
            required: ["trip", "start"], changes: true, run: AssistantActions.copy),
        AssistantTool(
            name: "check", summary: "List the scheduling problems of a trip.", properties: trip,
            required: ["trip"],
            changes: false, run: AssistantActions.check),
        AssistantTool(
            name: "accept",
            summary: "Mark a problem as intended, or as a problem again; check returns the keys of problems.",
            properties: trip + #","problem":{"type":"string","description":"its key"},"#
                + #""accepted":{"type":"boolean","description":"true unless given"},"# + dryRun,
            required: ["trip", "problem"], changes: true, run: AssistantActions.accept),
        AssistantTool(
            name: "todo", summary: "List the things to do of a trip, or change one.",
            properties: trip + #","action":{"enum":["list","add","done","undone","remove","aside","plan"],"#
                + #""description":"list unless given; aside keeps an item as an idea without a day, plan puts an idea on a day"},"#
                + #""entry":{"type":"string","description":"the text of a new entry; the text or id of another; for aside an item"},"#
                + #""day":\#(placeDay),"# + dryRun,
            required: ["trip"], changes: true, run: AssistantActions.todo),
        AssistantTool(
            name: "costs", summary: "Sum the costs by person and currency, and list who owes whom.",
            properties: trip
                + #","by":{"enum":["day","kind","city"]},"rates":{"type":"string","description":"such as JPY:0.0061 EUR, USD:0.92 EUR"}"#,
            required: ["trip"], changes: false, run: AssistantActions.costs),
        AssistantTool(
            name: "gaps", summary: "List every place for an item, and why some are not allowed.",
            properties: "\(trip),\(item)", required: ["trip", "item"], changes: false,
            run: AssistantActions.gaps),
        AssistantTool(
            name: "add", summary: "Add an item to a trip.",
            properties: trip
                + #","item":{"type":"object","description":"kind and its fields","#
                + #""properties":{"kind":{"enum":["custom","travel","game"]},\#(fields(clears: false))},"required":["kind"]},"#
                + placement + "," + dryRun,
            required: ["trip", "item"], changes: true, run: AssistantActions.add),
        AssistantTool(
            name: "edit",
            summary: "Change fields of an item or, without item, of the trip itself; null clears one.",
            properties: trip + "," + item
                + #","set":{"type":"object","description":"fields of the item, or of the trip","properties":{"#
                + #""name":{"type":"string"},"startDate":{"type":"string"},"dayCount":{"type":"integer"},"#
                + #""slug":{"type":"string"},\#(fields(clears: true))}},"#
                + dryRun,
            required: ["trip", "set"], changes: true, run: AssistantActions.edit),
        AssistantTool(
            name: "move", summary: "Move items to a place, all or none.",
            properties: trip + "," + item + #","items":{"type":"array","items":{"type":"string"}},"#
                + placement + "," + dryRun,
            required: ["trip", "to"], changes: true, run: AssistantActions.move),
        AssistantTool(
            name: "remove", summary: "Remove items, all or none; undo brings them back.",
            properties: trip + "," + item + #","items":{"type":"array","items":{"type":"string"}},"# + dryRun,
            required: ["trip"], changes: true, run: AssistantActions.remove),
        AssistantTool(
            name: "shift",
            summary: "Move all items of a day and later by some days, all or none; events stay.",
            properties: trip + #","fromDay":\#(placeDay),"days":{"type":"integer"},"# + dryRun,
            required: ["trip", "fromDay", "days"], changes: true, run: AssistantActions.shift),
        AssistantTool(
            name: "swap", summary: "Exchange the items of two days, all or none; events stay.",
            properties: trip + #","day":\#(placeDay),"other":\#(placeDay),"# + dryRun,
            required: ["trip", "day", "other"], changes: true, run: AssistantActions.swap),
        AssistantTool(
            name: "repeat", summary: "Add copies of an item on other days, all or none.",
            properties: trip + "," + item
                + #","days":{"type":"string","description":"days such as 2-4, 7 or all"},"# + dryRun,
            required: ["trip", "item", "days"], changes: true, run: AssistantActions.repeat),
        AssistantTool(
            name: "undo", summary: "Undo this assistant's own last change of a trip.",
            properties: trip + "," + dryRun, required: ["trip"], changes: true, run: AssistantActions.undo),
        AssistantTool(
            name: "redo", summary: "Redo this assistant's own last undo.", properties: trip + "," + dryRun,
            required: ["trip"], changes: true, run: AssistantActions.redo),
        AssistantTool(
            name: "delete", summary: "Delete a trip. Ask the user first.", properties: trip,
            required: ["trip"], changes: true, run: AssistantActions.delete),
        AssistantTool(
            name: "restore",
            summary:
                "Restore a deleted trip, or removed items of a trip; without them, list those of the last 30 days.",
            properties: trip + "," + item + #","items":{"type":"array","items":{"type":"string"}},"# + dryRun,
            required: [], changes: true, run: AssistantActions.restore),
        AssistantTool(
            name: "import",
            summary:
                "Import a calendar, table or trip; unless dryRun is false, only report what it would change.",
            properties: trip
                + #","content":{"type":"string","description":"the text of the file"},"format":{"enum":["ics","csv","json"]},"#
                + #""source":{"type":"string","description":"whose entries these are"},"#
                + #""prune":{"enum":["no","some","all"],"description":"remove entries that the file lacks (no)"},"#
                + #""theirs":{"type":"boolean","description":"take the file's value where both have changed it"},"#
                + #""notAttending":{"type":"boolean","description":"mark new events as not attended"},"#
                + #""extend":{"type":"boolean","description":"give the trip the days that entries need"},"#
                + #""restoreRemoved":{"type":"boolean","description":"restore entries that were removed"},"#
                + #""city":{"type":"string","description":"the city of entries that name none"},"#
                + #""as":{"enum":["games","custom"],"description":"what entries with a time become (games)"},"#
                + #""dryRun":{"type":"boolean","description":"true unless given"}"#,
            required: ["trip", "content"], changes: true, run: AssistantActions.importFile),
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
