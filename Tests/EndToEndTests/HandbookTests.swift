import CommandLineKit
import Foundation
import ItineraryUI
import LocalSystem
import Testing
import TripModel

@testable import Handbook
@testable import itinerary_client
@testable import itineraryd

extension EndToEnd {
    /// The commands of the README and the handbook run, and their tables match the programs.
    @Suite struct HandbookTests {
        private static let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        private static let handbook = root.appending(path: "Sources/Handbook")

        private static func file(of chapter: Chapter) -> URL {
            handbook.appending(path: "\(chapter.rawValue).md")
        }

        // MARK: Commands

        static let documents = ["README.md"] + Chapter.allCases.map { "Sources/Handbook/\($0.rawValue).md" }

        @Test(arguments: documents, Surroundings.allCases)
        func `every command of a document succeeds with an empty home directory`(
            document: String, surroundings: Surroundings
        ) throws {
            let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
            let blocks = ShellBlock.all(in: text)
            guard !blocks.isEmpty else { return }
            let world = try DocumentWorld(surroundings, hasTrip: !text.contains("create Japan"))
            defer { world.end() }
            for block in blocks { try world.run(block) }
            try world.checkThatAllMeetOneDaemon()
        }

        @Test func `the check fails on a document whose command fails`() throws {
            let world = try DocumentWorld(.session, hasTrip: false)
            defer { world.end() }
            for text in ["```sh\nitinerary-client show nowhere\n```\n", "```crontab\n0 1 * * * false\n```\n"]
            {
                let block = try #require(ShellBlock.all(in: text).first)
                #expect(throws: DocumentWorld.Failure.self) { try world.run(block) }
            }
        }

        @Test func `a command of a document that uses the output of another fails if that fails`() throws {
            let world = try DocumentWorld(.session, hasTrip: false)
            defer { world.end() }
            try world.breakPrograms()
            for document in Self.documents {
                let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
                for line in ShellBlock.all(in: text).flatMap(\.lines)
                where line.contains(/itinerar\S+[^|]*\|[^|]|\$\(itinerar/) {
                    #expect(throws: DocumentWorld.Failure.self, "\(document): \(line)") {
                        try world.run(ShellBlock(lines: [line]))
                    }
                }
            }
        }

        // MARK: Tables

        /// The rows of a table of the handbook, by the name in the comment above it; nil for an unknown name.
        private static func rows(of table: String) -> [[String]]? {
            switch table {
            case "keys": keys()
            case "fields": fields()
            case "settings": Configuration.settings.map { ["`\($0.name)`", $0.values, $0.meaning] }
            case "exits": ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning] }
            case "environment": rows(Environment.client + DaemonProgram.description.environment)
            case "files": rows(DaemonProgram.description.files + Environment.clientFiles)
            default: nil
            }
        }

        private static func keys() -> [[String]] {
            let contexts: [KeyMap.Context] = [.list, .drag, .form, .menu, .trips]
            var rows: [[String]] = []
            for context in contexts {
                for binding in KeyMap.standard.bindings where binding.context == context {
                    let keys = binding.keys.map { "`\($0)`" }.joined(separator: " ")
                    rows.append([context.rawValue, keys, binding.help, "`\(binding.action.rawValue)`"])
                }
            }
            return rows
        }

        private static func fields() -> [[String]] {
            ItemField.allCases.map { field in
                let kinds = ItemKind.allCases.filter { $0.fields.contains(field) }.map(\.rawValue)
                let example = "`\(field.name)=\(FieldExamples.value(of: field))`"
                return ["`\(field.name)`", field.label, example, kinds.joined(separator: ", ")]
            }
        }

        private static let headings: [String: [String]] = [
            "keys": ["place", "keys", "effect", "action"], "fields": ["field", "label", "example", "kinds"],
            "settings": ["setting", "values", "meaning"], "exits": ["code", "meaning"],
            "environment": ["variable", "meaning"], "files": ["file", "contents"],
        ]

        /// Entries of both programs; a variable that both read is listed once.
        private static func rows(_ entries: [ProgramDescription.Entry]) -> [[String]] {
            var names: Set<String> = []
            return entries.filter { names.insert($0.name).inserted }.map { ["`\($0.name)`", $0.meaning] }
        }

        @Test func `the tables of the handbook match the programs`() throws {
            var found: Set<String> = []
            for chapter in Chapter.allCases {
                let file = Self.file(of: chapter)
                let text = try String(contentsOf: file, encoding: .utf8)
                let isEmbedded = text == chapter.text + "\n"
                #expect(isEmbedded, "\(chapter): the program has the text of the file")
                var updated = text
                for name in Self.headings.keys.sorted() {
                    let start = "<!-- \(name) -->\n"
                    guard let opening = text.range(of: start),
                        let closing = text.range(
                            of: "<!-- end -->", range: opening.upperBound..<text.endIndex)
                    else { continue }
                    found.insert(name)
                    let rows = try #require(Self.rows(of: name))
                    let heading = try #require(Self.headings[name])
                    let lines = [heading, heading.map { _ in "---" }] + rows
                    let table = lines.map { "| " + $0.map(Self.cell).joined(separator: " | ") + " |\n" }
                        .joined()
                    updated = updated.replacing(
                        start + text[opening.upperBound..<closing.lowerBound], with: start + table)
                }
                if ProcessEnvironment.current.nonEmpty("RECORD_HANDBOOK") != nil {
                    try Data(updated.utf8).write(to: file)
                }
                let isCurrent = updated == text
                #expect(
                    isCurrent, "\(chapter); RECORD_HANDBOOK=1 swift test --filter HandbookTests writes it")
            }
            #expect(found == Set(Self.headings.keys))
        }

        private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }

        // MARK: The manual

        @Test func `every page of the manual is typeset without a warning`() throws {
            let home = try Home()
            defer { home.end() }
            let client = [""] + CommandTable.program.commands.map(\.name) + Chapter.allCases.map(\.rawValue)
            let daemon = [""] + DaemonProgram.description.commands.map(\.name)
            let pages =
                client.map { "'\(Programs.client)' man \($0)" }
                + daemon.map { "'\(Programs.daemon)' man \($0)" }
            for page in pages {
                // Without `man` there is no check, but the page is printed all the same.
                let outcome = try home.shell(
                    "cd && \(page) > page && head -c 4 page && command -v man > /dev/null || exit 0; "
                        + "MANWIDTH=80 man --warnings -E UTF-8 -l page > /dev/null")
                #expect(outcome.output == ".TH " && outcome.errors.isEmpty, "\(page): \(outcome)")
            }
        }
    }
}

