import TripProtocol

@testable import TripServer

/// One line of a client: the reader of moves and the general one must agree on it.
enum MoveHarness {
    static func run(_ line: [UInt8]) throws(Finding) {
        guard let plain = line.withUnsafeBufferPointer({ DecodedLine(move: $0) }) else { return }
        let general = DecodedLine(general: line)
        guard case .request(let id, let moment, .success(let request)) = plain,
            case .request(let otherID, let otherMoment, .success(let other)) = general
        else { throw Finding("what one reader takes the other takes", "\(general)") }
        try Finding.unless(
            id == otherID && moment == otherMoment && request.byteCount == other.byteCount
                && request.request == other.request && request.fingerprint == other.fingerprint,
            "both readers read the same", "\(plain), \(general)")
    }
}
