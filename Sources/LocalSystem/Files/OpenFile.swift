#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An open file with exactly one owner; it is closed with the owner.
package struct OpenFile: ~Copyable, Sendable {
    /// The file's file system.
    package let fileSystem: any FileSystem
    private let token: FileToken

    /// Maximum bytes of a file that is read whole: more than any trip's journal, and less than a machine's memory.
    private static let readableSize: Int64 = 4 << 30

    /// Opens `path`.
    package init(_ path: String, _ mode: OpenMode, in fileSystem: any FileSystem) throws(SystemError) {
        self.fileSystem = fileSystem
        token = try fileSystem.open(path, mode)
    }

    deinit { fileSystem.close(token) }

    /// Appends bytes; returns the number of written bytes, possibly fewer than given.
    package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let result = bytes.withUnsafeBytes { bytes -> Result<Int, SystemError> in
            Result { () throws(SystemError) in try fileSystem.write(token, bytes) }
        }
        return try result.get()
    }

    /// Reads up to `count` bytes (at least one) from a byte offset on; fewer, or none, at the end of the file.
    package func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        var failure: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let target = UnsafeMutableRawBufferPointer(buffer)
            do throws(SystemError) {
                while filled < count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: target[filled..<count])
                    let come = try fileSystem.read(token, into: rest, at: offset + Int64(filled))
                    if come == 0 { break }
                    filled += come
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads all bytes; throws `EFBIG` for a file of over 4 GiB.
    package func readAll() throws(SystemError) -> [UInt8] {
        let size = try size()
        // A larger file is sparse or foreign.
        guard size <= Self.readableSize else { throw SystemError(call: "read", code: EFBIG) }
        return try read(at: 0, count: Int(size))
    }

    /// Syncs the contents.
    package func syncData() throws(SystemError) { try fileSystem.syncData(token) }

    /// Syncs the contents and all attributes.
    package func sync() throws(SystemError) { try fileSystem.sync(token) }

    /// Truncates the file to the given size in bytes.
    package func truncate(to size: Int64) throws(SystemError) { try fileSystem.truncate(token, to: size) }

    /// The file's status.
    package func status() throws(SystemError) -> FileStatus { try fileSystem.status(of: token) }

    /// The file's size in bytes.
    package func size() throws(SystemError) -> Int64 { try status().size }
}
