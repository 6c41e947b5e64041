@testable import TripServer

/// One line of a client: the reader of moves and the general one must agree on it.
enum MoveHarness {
    static func run(_ line: [UInt8]) throws(Finding) {
        guard let plain = line.withUnsafeBufferPointer({ DecodedLine(move: $0) }) else { return }
        let general = DecodedLine(general: line)
        try Finding.unless(plain == general, "both readers read the same", "\(plain), \(general)")
    }
}
