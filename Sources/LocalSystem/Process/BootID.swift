#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The boot of this machine.
package enum BootID {
    /// A text that identifies the boot, 1…64 of `a-z`, `0-9` and `-`; nil if the system does not report one.
    package static var current: String? {
        #if canImport(Darwin)
        var size = 0
        guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 0 else { return nil }
        var bytes = [CChar](repeating: 0, count: size)
        guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
        return word(bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
        #else
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            return count > 0 ? word(buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }) : nil
        }
        #endif
    }

    private static func word(_ bytes: some Sequence<UInt8>) -> String? {
        let text = String(decoding: Array(bytes), as: UTF8.self).lowercased()
        let isWord = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isWord && (1...64).contains(text.utf8.count) ? text : nil
    }
}
