import Foundation
import Testing

/// Style rules that can be checked automatically, for every source file.
@Suite("Tidy")
struct TidyTests {
    @Test func `the top level contains only the agreed entries`() throws {
        let allowed: Set = ["Package.swift", "Sources", "Tests", "Protocol", "Tools", "README.md", "LICENSE"]
        let entries = try FileManager.default.contentsOfDirectory(atPath: Checkout.root.path)
        let others = entries.filter {
            !$0.hasPrefix(".") && $0 != "Package.resolved" && !allowed.contains($0)
        }
        #expect(others == [])
    }

    @Test func `the package has no dependencies`() throws {
        let manifest = try Checkout.text(of: Checkout.root.appending(path: "Package.swift"))
        #expect(!manifest.contains(".package("))
    }

    @Test func `an app that imports TripClient gets at most 40 names`() throws {
        let lines = try Checkout.files(below: "Sources/TripClient").flatMap(\.lines)
        let names = lines.filter { $0.hasPrefix("public ") || $0.hasPrefix("@_exported ") }
        #expect(names.contains { $0.contains("final class LiveTrip") })
        #expect(names.count <= 40)
    }

    @Test func `no source file has over 800 lines`() throws {
        #expect(try Checkout.sources().filter { $0.lines.count > 800 }.map(\.name) == [])
    }

    @Test func `no type of the server has over 12 stored variables`() throws {
        // They have a value for each option, or for each part of a line of a file.
        let records: Set = ["ServerConfiguration", "CommitRecord", "SnapshotReader"]
        var counted = 0
        for file in try Checkout.files(below: "Sources/TripServer") {
            for type in file.types where !records.contains(type.name) {
                counted += type.variables.count
                #expect(type.variables.count <= 12, "\(file.name): \(type.name) \(type.variables)")
            }
        }
        #expect(counted > 100, "they are found")
    }

    @Test func `other types cannot write the variables of the server's parts`() throws {
        var parts: Set = [
            "Scheduler", "MemoryBudget", "Offload", "TripDirectory", "SlotTable", "InFlight", "EditLog",
            "RetryTable",
        ]
        for file in try Checkout.files(below: "Sources/TripServer") {
            for type in file.types where parts.remove(type.name) != nil {
                for variable in type.variables {
                    #expect(variable.contains("private"), "\(file.name) lets every file write: \(variable)")
                }
            }
        }
        #expect(parts.isEmpty, "these are not found")
    }

