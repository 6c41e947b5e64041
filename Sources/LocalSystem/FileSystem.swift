/// A file that a file system has open; meaningful to that file system only.
package struct FileToken: Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }
}

/// How a file is opened; every file is close-on-exec.
package enum OpenMode: Equatable, Sendable {
    /// For reading what exists.
    case read
    /// For appending to what exists; never through a symbolic link.
    case append
    /// For appending to a file that must not exist yet, made with mode 0600.
    case create
    /// As `append`, or as `create` if there is nothing.
    case appendOrCreate
}

/// The calls that keep data on a disk, and nothing more: the seam where a test puts a disk that fails.
///
/// Every function is one system call, repeated only when a signal interrupts it. None loops over a short read or
/// write, none retries a failure, and none syncs anything that it was not asked to. Paths are as the system takes
/// them. All may be called from any thread, and all but `close` throw the call's `SystemError`.
package protocol FileSystem: Sendable {
    /// Opens a file; the token is to be closed once.
    func open(_ path: String, _ mode: OpenMode) throws(SystemError) -> FileToken
    /// Closes a file. What it could report was to be learnt from a sync.
    func close(_ file: FileToken)
    /// Reads at a byte offset; returns how many bytes came, 0 at the end.
    func read(
        _ file: FileToken, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int
    /// Appends; returns how many of the bytes were taken, possibly fewer than given.
    func write(_ file: FileToken, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int
    /// Brings the contents, and what is needed to read them, to the disk.
    func syncData(_ file: FileToken) throws(SystemError)
    /// Brings the contents and all attributes to the disk.
    func sync(_ file: FileToken) throws(SystemError)
    /// Brings the names in a directory to the disk.
    func syncDirectory(_ path: String) throws(SystemError)
    /// Cuts a file to the given number of bytes.
    func truncate(_ file: FileToken, to size: Int64) throws(SystemError)
    /// What an open file is.
    func status(of file: FileToken) throws(SystemError) -> FileStatus
    /// What is at `path`, nil if nothing; says so of a symbolic link itself.
    func status(_ path: String) throws(SystemError) -> FileStatus?
    /// Gives a file a new name, in place of what had it.
    func rename(_ old: String, to new: String) throws(SystemError)
    /// Removes the name of a file.
    func unlink(_ path: String) throws(SystemError)
    /// Makes a directory with mode 0700.
    func makeDirectory(_ path: String) throws(SystemError)
    /// Removes an empty directory.
    func removeDirectory(_ path: String) throws(SystemError)
    /// The names in a directory, in no order, without `.` and `..`.
    func list(_ path: String) throws(SystemError) -> [String]
}
