/// The default paths, as a function of the environment, the user and the home directory.
///
/// As in the XDG specification, an empty environment variable counts as unset, and a relative base directory
/// is ignored.
package struct DefaultPaths: Sendable {
    private let environment: [String: String]
    private let userID: UInt32
    private let home: String

    /// Default paths for a user; `home` takes precedence over the environment.
    package init(environment: [String: String], userID: UInt32, home: String) {
        self.environment = environment
        self.userID = userID
        self.home = home
    }

    /// The directory of the socket: in the user's runtime directory if it exists and `isUsable` accepts it.
    package func socketDirectory(isUsable: (String) -> Bool = RuntimeDirectory.isUsable) -> String {
        if let base = baseDirectory("XDG_RUNTIME_DIR"), isUsable(base) { return base + "/itineraryd" }
        return "/tmp/itineraryd-\(userID)"
    }

    /// The path of the socket.
    package func socket(isUsable: (String) -> Bool = RuntimeDirectory.isUsable) -> String {
        socketDirectory(isUsable: isUsable) + "/itineraryd.sock"
    }

    /// The directory of the trips.
    package var dataDirectory: String {
        #if canImport(Darwin)
        home + "/Library/Application Support/itineraryd"
        #else
        (baseDirectory("XDG_STATE_HOME") ?? home + "/.local/state") + "/itineraryd"
        #endif
    }

    private func baseDirectory(_ name: String) -> String? {
        guard let value = environment[name], value.hasPrefix("/") else { return nil }
        var path = Substring(value)
        while path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }
}

/// The user's runtime directory for sockets, created by the login session.
package enum RuntimeDirectory {
    /// True if `path` is a directory of this user that nobody else can write to.
    package static func isUsable(_ path: String) -> Bool {
        guard let status = try? FileStatus.ofPath(path), status.owner == CurrentUser.id else { return false }
        return status.kind == .directory && status.mode & 0o022 == 0
    }
}