/// Who runs the commands of a document, and which daemon is there.
enum Surroundings: CaseIterable {
    /// A login session with a terminal.
    case session
    /// Cron, while a daemon of a session runs.
    case cronBesideSession
    /// Cron, before any daemon runs.
    case cronFirst
}

/// Commands of a Markdown document: a block for the shell, a line for cron, or the start of a unit of systemd.
private struct ShellBlock {
    /// The document's lines, in which a command may continue on the next line.
    let lines: [String]

    static func all(in text: String) -> [ShellBlock] {
        var blocks: [ShellBlock] = []
        var block: (language: Substring, lines: [String])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let (language, lines) = block {
                if line == "```" {
                    if let lines = commands(lines, in: language) { blocks.append(ShellBlock(lines: lines)) }
                    block = nil
                } else {
                    block?.lines.append(String(line))
                }
            } else if line.hasPrefix("```") {
                block = (line.dropFirst(3), [])
            }
        }
        return blocks
    }

    /// The shell commands of a block; nil if it has none.
    private static func commands(_ lines: [String], in language: Substring) -> [String]? {
        switch language {
        case "sh": lines
        // After five fields of the time.
        case "crontab": lines.map { String($0.replacing(/^(\S+ ){5}/, with: "")) }
        case "ini":
            lines.filter { $0.hasPrefix("ExecStart=") }
                .map { String($0.dropFirst("ExecStart=".count)).replacing("%h", with: "$HOME") }
        default: nil
        }
    }

    /// Commands that open a screen are run in a terminal, one by one; all others in a shell.
    enum Part {
        case script(String)
        case editor(String)
    }

    var parts: [Part] {
        var parts: [Part] = []
        var script: [String] = []
        var exports: [String] = []
        for line in lines {
            if line.hasPrefix("export ") { exports.append(line) }
            let opensEditor = line.contains(/^(swift run )?itinerary-client (demo|connect)/)
            guard opensEditor, !line.contains("--plain") else {
                script.append(line)
                continue
            }
            parts.append(.script(script.joined(separator: "\n")))
            parts.append(.editor((exports + [line]).joined(separator: "; ")))
            script = exports
        }
        return parts + [.script(script.joined(separator: "\n"))]
    }
}

/// A new home in which the commands of a document run, with stand-ins for programs of the system and the network.
private final class DocumentWorld {
    struct Failure: Error {
        let command: String
        let output: String
    }

    private let home: Home
    private let folder: String
    private let surroundings: Surroundings
    /// Variables of every command.
    private let settings: String

