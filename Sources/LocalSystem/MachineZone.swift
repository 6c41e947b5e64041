import Foundation

/// The time zone of this machine.
package enum MachineZone {
    /// Its IANA name; nil where it has none that `isKnown` knows.
    package static func name(where isKnown: (String) -> Bool) -> String? {
        // What TZ says counts, with the colon that some write before it.
        let given = ProcessEnvironment.current.nonEmpty("TZ").map {
            $0.hasPrefix(":") ? String($0.dropFirst()) : $0
        }
        return [given, TimeZone.current.identifier].compactMap { $0 }.first(where: isKnown)
    }
}
