import CSystemShim

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A terminal, by a borrowed descriptor such as standard input.
package final class TerminalDevice: Sendable {
    /// A size in character cells.
    package struct Size: Equatable, Sendable {
        /// The width in cells.
        package let columns: Int
        /// The height in cells.
        package let rows: Int

        package init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }
    }

    private let descriptor: Int32
    /// The settings to restore; nil if they are in effect.
    private let original = Guarded<termios?>(nil)

    /// The terminal at `descriptor`, which must stay open.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// True if `descriptor` is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// True if another process group has the terminal, as while a shell runs this one in the background;
    /// false also if it is not a terminal of this process's session.
    package static func isInBackground(_ descriptor: Int32) -> Bool {
        let group = tcgetpgrp(descriptor)
        return group > 0 && group != getpgrp()
    }

    /// Its size; nil if it does not report one.
    package var size: Size? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Makes every key arrive at once and unchanged, including Ctrl-C and Ctrl-Z, and disables echo.
    /// Remembers the settings before the first of several calls; a crash of this process restores them, too.
    ///
    /// - Parameter farewell: bytes that a crash writes to the terminal, at most 256.
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

    /// Restores the settings from before `enterRawMode()`, if not already done. From any thread, but not from
    /// within a C signal handler. A closed terminal is ignored.
    package func restore() {
        original.withLock { original in
            guard var settings = original else { return }
            original = nil
            shim_release_terminal()
            while tcsetattr(descriptor, TCSANOW, &settings) != 0, errno == EINTR {}
        }
    }
}
