import LocalSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The resources used by another process, from Linux's `/proc`; nil on other systems.
struct ProcessUsage {
    /// CPU time in user and system mode, of all threads, with the resolution of a clock tick (commonly 10 ms).
    let cpuSeconds: Double
    /// The current memory, in megabytes of 10^6 bytes.
    let residentMegabytes: Double
    /// The maximum memory so far.
    let peakMegabytes: Double

    init?(of process: Int32) {
        #if os(Linux)
        guard let stat = Self.read("/proc/\(process)/stat"),
            let status = Self.read("/proc/\(process)/status"),
            let nameEnd = stat.lastIndex(of: ")")
        else { return nil }
        // The name may contain anything. After it are the state and, as the 12th and 13th field, the times.
        let fields = stat[nameEnd...].dropFirst().split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]),
            let resident = Self.megabytes("VmRSS:", in: status),
            let peak = Self.megabytes("VmHWM:", in: status)
        else { return nil }
        cpuSeconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        residentMegabytes = resident
        peakMegabytes = peak
        #else
        return nil
        #endif
    }

    private static func read(_ path: String) -> String? {
        guard let file = try? OpenFile(path, .read, in: RealFileSystem()),
            let bytes = try? file.read(at: 0, count: 16_384)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// For example "VmRSS:   12345 kB".
    private static func megabytes(_ name: String, in status: String) -> Double? {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 * 1024 / 1e6 }
    }
}
