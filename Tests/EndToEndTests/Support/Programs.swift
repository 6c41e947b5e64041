import LocalSystem

/// The programs under test, which are built beside the tests.
enum Programs {
    static let daemon = path(of: "itineraryd")
    static let client = path(of: "itinerary-client")

    private static func path(of name: String) -> String {
        // If another program loads the tests, its arguments name their bundle.
        for place in [ExecutablePath.current].compactMap({ $0 }) + CommandLine.arguments {
            var directory = place[...]
            while let slash = directory.lastIndex(of: "/") {
                directory = directory[..<slash]
                let candidate = "\(directory)/\(name)"
                if (try? FileStatus.ofPath(candidate))?.kind == .regular { return candidate }
            }
        }
        preconditionFailure("\(name) is built beside the tests")
    }
}
