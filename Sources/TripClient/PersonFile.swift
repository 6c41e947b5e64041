import LocalSystem
import TripProtocol

/// The ids by which the daemon knows whose changes an undo may revert: one for each name that an account uses, the same in
/// all programs, made once and kept in the state directory.
public enum PersonFile {
    /// The id of a name of the account that runs this process. Nil if it cannot be kept: each program then has an undo of
    /// its own.
    ///
    /// - Parameters:
    ///   - name: the name given to the daemon; nil for the account's own.
    ///   - makes: whether a missing id is made; a viewer needs none.
    public static func current(named name: String? = nil, makes: Bool = true) -> PersonID? {
        let environment = ProcessEnvironment.current
        guard let home = CurrentUser.home(environment: environment.variables) else { return nil }
        let paths = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home)
        let file = fileName(of: name == CurrentUser.name ? nil : name)
        return id(in: paths.dataDirectory, file, makes: makes)
    }

    /// The file of a name, in which everything but ASCII letters and digits is escaped: `person-bob`, `person-%2E%2E`.
    static func fileName(of name: String?) -> String {
        guard let name else { return "person" }
        var text = "person-"
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

    private static func id(in directory: String, _ file: String, makes: Bool) -> PersonID? {
        let path = directory + "/" + file
        if let known = read(path) { return known }
        guard makes, (try? PrivateDirectory.ensure(directory, isDefault: true)) != nil else { return nil }
        let made = PersonID.random()
        // Where another program makes one at the same time, both take the same.
        let isMade = (try? PrivateFile.create(Array("\(made)\n".utf8), at: path)) ?? false
        if isMade { return made }
        if let known = read(path) { return known }
        // What is there is no id: it is of no use to anybody.
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
