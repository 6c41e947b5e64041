import Foundation
import LocalSystem
import Testing
import TripClient

/// The programs of `Protocol/apps.md` run, or compile, and do what the page says. Its Swift programs wait for the pool, so the
/// other tests with processes do not wait for these.
@Suite(.serialized, .onOwnThread) struct AppPageTests {
    /// A program with one of the three forms of the page's app.
    enum App: String, CaseIterable { case swift = "Swift", python = "Python", sockets = "Sockets alone" }

    /// How a program ended: the lists that it showed, and the error that it reported.
    private struct Ending {
        let lists: [[String]]
        let error: String?
    }

    /// The headings above all programs of the page.
    private static let headings =
        App.allCases.map(\.rawValue) + [
            "The package of an app", "A list on a screen", "Fields and refusals", "A bot",
        ]
    /// The numbers of the daemon's line before which the first connection is cut. The first two answer `hello` and the
    /// subscription.
    private static let cuts = [3, 4, 5, 6, 7]

    private static var root: URL {
        URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    private static func page() throws -> String {
        try String(contentsOf: root.appending(path: "Protocol/apps.md"), encoding: .utf8)
    }

    /// The first program below a heading.
    private static func program(_ heading: String) throws -> String {
        let section = try #require(page().components(separatedBy: "# \(heading)\n").dropFirst().first)
        let block = try #require(section.components(separatedBy: "```").dropFirst().first)
        return String(block.drop { $0 != "\n" }.dropFirst())
    }

    /// Starts a Python program of the page.
    private static func start(_ heading: String, in home: Home, at socket: String) throws -> Program {
        let file = try home.write(program(heading), to: "app.py")
        let tools = root.appending(path: "Tools").path
        return try home.startShell(
            "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='\(home.path):\(tools)' python3 '\(file)' '\(socket)' t"
        )
    }

    /// Runs an app of the page to its end. `serve` serves a proxy until the app has ended.
    private static func run(
        _ app: App, in home: Home, at socket: String, serve: (() -> Bool) throws -> Void = { _ in }
    ) throws -> Ending {
        guard app == .swift else {
            let program = try start(app.rawValue, in: home, at: socket)
            try serve { program.hasEnded }
            let outcome = try program.finish()
            // A list as Python prints it, of texts without quotes.
            let lists = outcome.output.split(separator: "\n").map { line in
                line.dropFirst(2).dropLast(2).components(separatedBy: "', '")
            }
            return Ending(lists: lists, error: outcome.status == .exited(0) ? nil : outcome.errors)
        }
        let shown = Guarded<[[String]]>([])
        let outcome = Guarded<Result<Void, ClientError>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        Task {
            do throws(ClientError) {
                try await plan("t", at: DaemonAddress(path: socket)) { list in
                    // As Python writes it.
                    shown.withLock { $0.append(list.map { $0.replacing("→", with: "to") }) }
                }
                outcome.withLock { $0 = .success(()) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
            ended.signal()
        }
        try serve { outcome.withLock { $0 != nil } }
        ended.wait()
        var error: String?
        if case .failure(let failure)? = outcome.withLock({ $0 }) { error = "\(failure)" }
        return Ending(lists: shown.withLock { $0 }, error: error)
    }

    /// A home with a daemon and the trip `t` of a custom item and a travel.
    private static func withTrip(_ body: (Home, LineClient) throws -> Void) throws {
        let home = try Home()
        defer { home.end() }
        _ = try home.serve()
        let val = try home.connect(as: "val")
        try SampleTrip.make(1, by: val)
        try val.result("item.add", travel)
        try body(home, val)
    }

    private static let travel =
        #"{"trip":"t","item":{"kind":"travel","fromCity":"Rome","toCity":"Oslo"},"to":{"day":1,"at":"end"}}"#

    /// Runs an app through a proxy that interferes once; then each change was made once.
    private static func expectWhole(
        _ app: App, cuts: [Int] = [], passes: @escaping (String) throws -> Bool = { _ in true }
    ) throws {
        try withTrip { home, val in
            let proxy = try CuttingProxy(
                at: home.path + "/proxy", to: home.socket, cuts: cuts, passes: passes)
            let ending = try run(app, in: home, at: proxy.path) { try proxy.serve(until: $0) }
            #expect(ending.error == nil)
            // The Swift library skips states that are replaced before they are read.
            #expect(app == .swift || ending.lists.contains(["1 Item 1", "1 Rome to Oslo", "2 Lunch"]))
            #expect(ending.lists.last == ["1 Item 1", "1 Rome to Oslo", "1 Lunch"])
            let trip = try val.result("trip.get", #"{"trip":"t"}"#)
            #expect(trip["items"]?.elements.map { $0["title"]?.string } == ["Item 1", nil, "Lunch"])
            #expect(trip["items"]?.elements.map { $0["day"]?.int } == [1, 1, 1])
            // The addition of the travel, and three changes.
            #expect(trip["version"]?.int == 5)
        }
    }

    @Test func `the page contains every program, each shorter than sixty lines`() throws {
        let fences = try Self.page().split(separator: "\n").filter {
            $0 == "```swift" || $0 == "```python"
        }
        #expect(fences.count == Self.headings.count)
        for heading in Self.headings {
            let lines = try Self.program(heading).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count > 10 && lines.count <= 60, "\(heading): \(lines.count)")
        }
    }

    @Test(arguments: App.allCases, cuts)
    func `an app applies each change once if an answer is lost`(app: App, cut: Int) throws {
        try Self.expectWhole(app, cuts: [cut])
    }

    @Test(arguments: App.allCases, ["drag.begin", "drag.drop"])
    func `an app moves the item if the drag's connection is lost`(app: App, method: String) throws {
        var isCut = false
        try Self.expectWhole(app) { request in
            defer { isCut = isCut || request.contains(method) }
            return isCut || !request.contains(method)
        }
        #expect(isCut)
    }

    @Test(arguments: App.allCases)
    func `an app reports that another user holds the item`(app: App) throws {
        try Self.withTrip { home, val in
            let proxy = try CuttingProxy(at: home.path + "/proxy", to: home.socket) { request in
                if request.contains("drag.begin") {
                    let items = try val.result("trip.get", #"{"trip":"t"}"#)["items"]?.elements
                    let lunch = try #require(
                        items?.first { $0["title"]?.string == "Lunch" }?["id"]?.string)
                    try val.result("drag.begin", #"{"trip":"t","item":"\#(lunch)"}"#)
                }
                return true
            }
            let ending = try Self.run(app, in: home, at: proxy.path) { try proxy.serve(until: $0) }
            #expect(ending.error?.contains("val") == true, "\(ending.error ?? "no error")")
            let trip = try val.result("trip.get", #"{"trip":"t"}"#)
            #expect(trip["items"]?.elements.map { $0["day"]?.int } == [1, 1, 1])
        }
    }

    @Test(arguments: App.allCases) func `an app ends if no daemon runs at the start`(app: App) throws {
        let home = try Home()
        defer { home.end() }
        let ending = try Self.run(app, in: home, at: home.path + "/none")
        #expect(ending.lists == [])
        #expect(ending.error?.isEmpty == false)
    }

    @Test(arguments: [App.python, .sockets]) func `an app ends if it cannot show the list`(app: App)
        throws
    {
        try Self.withTrip { home, _ in
            _ = try home.write(
                """
                import builtins

                def fail(*_, **__):
                    raise OSError("the screen is gone")

                builtins.print = fail
                """, to: "sitecustomize.py")
            let ending = try Self.run(app, in: home, at: home.socket)
            #expect(ending.error?.contains("the screen is gone") == true, "\(ending.error ?? "no error")")
        }
    }

    @Test func `the bot adds a packing item for travel that another user adds`() throws {
        try Self.withTrip { home, val in
            _ = try val.result("trip.subscribe", #"{"trip":"t"}"#)
            let bot = try Self.start("A bot", in: home, at: home.socket)
            // The bot is present before it has noted the items that are there.
            _ = try bot.waitForLine(with: "packing for t")
            try val.result("item.add", Self.travel)
            let packed = try val.next("trip.snapshot") { $0.text.contains("Pack before.") }
            let items = try #require(packed.params?["items"]).elements
            #expect(items.map { $0["title"]?.string } == ["Item 1", nil, "Pack", nil])
            try val.result("trip.delete", #"{"trip":"t"}"#)
            let outcome = try bot.finish()
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
            #expect(outcome.output == "packing for t\n")
        }
    }

    @Test func `the Swift programs of the page are the compiled ones`() throws {
        let files = [
            ("Swift", "Plan.swift"), ("A list on a screen", "ListScreen.swift"),
            ("Fields and refusals", "Dinner.swift"),
        ]
        for (heading, file) in files {
            let source = Self.root.appending(path: "Tests/EndToEndTests/AppPage/\(file)")
            #expect(try Self.program(heading) == String(contentsOf: source, encoding: .utf8))
        }
    }

    @Test func `the package of an app names this package's product and platforms`() throws {
        let package = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let program = try Self.program("The package of an app")
        let named = try #require(program.firstMatch(of: /\.product\(name: "(\w+)", package: "(\w+)"\)/))
        #expect(package.contains(".library(name: \"\(named.1)\""))
        #expect(program.contains(".package(path: \"../\(named.2)\")"))
        for start in ["// swift-tools-version", "    platforms:"] {
            let lines = [program, package].map {
                $0.split(separator: "\n").filter { $0.hasPrefix(start) }
            }
            #expect(lines[0] == lines[1] && lines[0].count == 1)
        }
    }

    @Test func `the page's dinner has a time and a cost, and a refusal is switched over`() async throws {
        let home = try Home()
        defer { home.end() }
        _ = try home.serve()
        try SampleTrip.make(1, by: home.connect(as: "val"))
        let trip = try await LiveTrip.open(.slug("t"), at: DaemonAddress(path: home.socket))
        let time = try #require(ClockTime("19:30"))
        let dinner = try await bookDinner(time, day: 1, in: trip)
        #expect(costs(of: trip.state.trip, in: "EUR") == 40)
        #expect(costs(of: trip.state.trip, in: "USD") == 0)
        #expect(trip.state.trip[dinner]?.content[.time] == .time(time))
        #expect(try await postpone(dinner, to: 99, in: trip) == "The trip has no day 99.")
        #expect(trip.state.trip[dinner]?.position.day == 1)
        // A new item is not lost if its day does not exist.
        let late = try await bookDinner(time, day: 99, in: trip)
        #expect(trip.state.trip[late]?.position.day == trip.state.trip.header.dayCount)
        await trip.close()
    }

    @Test @MainActor func `the rows of an app show a change before the call that makes it returns`()
        async throws
    {
        let home = try Home()
        defer { home.end() }
        _ = try home.serve()
        try SampleTrip.make(2, by: home.connect(as: "val"))
        let trip = try await LiveTrip.open(.slug("t"), at: DaemonAddress(path: home.socket))
        let (drawn, drawing) = AsyncStream.makeStream(of: String.self)
        let screen = ListScreen(trip) { drawing.yield($0.status + $0.failure) }
        #expect(screen.status == "saved")
        screen.lunchButton()
        #expect(screen.rows.map(\.content.title) == ["Item 1", "Item 2", "Lunch"])
        screen.onMove(from: 2, to: 0)
        #expect(screen.rows.map(\.content.title) == ["Lunch", "Item 1", "Item 2"])
        #expect(screen.status.hasPrefix("saving"))
        for await text in drawn where text == "saved" { break }
        let following = Task { await screen.follow() }
        await trip.close()
        await following.value
        screen.lunchButton()
        for await _ in drawn where !screen.failure.isEmpty { break }
        #expect(screen.rows.map(\.content.title) == ["Lunch", "Item 1", "Item 2"])
    }
}
