import LocalSystem
import TripProtocol

/// Who somebody is for undo, whichever of our programs they use: an id that is made once and kept in their state
/// directory.
public enum PersonFile {
    /// The id of whoever runs this process. Nil where it cannot be kept: what can be undone is then each program's own.
    ///
    /// - Parameter makes: whether it is made where there is none yet; who only looks needs none.
    public static func current(makes: Bool = true) -> PersonID? {
        let environment = ProcessEnvironment.current
        guard let home = CurrentUser.home(environment: environment.variables) else { return nil }
        let paths = DefaultPaths(
            environment: environment.variables, userID: CurrentUser.id, home: home)
        return id(in: paths.dataDirectory, makes: makes)
    }

    /// The id that a directory keeps.
    private static func id(in directory: String, makes: Bool) -> PersonID? {
        let path = directory + "/person"
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