    init(_ surroundings: Surroundings, hasTrip: Bool) throws {
        home = try Home()
        folder = home.path + "/work"
        self.surroundings = surroundings
        settings = "export PATH=\"\(home.path)/bin:$PATH\"; cd '\(folder)'; "
        let directories = try home.shell(
            "cd '\(home.path)'; mkdir -p work .local srv/run mnt; mkdir -m 700 cron; ln -s ../bin .local/bin; mkdir bin"
        )
        #expect(directories.status == .exited(0))
        let calendar =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN"] + [
                "BEGIN:VEVENT", "UID:a@example.org", "DTSTAMP:20270101T000000Z", "SUMMARY:Kabuki",
                "DTSTART:20270404T100000Z", "DTEND:20270404T120000Z", "END:VEVENT", "END:VCALENDAR", "",
            ]
        for (name, month) in [("concerts", "04"), ("league", "06")] {
            let text = calendar.joined(separator: "\r\n").replacing("202704", with: "2027" + month)
            _ = try home.write(text, to: "work/\(name).ics")
        }
        let programs = [
            "itinerary-client": "exec '\(Programs.client)' \"$@\"",
            "itineraryd": "exec '\(Programs.daemon)' \"$@\"",
            // `swift run PROGRAM …` runs the program that the tests were built with. A build and a test are under way.
            "swift": "case $1 in build | test) exit ;; run) shift; exec \"$@\" ;; *) exit 64 ;; esac",
            // `ssh HOST COMMAND…` runs the command on this machine.
            "ssh": "while [ \"$1\" != itineraryd ]; do shift; done; exec \"$@\"",
            "curl": "[ \"$3\" = -o ] && cp '\(folder)/league.ics' \"$4\"",
            "systemctl": "exit 0", "crontab": "exit 0",
        ]
        for (name, script) in programs {
            chmod(try home.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)"), 0o700)
        }
        if surroundings == .cronBesideSession { _ = try inSession("list") }
        if hasTrip {
            try runScript(
                """
                itinerary-client create Japan --start 2027-04-01 --days 10 --zone Asia/Tokyo
                itinerary-client add japan "Giants v Tigers" --game g1 --starts 2027-04-03T18:00:00+09:00 city=Tokyo
                itinerary-client add japan Dinner --day 2
                """)
        }
    }

    func end() { home.end() }

    /// A command of the client in a login session.
    private func inSession(_ command: String) throws -> String {
        let outcome = try home.shell("env -u XDG_STATE_HOME $CLIENT \(command)")
        guard outcome.status == .exited(0) else { throw Failure(command: command, output: outcome.errors) }
        return outcome.output
    }

    /// Throws unless a session and cron have the same daemon.
    func checkThatAllMeetOneDaemon() throws {
        guard surroundings != .session else { return }
        _ = try home.shell("\(asCron) $CLIENT list")
        let cron = try home.shell("\(asCron) $CLIENT status").output.split(separator: "\n").first
        #expect(try inSession("status").split(separator: "\n").first == cron && cron != nil)
    }

    /// From here on every command of the client and of the daemon fails.
    func breakPrograms() throws {
        for name in ["itinerary-client", "itineraryd"] {
            _ = try home.write("#!/bin/sh\nexit 9\n", to: "bin/\(name)")
        }
    }

    /// Runs a command with the variables that cron sets, and with a directory in place of /tmp, where a daemon of the
    /// account that runs the tests may listen.
    private var asCron: String {
        "env -i HOME='\(home.path)' PATH=\"$PATH\" XDG_RUNTIME_DIR='\(home.path)/cron'"
    }

    func run(_ block: ShellBlock) throws {
        for part in block.parts {
            switch part {
            case .script(let script): try runScript(script)
            case .editor(let line): if surroundings == .session { try openEditor(line) }
            }
        }
    }

    private func runScript(_ script: String) throws {
        // Only root may write to /srv, and the test's own group stands for the group of the document.
        let script = script.replacing("/srv/trips", with: home.path + "/srv")
            .replacing("/mnt/", with: home.path + "/mnt/")
            .replacing("group users", with: "group $(id -gn)")
            .replacing("--allow-group users", with: "--allow-group $(id -gn)")
        let file = try home.write("set -e\n\(settings)\n\(script)\n", to: "script")
        // A daemon that the script starts keeps its output open, so that goes to a file.
        let shell = surroundings == .session ? "bash" : "\(asCron) bash"
        let outcome = try home.shell("\(shell) '\(file)' > '\(home.path)/output' 2>&1")
        guard outcome.status != .exited(0) else { return }
        throw Failure(command: script, output: try home.read(home.path + "/output"))
    }

    /// Opens the editor, waits until it is drawn, and leaves it by its key.
    private func openEditor(_ line: String) throws {
        let terminal = try home.openShell(settings + line)
        try terminal.wait(for: "Day 1")
        try terminal.type("q")
        guard case .exited(0) = try terminal.finish() else {
            throw Failure(command: line, output: terminal.screen.text)
        }
    }
}
