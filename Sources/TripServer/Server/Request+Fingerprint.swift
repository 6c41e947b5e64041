import JSONLine
import TripProtocol

extension Request {
    /// Tells a repeat of the request from another one: the method and the parameters, in their canonical form. Of
    /// operations that are brought for a batch it is their mark, and of its commit what goes with it besides them.
    ///
    /// What is null, and what says no more than if it were left out, does not count. Made when the request is read, so that
    /// the text it came in need not be kept while it waits; 0 where nobody asks.
    func fingerprint(_ method: Method, _ params: JSONNode?) -> UInt64 {
        let isRepeatable =
            switch self {
            case .change(let change): change.options.seq != nil
            case .undo(_, let options), .redo(_, let options), .commitBatch(_, let options):
                options.seq != nil
            case .drop(let drop): drop.options.seq != nil
            // Only one that names the id can be repeated.
            case .createTrip(let draft): draft.id != nil
            case .addToBatch: true
            case .ping, .discover, .hello, .restrict, .focus, .listTrips, .getTrip, .deleteTrip, .openBatch,
                .dropBatch, .gaps, .subscribe, .unsubscribe, .sync, .beginDrag, .hover, .cancelDrag, .history,
                .stats, .shutdown:
                false
            }
        guard isRepeatable, let params else { return 0 }
        if case .addToBatch = self {
            let marks = params["ops"]?.elements.lazy.map { operation in
                TripServer.fingerprint(of: operation.meaning(inside: "ops"))
            }
            return OperationsMark.list(marks.map(Array.init) ?? [])
        }
        return TripServer.fingerprint(of: Array(method.rawValue.utf8) + params.meaning())
    }
}

extension JSONNode {
    /// The canonical form of parameters, or of an object inside them, without what is the same as if it were left out.
    fileprivate func meaning(inside name: StaticString? = nil) -> [UInt8] {
        canonicalBytes(inside: name) { member in
            // Only there does null say something: it clears the field.
            if member.value.isNull { return member.isInside("set") }
            if member.isInside(nil) {
                if member.isCalled("dryRun") { return member.value.bool != false }
                if member.isCalled("items") { return member.value.kind != .array || member.value.count > 0 }
                // What a commit calls its batch, another connection calls otherwise.
                if member.isCalled("batch") { return false }
            }
            if member.isCalled("to") { return !member.saysEndOfFirstDay }
            return true
        }
    }
}

extension JSONNode.CanonicalMember {
    /// Whether it puts a new item of one's own where it goes by itself: at the end of day 1.
    fileprivate var saysEndOfFirstDay: Bool {
        guard object["item"]?["kind"]?.stringEquals("custom") == true, value["day"]?.int == 1,
            value["at"]?.stringEquals("end") == true
        else { return false }
        return value.members.allSatisfy { $0.key == "day" || $0.key == "at" || $0.value.isNull }
    }
}
