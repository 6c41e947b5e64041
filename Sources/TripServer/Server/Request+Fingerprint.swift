import JSONLine
import TripProtocol

extension Request {
    /// The hash of the method and the parameters in canonical form, which identifies the request for retries. For
    /// operations of a batch it is the hash of their list, and for its commit that of the other parameters.
    ///
    /// Null members and members with default values are ignored. It is computed while the line is parsed, so that a
    /// waiting request need not retain its text; 0 if it is never needed.
    func fingerprint(_ method: Method, _ params: JSONNode?) -> UInt64 {
        let isRepeatable =
            switch self {
            case .change(let change): change.options.seq != nil
            case .undo(_, let options), .redo(_, let options), .commitBatch(_, let options):
                options.seq != nil
            case .drop(let drop): drop.options.seq != nil
            // Only a draft with an id can be retried.
            case .createTrip(let draft): draft.id != nil
            case .addToBatch: true
            case .ping, .discover, .hello, .restrict, .focus, .listTrips, .getTrip, .deleteTrip, .listTrash,
                .restoreTrip, .removedItems, .openBatch, .dropBatch, .gaps, .subscribe, .unsubscribe, .sync,
                .beginDrag, .hover, .cancelDrag, .history,
                .stats, .shutdown:
                false
            }
        guard isRepeatable, let params else { return 0 }
        if case .addToBatch = self {
            let hashes = params["ops"]?.elements.lazy.map { operation in
                TripServer.fingerprint(of: operation.meaning(inside: "ops"))
            }
            return OperationsHash.list(hashes.map(Array.init) ?? [])
        }
        return TripServer.fingerprint(of: Array(method.rawValue.utf8) + params.meaning())
    }
}

extension JSONNode {
    /// The canonical form of the parameters, or of an object inside them, without default values.
    fileprivate func meaning(inside name: StaticString? = nil) -> [UInt8] {
        canonicalBytes(inside: name) { member in
            // Null is significant only here: it clears the field.
            if member.value.isNull { return member.isInside("set") }
            if member.isInside(nil) {
                if member.isCalled("dryRun") { return member.value.bool != false }
                if member.isCalled("items") { return member.value.kind != .array || member.value.count > 0 }
                // Another connection uses a different batch id for the same commit.
                if member.isCalled("batch") { return false }
            }
            if member.isCalled("to") { return !member.saysEndOfFirstDay }
            return true
        }
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
