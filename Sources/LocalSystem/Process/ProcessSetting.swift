#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Inherited settings of this process that it changes.
package enum ProcessSetting {
    /// Makes new files and directories accessible only to their owner, unless their mode is changed afterwards.
    package static func makeFilesPrivate() { umask(0o077) }

    /// Changes the working directory to the root.
    package static func leaveDirectory() {
        // The root always exists; a failure would be harmless.
        _ = chdir("/")
    }
}
