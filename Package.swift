// swift-tools-version: 6.3
import PackageDescription

/// Who may import whom is this list: pure targets know no I/O, the server and the client never import each
/// other, and only executables wire things together.
/// A third of the daemon's own instructions for a watcher checked that no access to a stored variable overlaps another
/// one. Each object has one thread at a time, and debug builds, thus all tests, still check each access.
let uncheckedAccess: [SwiftSetting] = [
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

let package = Package(
    name: "itineraryd",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "TripModel", targets: ["TripModel"]),
        .library(name: "TripProtocol", targets: ["TripProtocol"]),
        .library(name: "TripClient", targets: ["TripClient"]),
        .executable(name: "itineraryd", targets: ["itineraryd"]),
        .executable(name: "itinerary-client", targets: ["itinerary-client"]),
    ],
    dependencies: [],
    targets: [
        // Pure: values in, values out.
        .target(name: "TripModel"),
        .target(name: "JSONLine"),
        .target(name: "TripProtocol", dependencies: ["TripModel", "JSONLine"]),
        .target(name: "ScheduleFiles", dependencies: ["TripModel", "TripProtocol", "JSONLine"]),
        .target(name: "TerminalCore"),
        .target(name: "ItineraryUI", dependencies: ["TripModel", "TerminalCore"]),
        .target(name: "CommandLineKit", dependencies: ["TripModel"]),
        .target(
            name: "Handbook",
            resources: [
                .embedInCode("editor.md"), .embedInCode("items.md"), .embedInCode("import-export.md"),
                .embedInCode("sharing.md"), .embedInCode("daemon.md"), .embedInCode("backup.md"),
                .embedInCode("plain.md"), .embedInCode("assistants.md"), .embedInCode("access.md"),
                .embedInCode("editor.conf.md"),
            ]),

        // I/O.
        .target(name: "CSystemShim"),
        .target(name: "LocalSystem", dependencies: ["CSystemShim"]),
        .target(
            name: "TripJournal", dependencies: ["TripModel", "TripProtocol", "JSONLine", "LocalSystem"],
            swiftSettings: uncheckedAccess),
        .target(
            name: "TripServer",
            dependencies: ["TripModel", "TripProtocol", "JSONLine", "LocalSystem", "TripJournal"],
            resources: [.embedInCode("Resources/openrpc.json")], swiftSettings: uncheckedAccess),
        // The offline commands of the daemon: checks, exports, backups.
        .target(
            name: "TripMaintenance",
            dependencies: ["TripServer", "TripJournal", "TripProtocol", "TripModel", "LocalSystem"]),
        .target(
            name: "TripClient", dependencies: ["TripModel", "TripProtocol", "JSONLine", "LocalSystem"],
            exclude: ["README.md"]),

        // What goes between an editor and its live trip, as values.
        .target(
            name: "EditorLink", dependencies: ["ItineraryUI", "TripClient", "TripProtocol", "TripModel"]),

        // Executables. The client's target depends on the daemon's, so that building one builds both.
        .executableTarget(
            name: "itineraryd",
            dependencies: [
                "CommandLineKit", "TripServer", "TripMaintenance", "TripJournal", "TripClient",
                "TripProtocol",
                "TripModel", "JSONLine", "LocalSystem",
            ]),
        .executableTarget(
            name: "itinerary-client",
            dependencies: [
                "itineraryd", "CommandLineKit", "Handbook", "EditorLink", "TripClient", "TripProtocol",
                "TripModel", "ItineraryUI", "TerminalCore", "ScheduleFiles", "JSONLine", "LocalSystem",
            ],
            exclude: ["Resources/SOURCE.md"],
            resources: [.embedInCode("Resources/worldcup-2026.csv")]),
        .executableTarget(
            name: "bench",
            dependencies: [
                "itineraryd", "TripServer", "TripMaintenance", "TripJournal", "TripProtocol", "TripModel",
                "ItineraryUI",
                "TerminalCore",
                "JSONLine", "LocalSystem",
            ],
            path: "Tools/bench"),

        .target(
            name: "EditorSessions", dependencies: ["ItineraryUI", "TripModel", "TerminalCore"],
            path: "Tools/sessions"),
        .executableTarget(
            name: "pictures", dependencies: ["EditorSessions", "TerminalCore"], path: "Tools/pictures",
            exclude: ["scenes", "svg"]),
        .executableTarget(
            name: "editor-bench",
            dependencies: [
                "EditorSessions", "EditorLink", "ItineraryUI", "TripClient", "TripProtocol", "TripModel",
                "TerminalCore", "JSONLine", "LocalSystem",
            ],
            path: "Tools/editor-bench"),
        // Live trips that change a trip behind a bad proxy; Tools/torture/live runs it.
        .executableTarget(
            name: "live-soak", dependencies: ["TripClient", "TripProtocol", "LocalSystem"],
            path: "Tools/live-soak"),
        .target(
            name: "TestSupport", dependencies: ["JSONLine", "LocalSystem", "TripModel", "CSystemShim"],
            path: "Tests/TestSupport"),
        .target(name: "SimulatedSystem", dependencies: ["LocalSystem"], path: "Tests/SimulatedSystem"),
        .testTarget(name: "TripModelTests", dependencies: ["TripModel", "TestSupport"]),
        .testTarget(name: "JSONLineTests", dependencies: ["JSONLine", "TestSupport"]),
        .testTarget(
            name: "TripProtocolTests", dependencies: ["TripProtocol", "TripModel", "JSONLine", "TestSupport"]),
        .testTarget(
            name: "ScheduleFilesTests",
            dependencies: ["ScheduleFiles", "TripModel", "TripProtocol", "JSONLine", "TestSupport"],
            exclude: ["Files"]),
        .testTarget(name: "TerminalCoreTests", dependencies: ["TerminalCore", "TestSupport"]),
        .testTarget(
            name: "ItineraryUITests",
            dependencies: ["ItineraryUI", "EditorSessions", "TripModel", "TerminalCore", "TestSupport"],
            exclude: ["Plain", "Sessions"]),
        .testTarget(name: "LocalSystemTests", dependencies: ["LocalSystem", "TestSupport"]),
        .testTarget(
            name: "TripJournalTests",
            dependencies: ["TripJournal", "TripModel", "LocalSystem", "SimulatedSystem", "TestSupport"],
            exclude: ["Golden"]),
        .testTarget(
            name: "TripServerTests",
            dependencies: [
                "TripServer", "TripMaintenance", "TripJournal", "TripProtocol", "TripModel", "JSONLine",
                "LocalSystem",
                "SimulatedSystem", "TestSupport",
            ],
            exclude: ["Golden"]),
        .testTarget(
            name: "ProtocolDocumentTests",
            dependencies: [
                "TripServer", "TripJournal", "TripProtocol", "TripModel", "JSONLine", "LocalSystem",
                "TestSupport",
            ]),
        .testTarget(
            name: "TripClientTests",
            dependencies: [
                "TripClient", "TripServer", "TripJournal", "TripProtocol", "TripModel", "JSONLine",
                "LocalSystem", "TestSupport",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "itineraryd", "itinerary-client", "CommandLineKit", "Handbook", "ItineraryUI", "TripClient",
                "TripJournal", "TripModel", "TripProtocol", "TerminalCore", "LocalSystem", "JSONLine",
                "TestSupport",
            ],
            exclude: ["OtherDaemon"]),
        // The daemon and its clients in one process, from a seed; the command runs as many seeds as one has time for.
        .target(name: "CLastWords", path: "Tests/CLastWords"),
        .target(
            name: "Simulation",
            dependencies: [
                "TripServer", "TripMaintenance", "TripJournal", "TripClient", "TripProtocol", "TripModel",
                "JSONLine",
                "EditorLink", "ItineraryUI", "TerminalCore", "LocalSystem", "SimulatedSystem", "TestSupport",
                "CLastWords",
            ], path: "Tests/Simulation"),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation", "LocalSystem", "simulate"]),
        .executableTarget(
            name: "simulate", dependencies: ["Simulation", "LocalSystem"], path: "Tools/simulate"),
        // What is fuzzed, and the inputs that are kept; Tools/fuzz/run compiles the same functions for libFuzzer.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "TripServer", "TripJournal", "TripProtocol", "TripModel", "JSONLine", "ScheduleFiles",
                "TerminalCore", "LocalSystem", "SimulatedSystem", "Simulation", "TestSupport",
            ],
            exclude: ["Corpus"]),
        .testTarget(name: "TidyTests"),
    ],
    swiftLanguageModes: [.v6]
)
