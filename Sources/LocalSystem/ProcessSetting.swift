#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What this process has from whoever started it, and does not keep.
package enum ProcessSetting {
    /// Files and directories that are made from now on are open to their owner only, unless they are given another mode
    /// afterwards.
    package static func makeFilesPrivate() { umask(0o077) }

    /// Works in the root directory from now on.
    package static func leaveDirectory() {
        // It is always there; and where it were not, staying does no harm.
        _ = chdir("/")
    }
}
