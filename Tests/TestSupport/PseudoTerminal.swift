import CSystemShim
import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A terminal without a screen: what is written to one side is read at the other.
package struct PseudoTerminal: ~Copyable, Sendable {
    /// The side that plays screen and keyboard; blocking.
    package let controller: Descriptor
    /// The path of the side that a program takes for its terminal.
    package let path: String

    /// A new pseudo terminal of the given size.
    package init(columns: Int = 80, rows: Int = 24) throws(SystemError) {
        var name = [CChar](repeating: 0, count: 128)
        let number = shim_open_pseudo_terminal(&name, name.count)
        try Self.check("posix_openpt", number)
        let controller = Descriptor(owning: number)
        try Self.resize(controller, columns, rows)
        self.controller = controller
        path = name.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Opens the program's side, without becoming the process's controlling terminal.
    package func openTerminal() throws(SystemError) -> Descriptor {
        let number = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try Self.check("open", number)
        return Descriptor(owning: number)
    }

    /// Changes the size, which the programs in the terminal learn by SIGWINCH.
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
