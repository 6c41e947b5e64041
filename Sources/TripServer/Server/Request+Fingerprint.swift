import JSONLine
import TripProtocol

extension Request {
    /// The hash of the method and the parameters in canonical form, which identifies the request for retries. For
    /// operations of a batch it is the hash of their list, and for its commit that of the other parameters.
    ///
    /// Null members and members with default values are ignored. It is computed while the line is parsed, so that a
    /// waiting request need not retain its text; 0 if it is never needed.
    func fingerprint(_ method: Method, _ params: JSONNode?) -> UInt64 {
        guard isRepeatable, let params else { return 0 }
        guard case .addToBatch = self else {
            return params.meaning(after: Fingerprint(of: method.rawValue.utf8)).value
        }
        guard let ops = params.memberNodes.first(where: { $0.key.stringEquals("ops") }) else { return 0 }
        return OperationsHash.list(
            ops.value.elements.map { $0.meaning(inside: ops.key, after: Fingerprint()).value })
    }
}

extension MoveLine {
    /// The same hash, from the values.
    var fingerprint: UInt64 {
        var fingerprint = Fingerprint(of: Method.moveItem.rawValue.utf8)
        fingerprint.add(canonicalParams)
        return fingerprint.value
    }
}

/// FNV-1a over the canonical form of a request: equal requests have equal fingerprints.
struct Fingerprint {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init() {}

    init(of bytes: some Sequence<UInt8>) { add(bytes) }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

extension JSONNode {
    /// Adds the canonical form of the parameters, or of an object inside them, without default values.
    func meaning(inside key: JSONNode? = nil, after start: Fingerprint) -> Fingerprint {
        var fingerprint = start
        forEachCanonicalPart(inside: key) { member in
            // Null is significant only here: it clears the field.
            if member.value.isNull { return member.objectKey?.stringEquals("set") == true }
            if member.objectKey == nil {
                if member.key.stringEquals("dryRun") { return member.value.bool != false }
                if member.key.stringEquals("items") {
                    return member.value.kind != .array || member.value.count > 0
                }
                // Another connection uses a different batch id for the same commit.
                if member.key.stringEquals("batch") { return false }
            }
            if member.key.stringEquals("to") { return !member.saysEndOfFirstDay }
            return true
        } _: {
            fingerprint.add($0)
        }
        return fingerprint
    }
}

extension JSONNode.CanonicalMember {
    /// True for a custom item's default place, the end of day 1.
    fileprivate var saysEndOfFirstDay: Bool {
        guard object["item"]?["kind"]?.stringEquals("custom") == true, value["day"]?.int == 1,
            value["at"]?.stringEquals("end") == true
        else { return false }
        return value.members.allSatisfy { $0.key == "day" || $0.key == "at" || $0.value.isNull }
    }
}
