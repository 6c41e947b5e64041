import LocalSystem
import TripProtocol

/// The ids of the user's persons, which decide whose changes an undo may reverse. There is one id per name
/// that an account uses, shared by all programs, created on first use and stored in the state directory.
public enum PersonFile {
    /// The id for a name of the account that runs this process. Nil if it cannot be stored: each program then
    /// has its own undo history.
    ///
    /// - Parameters:
    ///   - name: the name given to the daemon; nil for the account's own.
    ///   - createsIfMissing: whether to create a missing id; a viewer needs none.
    public static func current(named name: String? = nil, createsIfMissing: Bool = true) -> PersonID? {
        let environment = ProcessEnvironment.current
        guard let home = CurrentUser.home(environment: environment.variables) else { return nil }
        let paths = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home)
        let file = fileName("person", of: name)
        return id(in: paths.dataDirectory, file, createsIfMissing: createsIfMissing)
    }

    /// The name of a file that is kept for each name: `person` for the account's own name, or `person-bob`.
    /// Everything but ASCII letters and digits is escaped, as in `person-%2E%2E`.
    package static func fileName(_ stem: String, of name: String?) -> String {
        guard let name, name != CurrentUser.name else { return stem }
        var text = stem + "-"
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }

    private static func id(in directory: String, _ file: String, createsIfMissing: Bool) -> PersonID? {
        let path = directory + "/" + file
        if let known = read(path) { return known }
        guard createsIfMissing, (try? PrivateDirectory.ensure(directory, isDefault: true)) != nil else {
            return nil
        }
        let made = PersonID.random()
        // If another program creates one concurrently, both use the same.
        let isMade = (try? PrivateFile.create(Array("\(made)\n".utf8), at: path)) ?? false
        if isMade { return made }
        if let known = read(path) { return known }
        // The existing file contains no valid id and is replaced.
        return (try? PrivateFile.write(Array("\(made)\n".utf8), to: path)) == nil ? nil : made
    }

    private static func read(_ path: String) -> PersonID? {
        guard (try? FileStatus.ofPath(path))??.kind == .regular,
            let file = try? OpenFile(path, .read, in: RealFileSystem()),
            let bytes = try? file.read(at: 0, count: 64)
        else { return nil }
        return PersonID(String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self))
    }
}
