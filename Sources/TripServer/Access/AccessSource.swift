import LocalSystem

/// Why the rules of a data directory are not known; one line for the log.
package struct AccessFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}

/// The file `access` of a data directory.
package struct AccessSource: Sendable {
    /// Where it is, or would be.
    package let path: String
    private let own: UInt32

    /// The file of a directory whose daemon runs as an account.
    package init(in directory: String, own: UInt32 = CurrentUser.id) {
        path = directory + "/access"
        self.own = own
    }

    /// The rules that it has now, with everybody looked up; none but the owner's where there is no such file. Blocks on
    /// the disk and on the user database.
    ///
    /// - Throws: `AccessFailure` where it makes no sense, or where others can have written it.
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
