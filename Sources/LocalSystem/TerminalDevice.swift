import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A terminal, by a descriptor that is somebody else's, such as standard input.
package final class TerminalDevice: Sendable {
    /// Character cells.
    package struct Size: Equatable, Sendable {
        package let columns: Int
        package let rows: Int

        /// So many columns and rows.
        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    private let descriptor: Int32
    /// The settings to go back to; nil when the terminal has them.
    private let original = Guarded<termios?>(nil)

    /// The terminal at `descriptor`, which must stay open for as long as this object is used.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Whether `descriptor` is a terminal at all.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Whether the terminal at `descriptor` is another process group's now, as while a shell has this one in the
    /// background; false also where it is no terminal of this process's session.
    package static func isAnothers(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group > 0 && group != getpgrp()
    }

    /// Its size; nil where it does not tell.
    package var size: Size? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Makes every key arrive at once and as it is, Ctrl-C and Ctrl-Z among them, and stops the terminal's echo.
    /// Remembers the settings before the first of several calls; a crash of this process gives them back too.
    ///
    /// - Parameter farewell: what a crash writes to the terminal, at most 256 bytes.
    package func enterRawMode(farewell: [UInt8] = []) throws(SystemError) {
        try original.withLock { original throws(SystemError) in
            var settings = termios()
            try systemCall("tcgetattr") { tcgetattr(descriptor, &settings) }
            var before = original ?? settings
            original = before
            shim_guard_terminal(descriptor, &before, farewell, farewell.count)
            cfmakeraw(&settings)
            try systemCall("tcsetattr") { tcsetattr(descriptor, TCSANOW, &settings) }
        }
    }

    /// Gives the terminal back the settings from before `enterRawMode()`; does nothing where that was done already.
    /// From any thread, but not from within a C signal handler. A terminal that has gone away is left alone.
    package func restore() {
        original.withLock { original in
            guard var settings = original else { return }
            original = nil
            shim_release_terminal()
            while tcsetattr(descriptor, TCSANOW, &settings) != 0, errno == EINTR {}
        }
    }
}
