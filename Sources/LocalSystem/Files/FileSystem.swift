/// An open file of a file system; meaningful only to that file system.
package struct FileToken: Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// The mode of opening a file; every file is close-on-exec.
package enum OpenMode: Equatable, Sendable {
    /// To read an existing file.
    case read
    /// To append to an existing file; never through a symbolic link.
    case append
    /// To append to a new file with mode 0600, which must not exist.
    case create
    /// Like `append`, or like `create` if the file does not exist.
    case appendOrCreate
}

/// The system calls for durable files, which tests replace by a failing disk.
///
/// Every function is one system call, repeated only when a signal interrupts it. None loops over a short read
/// or write, none retries a failure, and none syncs implicitly. Paths are those of the system. All may be
/// called from any thread, and all but `close` throw the call's `SystemError`.
package protocol FileSystem: Sendable {
    /// Opens a file; the token must be closed once.
    func open(_ path: String, _ mode: OpenMode) throws(SystemError) -> FileToken
    /// Closes a file. Write errors are reported by a sync, not here.
    func close(_ file: FileToken)
    /// Reads at a byte offset; returns the number of bytes, 0 at the end.
    func read(
        _ file: FileToken, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int
    /// Appends; returns the number of written bytes, possibly fewer than given.
    func write(_ file: FileToken, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
    /// Syncs the contents, and the metadata needed to read them.
    func syncData(_ file: FileToken) throws(SystemError)
    /// Syncs the contents and all attributes.
    func sync(_ file: FileToken) throws(SystemError)
    /// Syncs the names in a directory.
    func syncDirectory(_ path: String) throws(SystemError)
    /// Truncates a file to the given size in bytes.
    func truncate(_ file: FileToken, to size: Int64) throws(SystemError)
    /// The status of an open file.
    func status(of file: FileToken) throws(SystemError) -> FileStatus
    /// The status at `path`, without following a symbolic link; nil if there is nothing.
    func status(_ path: String) throws(SystemError) -> FileStatus?
    /// Renames a file, and replaces the target.
    func rename(_ old: String, to new: String) throws(SystemError)
    /// Removes the name of a file.
    func unlink(_ path: String) throws(SystemError)
    /// Creates a directory with mode 0700.
    func makeDirectory(_ path: String) throws(SystemError)
    /// Removes an empty directory.
    func removeDirectory(_ path: String) throws(SystemError)
    /// The names in a directory, in no order, without `.` and `..`.
    func list(_ path: String) throws(SystemError) -> [String]
}
