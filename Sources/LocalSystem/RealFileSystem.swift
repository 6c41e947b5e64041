#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system's own files, by plain calls of the C library.
package struct RealFileSystem: FileSystem {
    package init() {}

    package func open(_ path: String, _ mode: OpenMode) throws(SystemError) -> FileToken {
        let append = O_WRONLY | O_APPEND | O_NOFOLLOW
        let flags =
            switch mode {
            case .read: O_RDONLY
            case .append: append
            case .create: append | O_CREAT | O_EXCL
            case .appendOrCreate: append | O_CREAT
            }
        return FileToken(rawValue: try systemCall("open", path) { systemOpen(path, flags) })
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
        // fsync leaves the data in the drive's cache there; not every file system knows the stronger call.
        if fcntl(file.rawValue, F_FULLFSYNC) == 0 { return }
        if errno != ENOTSUP && errno != EINVAL {
            throw SystemError(call: "fcntl(F_FULLFSYNC)", path: nil, code: errno)
        }
        #endif
        try systemCall("fsync") { fsync(file.rawValue) }
    }

    package func syncDirectory(_ path: String) throws(SystemError) {
        let number = try systemCall("open", path) { systemOpen(path, O_RDONLY | O_DIRECTORY) }
        let directory = Descriptor(owning: number)
        try systemCall("fsync", path) { fsync(directory.rawValue) }
    }

    package func truncate(_ file: FileToken, to size: Int64) throws(SystemError) {
        try systemCall("ftruncate") { ftruncate(file.rawValue, off_t(size)) }
    }

    package func size(_ file: FileToken) throws(SystemError) -> Int64 {
        try FileStatus.ofDescriptor(file.rawValue).size
    }

    package func status(_ path: String) throws(SystemError) -> FileStatus? {
        try FileStatus.ofPath(path)
    }

    package func rename(_ old: String, to new: String) throws(SystemError) {
        try systemCall("rename", old) { systemRename(old, new) }
    }

    package func unlink(_ path: String) throws(SystemError) {
        try systemCall("unlink", path) { systemUnlink(path) }
    }

    package func makeDirectory(_ path: String) throws(SystemError) {
        try systemCall("mkdir", path) { mkdir(path, 0o700) }
    }

    package func removeDirectory(_ path: String) throws(SystemError) {
        try systemCall("rmdir", path) { rmdir(path) }
    }

    package func list(_ path: String) throws(SystemError) -> [String] {
        guard let directory = opendir(path) else {
            throw SystemError(call: "opendir", path: path, code: errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(directory) else {
                if errno != 0 { throw SystemError(call: "readdir", path: path, code: errno) }
                return names
            }
            // The name is read where the system put it: the entry is often shorter than its declared type.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: start)
            if name != "." && name != ".." { names.append(name) }
        }
    }
}

// The C functions under names that the methods above do not hide.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags | O_CLOEXEC, 0o600) }

private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemRename(_ old: String, _ new: String) -> Int32 { rename(old, new) }

private func systemUnlink(_ path: String) -> Int32 { unlink(path) }