    @Test func `every file that can stop the program is in Sources/Traps.md, with a proof that it does not`()
        throws
    {
        let audit = try Checkout.text(of: Checkout.root.appending(path: "Sources/Traps.md"))
        let rows = audit.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| where") }
        var named: Set<String> = []
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 2, cells[1].contains("precondition") else { continue }
            for place in cells[0].split(separator: ", ") {
                let path = place.split(separator: " ").first ?? place
                named.insert("\(path.split(separator: "/").last ?? path).swift")
            }
        }
        let traps = ["precondition(", "preconditionFailure(", "fatalError("]
        let stopping = try Checkout.files(below: "Sources").filter { file in
            file.lines.contains { line in
                !Checkout.isComment(line) && traps.contains(where: line.contains)
            }
        }
        #expect(stopping.map(\.name).filter { !named.contains($0) }.sorted() == [])
        // A row for a file without traps is outdated.
        let known = Set(stopping.map(\.name))
        #expect(named.subtracting(known).sorted() == [])
    }

    @Test func `every use of an unsafe construct has a comment directly above that justifies it`() throws {
        let hatches = ["@unchecked Sendable", "nonisolated(unsafe)", "try!", "unsafeBitCast", "fatalError("]
        var bare: [String] = []
        for file in try Checkout.sources() {
            for (index, line) in file.lines.enumerated() where !Checkout.isComment(line) {
                guard hatches.contains(where: line.contains) else { continue }
                if index == 0 || !Checkout.isComment(file.lines[index - 1]) {
                    bare.append("\(file.name):\(index + 1)")
                }
            }
        }
        #expect(bare == [])
    }

    @Test func `tests wait for events and do not sleep`() throws {
        let sleeps = ["Task" + ".sleep", "us" + "leep(", "Thread" + ".sleep"]
        var found: [String] = []
        for file in try Checkout.files(below: "Tests") {
            for (index, line) in file.lines.enumerated() where sleeps.contains(where: line.contains) {
                found.append("\(file.name):\(index + 1)")
            }
        }
        #expect(found == [])
    }

    @Test func `no line of prose in the README and the handbook has over 125 characters`() throws {
        let handbook = Checkout.root.appending(path: "Sources/Handbook")
        let chapters = try FileManager.default.contentsOfDirectory(
            at: handbook, includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "md" }
        #expect(chapters.count >= 10)
        for file in chapters + [Checkout.root.appending(path: "README.md")] {
            var isCode = false
            for (index, line) in try Checkout.text(of: file).split(
                separator: "\n", omittingEmptySubsequences: false
            ).enumerated() {
                if line.hasPrefix("```") { isCode.toggle() }
                // A row of a table and a picture cannot be wrapped.
                if isCode || line.hasPrefix("|") || line.hasPrefix("![") { continue }
                #expect(line.count <= 125, "\(file.lastPathComponent), line \(index + 1)")
            }
        }
    }

    @Test func `the sources contain no markers of unfinished work`() throws {
        let words = ["TO" + "DO", "FIX" + "ME", "not imple" + "mented"]
        var found: [String] = []
        for file in try Checkout.sources() + Checkout.files(below: "Tests") {
            for (index, line) in file.lines.enumerated() {
                // As the end of a longer word it is allowed: calendars have a component of that name.
                let isThere = words.contains { word in
                    line.ranges(of: word).contains { line[..<$0.lowerBound].last?.isLetter != true }
                }
                if isThere { found.append("\(file.name):\(index + 1)") }
            }
        }
        #expect(found == [])
    }

    @Test(arguments: [
        "TripModel", "JSONLine", "TripProtocol", "ScheduleFiles", "TerminalCore", "ItineraryUI",
    ])
    func `pure targets import nothing that does I/O`(target: String) throws {
        let forbidden: Set = ["LocalSystem", "Glibc", "Darwin", "Dispatch", "CSystemShim", "Synchronization"]
        for file in try Checkout.files(below: "Sources/\(target)") {
            let imports = file.lines.filter { $0.hasPrefix("import ") }.map { String($0.dropFirst(7)) }
            // It caches bytes that follow from its value.
            let allowed: Set = file.name.hasSuffix("SharedContent.swift") ? ["Synchronization"] : []
            #expect(forbidden.subtracting(allowed).isDisjoint(with: imports), "\(file.name)")
        }
    }

    @Test func `the server and the client never import each other`() throws {
        for file in try Checkout.files(below: "Sources/TripServer") {
            #expect(!file.lines.contains("import TripClient"), "\(file.name)")
        }
        for file in try Checkout.files(below: "Sources/TripClient") {
            #expect(!file.lines.contains("import TripServer"), "\(file.name)")
        }
    }

    @Test(arguments: ["TripModel", "TripProtocol", "TripClient"])
    func `every public declaration of the libraries is documented`(library: String) throws {
        var bare: [String] = []
        var count = 0
        for file in try Checkout.files(below: "Sources/\(library)") {
            for (index, line) in file.lines.enumerated() where file.isPublicName(at: index) {
                count += 1
                var above = index - 1
                while above >= 0, file.lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
                if above < 0 || !file.lines[above].drop(while: { $0 == " " }).hasPrefix("///") {
                    bare.append("\(file.name):\(index + 1): \(line)")
                }
            }
        }
        #expect(bare == [])
        #expect(count > 30, "there are public names")
    }

    @Test(arguments: [
        "EditorLink", "JSONLine", "LocalSystem", "ScheduleFiles", "TerminalCore", "TripClient",
        "TripJournal", "TripMaintenance", "TripModel", "TripProtocol", "TripServer",
    ])
    func `every package declaration is documented, or the requirement that it implements`(target: String)
        throws
    {
        // Names of the standard library's protocols.
        let stored: Set<Substring> = ["rawValue", "description"]
        var requirements = stored.union(["==", "hash", "unownedExecutor"])
        let name = /(?:func|var|let|case) `?(?<name>==|\w+)|(?<special>subscript|init\(rawValue)/
        for file in try Checkout.files(below: "Sources") {
            var isProtocol = false
            for line in file.lines {
                if line.contains("protocol ") { isProtocol = true }
                if line == "}" { isProtocol = false }
                guard isProtocol, let found = line.firstMatch(of: name) else { continue }
                requirements.insert(found.name ?? found.special ?? "")
            }
        }
        requirements.insert("init(rawValue")
        var (bare, count) = ([String](), 0)
        for file in try Checkout.files(below: "Sources/\(target)") {
            for (index, line) in file.lines.enumerated() {
                let text = line.drop { $0 == " " }
                // What an initializer makes is said by its type.
                guard text.hasPrefix("package "), !text.hasPrefix("package extension"),
                    !text.hasPrefix("package init(")
                else { continue }
                count += 1
                var above = index - 1
                while above >= 0, file.lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
                if above >= 0, file.lines[above].drop(while: { $0 == " " }).hasPrefix("///") { continue }
                // A stored property is rarely a requirement; its name alone says little.
                let isStored =
                    text.hasPrefix("package let ") || text.hasPrefix("package var ") && !text.contains("{")
                if let found = text.firstMatch(of: name),
                    (isStored ? stored : requirements).contains(found.name ?? found.special ?? "")
                {
                    continue
                }
                bare.append("\(file.name):\(index + 1): \(line)")
            }
        }
        #expect(bare == [])
        #expect(count > 3, "there are such names")
    }

    @Test func `the API of a live trip exposes no socket and no loop`() throws {
        let hidden = ["EventLoop", "Descriptor", "Socket", "WorkerThread", "LiveTripCore", "JSONNode"]
        for file in try Checkout.files(below: "Sources/TripClient") {
            for line in file.lines where line.contains("public ") && !Checkout.isComment(line) {
                #expect(!hidden.contains { line.contains($0) }, "\(file.name): \(line)")
            }
        }
    }

    @Test func `every connection to a socket checks its owner`() throws {
        let connecting = try Checkout.files(below: "Sources").filter { file in
            file.lines.contains { !Checkout.isComment($0) && $0.contains("UnixSocket.connect(") }
        }
        // The second file only tests whether a daemon listens.
        #expect(connecting.map(\.name).sorted() == ["DaemonConnection.swift", "SocketFile.swift"])
    }

    @Test func `the library's README shows the example that is compiled and run`() throws {
        let readme = try Checkout.text(of: Checkout.root.appending(path: "Sources/TripClient/README.md"))
        let example = try Checkout.text(
            of: Checkout.root.appending(path: "Tests/TripClientTests/ReadmeExample.swift"))
        #expect(readme.contains("```swift\n\(example)```\n"))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count < 45)
    }

    @Test func `the map of the sources names existing files`() throws {
        let map = try Checkout.text(of: Checkout.root.appending(path: "Sources/README.md"))
        // `Target/File`, as in the diagram of a move's path.
        let named = map.matches(
            of: /\b(?<target>[A-Z][A-Za-z]+)\/(?<file>[A-Z][A-Za-z]+(?:\+[A-Z][A-Za-z]+)?)\b/)
        let targets = try FileManager.default.contentsOfDirectory(
            atPath: Checkout.root.appending(path: "Sources").path)
        var count = 0
        for name in named where targets.contains(String(name.target)) {
            count += 1
            let files = try Checkout.files(below: "Sources/\(name.target)").map(\.name)
            #expect(files.contains("\(name.file).swift"), "\(name.target)/\(name.file)")
        }
        #expect(count > 20, "there is such a picture")
        // `Name`, `Name+Part` and `Name.member` must each name a file or a type.
        let files = try targets.filter { !$0.contains(".") && $0 != "CSystemShim" }
            .flatMap { try Checkout.files(below: "Sources/\($0)") }
        let fileNames = Set(files.map { $0.name.replacing(".swift", with: "") })
        let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        var types: Set<String> = []
        for line in files.lazy.flatMap(\.lines) {
            let words = line.split(separator: " ", maxSplits: 6)
            for (kind, name) in zip(words, words.dropFirst()) where kinds.contains(kind) {
                types.insert(String(name.prefix { $0.isLetter }))
            }
        }
        let known = fileNames.union(types).union(targets)
        let quoted = Set(
            map.matches(of: /`(?<name>[A-Z][A-Za-z]+(?:\+[A-Z][A-Za-z]+)?)(?:\.[a-z][A-Za-z]*)?`/).map {
                String($0.name)
            })
        #expect(quoted.count > 60, "there are such names")
        #expect(quoted.subtracting(known).subtracting(["README", "Traps"]).sorted() == [])
    }

    @Test func `messages of the socket are encoded in one place`() throws {
        func writers(below target: String) throws -> [String] {
            try Checkout.files(below: target).filter { file in
                file.lines.contains { line in
                    // A writer, a key within a text, or the envelope's own member.
                    !Checkout.isComment(line)
                        && (line.contains("JSONWriter") || line.contains(#"\":"#) || line.contains("jsonrpc"))
                }
            }.map(\.name)
        }
        #expect(try writers(below: "Sources/TripProtocol").count > 8, "such files are found")
        #expect(try writers(below: "Sources/TripClient") == [])
        // These files write and read records of the journal.
        #expect(
            try writers(below: "Sources/TripServer").sorted() == [
                "CommitRecord.swift", "TripSnapshot.swift",
            ])
    }

    @Test func `the map of the sources lists where every message is written and read`() throws {
        let map = try Checkout.text(of: Checkout.root.appending(path: "Sources/README.md"))
        let rows = map.split(separator: "\n").filter { $0.hasPrefix("| ") }.joined(separator: "\n")
        var messages: Set<String> = []
        for file in try Checkout.files(below: "Sources/TripProtocol") {
            for line in file.lines {
                if let name = line.firstMatch(of: /otification\(\s*"(?<name>[a-z.]+)"/)?.name {
                    messages.insert(String(name))
                }
                guard file.name == "Method.swift",
                    let found = line.firstMatch(of: /^    case (?<plain>\w+)(?: = "(?<name>[a-z.]+)")?$/)
                else { continue }
                messages.insert(String(found.name ?? found.plain))
            }
        }
        #expect(messages.count > 35, "they are found")
        for message in messages.sorted() { #expect(rows.contains("`\(message)`"), "\(message)") }
    }

    @Test func `the editor's state machines keep their state private`() throws {
        let map = try Checkout.text(of: Checkout.root.appending(path: "Sources/README.md"))
        let rows = map.split(separator: "\n").filter {
            $0.hasPrefix("| `") && $0.contains("ItineraryUI")
        }
        let machines = Set(
            rows.flatMap { $0.matches(of: /`(?:ItineraryUI\/)?(?<type>\w+)`/).map { String($0.type) } })
        #expect(machines.count > 10, "there is such a table")
        for file in try Checkout.files(below: "Sources/ItineraryUI") {
            for type in file.types where machines.contains(type.name) {
                for variable in type.variables {
                    #expect(variable.contains("private"), "\(file.name) lets every file write: \(variable)")
                }
            }
        }
        let editor = try Checkout.text(
            of: Checkout.root.appending(path: "Sources/ItineraryUI/Editor/EditorState.swift"))
        for field in editor.matches(of: /\n    var (?<name>\w+)(?: = |: )(?<type>\w+)(?:\(\)|\?)?\n/) {
            #expect(machines.contains(String(field.type)) || field.type == "RemovedTitles", "\(field.name)")
        }
    }

    @Test func `every rule of the domain is in the name of a test`() throws {
        let rules = [
            "R-DATA-01", "R-DATA-02", "R-DATA-03", "R-DATA-04", "R-DATA-05", "R-DAY", "R-FLAT-01",
            "R-FLAT-02",
            "R-FLAT-03", "R-PERS-03", "R-NORM", "R-CONS-01", "R-CONS-02", "R-CONS-03", "R-CONS-04", "R-LEG",
            "R-BARRIER", "R-REASON", "R-GAPS", "R-CONFLICT", "R-EDIT", "R-TEXT",
        ]
        let names = try Checkout.files(below: "Tests").filter { $0.name != "TidyTests.swift" }
            .flatMap(\.lines).filter { $0.contains("`") || $0.contains("\"") }
        let map = try Checkout.text(of: Checkout.root.appending(path: "Sources/README.md"))
        for rule in rules {
            #expect(names.contains { $0.contains(rule) }, "\(rule) has no test")
            #expect(map.contains("| \(rule) |"), "\(rule) has no sentence in the map of the sources")
        }
    }
}
