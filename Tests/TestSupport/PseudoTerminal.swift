import CSystemShim
import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A pseudo terminal: bytes written to one end are read at the other.
package struct PseudoTerminal: ~Copyable, Sendable {
    /// The end of the screen and keyboard; blocking.
    package let controller: Descriptor
    /// The path of the program's end.
    package let path: String

    /// Opens a pseudo terminal of the given size.
    package init(columns: Int = 80, rows: Int = 24) throws(SystemError) {
        var name = [CChar](repeating: 0, count: 128)
        let number = shim_open_pseudo_terminal(&name, name.count)
        try Self.check("posix_openpt", number)
        let controller = Descriptor(owning: number)
        try Self.resize(controller, columns, rows)
        self.controller = controller
        path = name.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Opens the program's end without making it the controlling terminal.
    package func openTerminal() throws(SystemError) -> Descriptor {
        let number = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try Self.check("open", number)
        return Descriptor(owning: number)
    }

    /// Changes the size and notifies the programs by SIGWINCH.
    package func resize(columns: Int, rows: Int) throws(SystemError) {
        try Self.resize(controller, columns, rows)
    }

    private static func resize(
        _ controller: borrowing Descriptor, _ columns: Int, _ rows: Int
    ) throws(SystemError) {
        var size = winsize()
        size.ws_col = UInt16(clamping: columns)
        size.ws_row = UInt16(clamping: rows)
        try check("ioctl", ioctl(controller.rawValue, UInt(TIOCSWINSZ), &size))
    }

    private static func check(_ call: String, _ result: Int32) throws(SystemError) {
        if result == -1 { throw SystemError(call: call, code: errno) }
    }
}
