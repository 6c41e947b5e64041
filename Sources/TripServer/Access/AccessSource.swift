import LocalSystem

/// The reason why the access rules could not be read; one line for the log.
package struct AccessFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}

/// The file `access` of a data directory.
package struct AccessSource: Sendable {
    /// The path of the file, which need not exist.
    package let path: String
    private let own: UInt32

    /// The `access` file in a data directory, for a daemon that runs as account `own`.
    package init(in directory: String, own: UInt32 = CurrentUser.id) {
        path = directory + "/access"
        self.own = own
    }

    /// Reads the file and resolves its names. A missing file grants access to the owner only. Blocks on the
    /// disk and on the user database.
    ///
    /// - Throws: `AccessFailure` if the file is invalid, or if other accounts can write to it.
    package func read() throws(AccessFailure) -> AccessRules {
        let bytes: [UInt8]?
        do throws(PrivateFileError) {
            bytes = try PrivateFile.read(path, maximumBytes: AccessFile.maximumBytes)
        } catch {
            throw AccessFailure(description: "\(error)")
        }
        guard let bytes else { return AccessRules() }
        do throws(AccessFile.Failure) {
            return try AccessRules(
                AccessFile(parsing: bytes), own: own, userID: UserDatabase.userID(named:),
                groupID: UserDatabase.groupID(named:))
        } catch {
            throw AccessFailure(description: "\(path), \(error)")
        }
    }
}
