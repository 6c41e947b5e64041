import JSONLine
import LocalSystem
import Testing

extension EndToEnd {
    /// `mcp`, as an assistant's program uses it.
    @Suite struct AssistantTests {
        /// The program, with JSON-RPC on its standard input and output.
        private final class Assistant {
            let program: Program
            private var lastID = 0

            init(_ home: Home, _ arguments: [String] = []) throws {
                program = try home.startClient(["mcp"] + arguments, input: .typed)
                let hello = try result(
                    "initialize",
                    #"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"Robot","version":"1"}}"#
                )
                #expect(hello["protocolVersion"]?.string == "2025-06-18")
                #expect(hello["capabilities"]?["resources"]?["subscribe"]?.bool == true)
                try program.type(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            }

            func send(_ method: String, _ params: String = "{}") throws -> JSONNode {
                lastID += 1
                try program.type(
                    #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#)
                while let line = try program.nextLine() {
                    let root = try JSONDocument(parsing: Array(line.utf8)).root
                    if root["id"]?.int == lastID { return root }
                }
                throw Deadline.Exhausted(description: "it ended")
            }

            func result(_ method: String, _ params: String = "{}") throws -> JSONNode {
                try #require(try send(method, params)["result"])
            }

            func call(_ tool: String, _ arguments: String) throws -> (isError: Bool, content: JSONNode) {
                let answer = try result("tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#)
                let text = try #require(answer["content"]?.elements.first { _ in true }?["text"]?.string)
                return (answer["isError"]?.bool == true, try JSONDocument(parsing: Array(text.utf8)).root)
            }
        }

        @Test func `an assistant reads, changes, gets a refusal and undoes its own changes`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(3, by: ann)
            let assistant = try Assistant(home)
            let tools = try assistant.result("tools/list")["tools"]
            #expect(
                tools?.elements.map { $0["name"]?.string } == [
                    "list", "show", "today", "next", "search", "log", "export", "create", "copy", "check",
                    "accept", "todo", "costs", "gaps", "add", "edit", "move", "remove", "shift", "swap",
                    "repeat", "undo",
                    "redo", "delete",
                    "restore", "import",
                ])
            #expect(tools?.elements.allSatisfy { $0["inputSchema"]?["type"]?.string == "object" } == true)
            #expect(try assistant.call("list", "{}").content["trips"]?.count == 1)
            #expect(try assistant.call("show", #"{"trip":"test"}"#).content["items"]?.count == 3)
            let added = try assistant.call(
                "add",
                #"{"trip":"t","item":{"kind":"custom","title":"Tea","time":"16:00"},"to":{"day":2,"after":"Item 9"}}"#
            )
            #expect(added.isError && added.content["error"]?["reason"]?.string == "item_not_found")
            let tea = try assistant.call(
                "add", #"{"trip":"t","item":{"kind":"custom","title":"Tea","time":"16:00"},"to":{"day":2}}"#)
            #expect(!tea.isError && tea.content["item"]?["modifiedBy"]?.string == "Robot")
            #expect(try !assistant.call("edit", #"{"trip":"t","item":"tea","set":{"note":"green"}}"#).isError)
            #expect(try !assistant.call("edit", #"{"trip":"t","set":{"name":"Better"}}"#).isError)
            #expect(
                try !assistant.call("move", #"{"trip":"t","item":"Item 1","to":{"day":1,"after":"Item 2"}}"#)
                    .isError)
            let refused = try assistant.call(
                "move", #"{"trip":"t","item":"Item 1","to":{"day":9,"at":"end"}}"#)
            #expect(refused.isError && refused.content["error"]?["reason"]?.string == "day_out_of_range")
            #expect(refused.content["error"]?["message"]?.string?.contains("days 1 to 5") == true)
            #expect(
                try assistant.call("shift", #"{"trip":"t","fromDay":2,"days":1}"#).content["version"]?.int
                    == 6)
            #expect(try assistant.call("gaps", #"{"trip":"t","item":"Tea"}"#).content["gaps"]?.count ?? 0 > 3)
            #expect(try assistant.call("check", #"{"trip":"t"}"#).content["problems"]?.count == 0)
            let csv = #"gameId,title,startsAt\ng1,A,2026-06-12T10:00:00Z\n"#
            let dry = try assistant.call("import", #"{"trip":"t","content":"\#(csv)","format":"csv"}"#)
            #expect(dry.content["imported"]?.int == 1)
            #expect(try ann.places().version == 6, "nothing was imported")
            // An assistant cannot undo a person's changes, nor the other way round.
            _ = try home.client("move", "t", "Item 3", "--day", "4")
            #expect(try assistant.call("undo", #"{"trip":"t"}"#).content["version"]?.int == 8)
            #expect(try home.client("undo", "t").output.contains("moved “Item 3”"))
            #expect(try assistant.send("no/such")["error"]?["code"]?.int == -32601)
            try assistant.program.type("garbage")
            #expect(try assistant.program.nextLine()?.contains("-32700") == true)
            assistant.program.endInput()
            #expect(try assistant.program.finish().status == .exited(0))
        }

        @Test
        func `an assistant plans a trip from creation to deletion, with a dry run of each change`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            let assistant = try Assistant(home)
            let made = try assistant.call(
                "create", #"{"name":"Trip","slug":"t","start":"today","zone":"UTC"}"#)
            #expect(!made.isError && made.content["trip"]?["slug"]?.string == "t")
            let add = #"{"trip":"t","item":{"kind":"custom","title":"Tea"},"to":{"day":2}"#
            #expect(try assistant.call("add", add + #","dryRun":true}"#).content["item"] != nil)
            #expect(try assistant.call("show", #"{"trip":"t"}"#).content["items"]?.count == 0, "it was tried")
            _ = try assistant.call("add", add + "}")
            for (tool, arguments) in [
                ("edit", #""item":"Tea","set":{"title":"Cake"}"#), ("remove", #""items":["Tea"]"#),
                ("move", #""item":"Tea","to":{"day":3}"#), ("shift", #""fromDay":1,"days":1"#), ("undo", ""),
                ("swap", #""day":2,"other":"today""#), ("repeat", #""item":"Tea","days":"1-2""#),
            ] {
                let members = arguments.isEmpty ? "" : arguments + ","
                let tried = try assistant.call(tool, #"{"trip":"t",\#(members)"dryRun":true}"#)
                #expect(!tried.isError, "\(tool)")
            }
            let shown = try assistant.call("show", #"{"trip":"t","from":"tomorrow","to":"+1"}"#).content
            #expect(shown["version"]?.int == 2 && shown["items"]?.count == 1, "nothing was changed")
            #expect(try assistant.call("next", #"{"trip":"t"}"#).content["items"]?.count == 1)
            #expect(try assistant.call("search", #"{"text":"tea"}"#).content["items"]?.count == 1)
            let swapped = try assistant.call("swap", #"{"trip":"t","day":1,"other":2}"#).content
            #expect(swapped["version"]?.int == 3)
            #expect(try assistant.call("swap", #"{"trip":"t","day":2,"other":99}"#).isError)
            let costs = try assistant.call("costs", #"{"trip":"t","by":"day","rates":"JPY:1 EUR"}"#)
            #expect(!costs.isError && costs.content["currencies"]?.count == 0)
            _ = try assistant.call("remove", #"{"trip":"t","item":"Tea"}"#)
            _ = try assistant.call("undo", #"{"trip":"t"}"#)
            #expect(
                try assistant.call("redo", #"{"trip":"t"}"#).content["summary"]?.string?.contains("Tea")
                    == true)
            #expect(try assistant.call("redo", #"{"trip":"t"}"#).content["noop"]?.bool == true)
            let csv = #"{"trip":"t","content":"kind,title,day\nculinary,x,1\n","format":"csv","dryRun":"no"}"#
            #expect(
                try assistant.call("import", csv).content["error"]?["message"]?.string
                    == "dryRun: true or false is needed")
            #expect(try !assistant.call("copy", #"{"trip":"t","start":"2030-01-01","name":"U"}"#).isError)
            _ = try assistant.call("remove", #"{"trip":"t","item":"Tea"}"#)
            let removed = try assistant.call("restore", "{}").content["removed"]
            #expect(removed?.count == 1)
            let back = #"{"trip":"t","item":"Tea"}"#
            #expect(try !assistant.call("restore", back).isError)
            #expect(try assistant.call("restore", back).isError, "it is back")
            #expect(try assistant.call("delete", #"{"trip":"t"}"#).content["keptUntil"]?.string != nil)
            #expect(try home.client("list", "--format", "{slug} {startDate}").output == "u 2030-01-01\n")
            #expect(try assistant.call("restore", "{}").content["deleted"]?.count == 1)
            let restored = try assistant.call("restore", #"{"trip":"t"}"#).content
            #expect(restored["trip"]?["slug"]?.string == "t" && restored["items"]?.count == 1)
        }

        @Test func `resource subscriptions report changes of trips, also after a restart of the daemon`()
            throws
        {
            let home = try Home()
            defer { home.end() }
            let daemon = try home.serve()
            try SampleTrip.make(2, by: home.connect(as: "Ann"))
            let assistant = try Assistant(home)
            let listed = try assistant.result("resources/list")["resources"]
            let uri = try #require(listed?.elements.first { _ in true }?["uri"]?.string)
            #expect(uri == "itinerary://trips/t")
            let read = try assistant.result("resources/read", #"{"uri":"\#(uri)"}"#)
            #expect(
                read["contents"]?.elements.first { _ in true }?["text"]?.string?.contains("Item 2") == true)
            _ = try assistant.result("resources/subscribe", #"{"uri":"\#(uri)"}"#)
            _ = try home.client("move", "t", "Item 1", "--day", "2")
            try assistant.program.waitForLine(with: "notifications/resources/updated")
            #expect(
                try assistant.send("resources/read", #"{"uri":"itinerary://trips/none"}"#)["error"] != nil)
            // Its id names the same trip, and both addresses are reported.
            let ann = try home.connect(as: "Ann")
            let id = try #require(ann.result("trip.get", #"{"trip":"t"}"#)["trip"]?["id"]?.string)
            _ = try assistant.result("resources/subscribe", #"{"uri":"itinerary://trips/\#(id)"}"#)
            _ = try home.client("move", "t", "Item 1", "--day", "3")
            let reported = try [
                assistant.program.waitForLine(with: "resources/updated"),
                assistant.program.waitForLine(with: "resources/updated"),
            ]
            #expect(
                reported.contains { $0.contains(uri + "\"") } && reported.contains { $0.contains(id) },
                "\(reported)")
            daemon.end()
            _ = try home.serve()
            // Changes may have been missed, so both are reported at first; then each change is.
            _ = try assistant.program.waitForLine(with: "resources/updated")
            _ = try assistant.program.waitForLine(with: "resources/updated")
            #expect(try assistant.call("show", #"{"trip":"t"}"#).content["items"]?.count == 2)
            _ = try home.client("move", "t", "Item 1", "--day", "2")
            _ = try assistant.program.waitForLine(with: "resources/updated")
        }

        @Test func `unknown arguments and arguments of the wrong type are refused without a change`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(3, by: ann)
            let version = try ann.places().version
            let assistant = try Assistant(home)
            for (tool, arguments, words) in [
                ("add", #"{"trip":"t","item":{"kind":"custom","title":"A"},"day":2}"#, "day is not known"),
                (
                    "add", #"{"trip":"t","item":{"kind":"custom","title":"A"},"to":{"day":2,"before":5}}"#,
                    "to.before: a text"
                ),
                (
                    "add", #"{"trip":"t","item":{"kind":"custom","title":"A"},"to":{"day":2,"at":"top"}}"#,
                    "start, end"
                ),
                ("add", #"{"trip":"t","item":{"kind":"custom","title":"A"},"to":"day 2"}"#, "to: an object"),
                (
                    "add", #"{"trip":"t","item":{"kind":"custom","title":"A","nots":"x"}}"#,
                    "did you mean note?"
                ),
                ("move", #"{"trip":"t","items":["Item 1",2],"to":{"day":3}}"#, "items[1]: a text"),
                ("edit", #"{"trip":"t","item":"Item 1","set":{"colour":"red"}}"#, "set.colour is not known"),
                ("edit", #"{"trip":"t","set":{"start":"2026-06-12"}}"#, "did you mean startDate?"),
                ("shift", #"{"trip":"t","fromDay":1.5,"days":1}"#, "fromDay: a number or a text"),
                ("import", #"{"trip":"t","content":"x","format":"pdf"}"#, "ics, csv, json"),
                ("shift", #"{"trip":"t","fromDay":"sunny","days":1}"#, "sunny is not a day"),
                ("shift", #"{"trip":"t","fromDay":"2030-01-01","days":1}"#, "2030-01-01 is not a day of"),
                ("show", #"["t"]"#, "arguments: an object"),
            ] {
                let answer = try assistant.call(tool, arguments)
                let message = answer.content["error"]?["message"]?.string ?? ""
                #expect(answer.isError && message.contains(words), "\(tool) \(arguments): \(message)")
            }
            #expect(try ann.places().version == version)
            #expect(
                try !assistant.call("move", #"{"trip":"t","item":null,"items":["Item 1"],"to":{"day":2}}"#)
                    .isError)
        }

        @Test func `shift takes a date, and remove and restore list the items`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let ann = try home.connect(as: "Ann")
            try SampleTrip.make(2, by: ann)
            let date = try #require(
                try home.client("show", "t", "--format", "{date}").output.split(separator: "\n").first)
            let assistant = try Assistant(home)
            let shifted = try assistant.call(
                "shift", #"{"trip":"t","fromDay":"\#(date)","days":1,"dryRun":true}"#)
            #expect(!shifted.isError && shifted.content["items"]?.count == 2, "\(shifted)")
            let tried = try assistant.call(
                "remove", #"{"trip":"t","items":["Item 1","Item 2"],"dryRun":true}"#)
            #expect(tried.content["removed"]?.count == 2, "\(tried)")
            _ = try home.client("remove", "t", "Item 1")
            let removed = try assistant.call("restore", #"{"trip":"t"}"#).content
            #expect(removed["items"]?.count == 1 && removed["trip"]?.string == "t", "\(removed)")
        }

        @Test func `each request is answered, also concurrent ones`() throws {
            let home = try Home()
            defer { home.end() }
            _ = try home.serve()
            let assistant = try Assistant(home)
            for (line, answer) in [
                (#"{"jsonrpc":"2.0","id":50}"#, #""id":50,"error":{"code":-32600"#),
                (#"{"jsonrpc":"2.0","id":51,"method":5}"#, #""id":51,"error":{"code":-32600"#),
                (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, #""id":null,"error":{"code":-32600"#),
                ("[]", #""id":null,"error":{"code":-32600"#), ("\u{1}", #""id":null,"error":{"code":-32700"#),
                (
                    #"[{"jsonrpc":"2.0","id":52,"method":"ping"},{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","id":"a","method":"ping"}]"#,
                    #"[{"jsonrpc":"2.0","id":52,"result":{}},{"jsonrpc":"2.0","id":"a","result":{}}]"#
                ),
            ] {
                try assistant.program.type(line)
                let reported = try assistant.program.nextLine() ?? ""
                #expect(reported.contains(answer), "\(line): \(reported)")
            }
            // A response gets no response.
            try assistant.program.type(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
            #expect(try assistant.send("ping")["result"] != nil)
        }
    }
}
