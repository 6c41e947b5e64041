#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's files, by plain calls of the C library.
package struct RealFileSystem: FileSystem {
    /// An open directory, whose name no longer matters.
    private let held: Held?

    /// Resolves paths by name, without a directory descriptor.
    package init() { held = nil }

    /// Resolves paths below a directory relative to its descriptor. While the directory's path leads to another
    /// directory or to none, because it was moved, unmounted or covered, every call with such a path fails.
    package init(holding directory: String) throws(SystemError) {
        let opened = Descriptor(owning: try systemCall("open", directory) { systemOpenDirectory(directory) })
        held = Held(path: directory, try FileStatus.ofDescriptor(opened.rawValue), opened)
    }

    private final class Held: Sendable {
        let path: String
        let status: FileStatus
        let directory: Descriptor

        init(path: String, _ status: FileStatus, _ directory: consuming Descriptor) {
            self.path = path
            self.status = status
            self.directory = directory
        }
    }

    /// The directory descriptor and the relative path for a path.
    private func place(of path: String) throws(SystemError) -> (base: Int32, way: String) {
        guard let held, path.hasPrefix(held.path) else { return (AT_FDCWD, path) }
        let rest = path.utf8.dropFirst(held.path.utf8.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/"), let way = String(rest.dropFirst()) else {
            return (AT_FDCWD, path)
        }
        guard let status = try FileStatus.ofPath(held.path), status.isSameFile(as: held.status) else {
            throw .changedByOthers(held.path)
        }
        return (held.directory.rawValue, way.isEmpty ? "." : way)
    }

    package func open(_ path: String, _ mode: OpenMode) throws(SystemError) -> FileToken {
        let append = O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK
        let flags =
            switch mode {
            // Does not block on a pipe in place of a file.
            case .read: O_RDONLY | O_NONBLOCK
            case .append: append
            case .create: append | O_CREAT | O_EXCL
            case .appendOrCreate: append | O_CREAT
            }
        return FileToken(rawValue: try openPlace(path, flags))
    }

    private func openPlace(
        _ path: String, _ flags: Int32, call: String = "open"
    ) throws(SystemError) -> Int32 {
        let (base, way) = try place(of: path)
        return try systemCall(call, path) { openat(base, way, flags | O_CLOEXEC, 0o600) }
    }

    package func close(_ file: FileToken) {
        systemClose(file.rawValue)
    }

    package func read(
        _ file: FileToken, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        try systemCall("pread") { pread(file.rawValue, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    package func write(_ file: FileToken, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try systemCall("write") { systemWrite(file.rawValue, bytes) }
    }

    package func syncData(_ file: FileToken) throws(SystemError) {
        #if canImport(Darwin)
        try sync(file)
        #else
        try systemCall("fdatasync") { fdatasync(file.rawValue) }
        #endif
    }

    package func sync(_ file: FileToken) throws(SystemError) {
        #if canImport(Darwin)
        // On Darwin fsync leaves the data in the drive's cache, and not every file system supports the stronger call.
        if fcntl(file.rawValue, F_FULLFSYNC) == 0 { return }
        if errno != ENOTSUP && errno != EINVAL {
            throw SystemError(call: "fcntl(F_FULLFSYNC)", path: nil, code: errno)
        }
        #endif
        try systemCall("fsync") { fsync(file.rawValue) }
    }

    package func syncDirectory(_ path: String) throws(SystemError) {
        let directory = Descriptor(owning: try openPlace(path, O_RDONLY | O_DIRECTORY))
        try systemCall("fsync", path) { fsync(directory.rawValue) }
    }

    package func truncate(_ file: FileToken, to size: Int64) throws(SystemError) {
        try systemCall("ftruncate") { ftruncate(file.rawValue, off_t(size)) }
    }

    package func status(of file: FileToken) throws(SystemError) -> FileStatus {
        try FileStatus.ofDescriptor(file.rawValue)
    }

    package func status(_ path: String) throws(SystemError) -> FileStatus? {
        let (base, way) = try place(of: path)
        return try FileStatus.ofPath(path, found: base, way)
    }

    package func rename(_ old: String, to new: String) throws(SystemError) {
        let (source, target) = (try place(of: old), try place(of: new))
        try systemCall("rename", old) { renameat(source.base, source.way, target.base, target.way) }
    }

    package func unlink(_ path: String) throws(SystemError) {
        let (base, way) = try place(of: path)
        try systemCall("unlink", path) { unlinkat(base, way, 0) }
    }

    package func makeDirectory(_ path: String) throws(SystemError) {
        let (base, way) = try place(of: path)
        try systemCall("mkdir", path) { mkdirat(base, way, 0o700) }
    }

    package func removeDirectory(_ path: String) throws(SystemError) {
        let (base, way) = try place(of: path)
        try systemCall("rmdir", path) { unlinkat(base, way, AT_REMOVEDIR) }
    }

    package func list(_ path: String) throws(SystemError) -> [String] {
        let number = try openPlace(path, O_RDONLY | O_DIRECTORY, call: "opendir")
        guard let directory = fdopendir(number) else {
            let code = errno
            systemClose(number)
            throw SystemError(call: "opendir", path: path, code: code)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                if errno != 0 { throw SystemError(call: "readdir", path: path, code: errno) }
                return names
            }
            // The name is read in place, because the entry is often shorter than its declared type.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: start)
            if name != "." && name != ".." { names.append(name) }
        }
    }
}

// The C functions under names that the methods above do not hide.
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemOpenDirectory(_ path: String) -> Int32 {
    open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
}
