import JSONLine
import TripModel
import TripProtocol

/// Changes sent in several lines, interrupted anywhere and sent again.
extension RawClient {
    /// Begins a change of several operations. It gets its number at the commit, because other changes may
    /// come first.
    func openBatch() {
        var edits = (0...random.below(3)).map { number in
            Edit.add(
                world.nextItem(), .custom(CustomItem(title: "\(name)-\(lastNumber)-\(number)")), to: place())
        }
        if let item = anyItem() { edits.append(random.chance(50) ? .move(item, to: place()) : .remove(item)) }
        ask(.openBatch(.id(trip)), .open(edits, again: nil))
    }

    /// Adds the operations to an open batch and commits it; a new change is sometimes abandoned instead.
    func opened(_ result: JSONNode?, _ edits: [Edit], again: Change?) throws {
        guard let name = result?["batch"]?.string else { return }
        let batch = BatchID(name)
        var rest = edits[...]
        while !rest.isEmpty {
            let count = 1 + random.below(rest.count)
            ask(.addToBatch(batch, Array(rest.prefix(count))), .other)
            rest = rest.dropFirst(count)
            if random.chance(3) { return try close(orderly: random.chance(50)) }
        }
        if again == nil, random.chance(10) { return ask(.dropBatch(batch), .other) }
        commit(batch, edits, again: again)
    }

    private func commit(_ batch: BatchID, _ edits: [Edit], again: Change?) {
        var options = ChangeOptions()
        let number: Int
        if let again {
            number = again.number
            options.seq = again.seq
        } else {
            lastNumber += 1
            number = lastNumber
            if random.chance(85) { options.seq = number }
        }
        let request = Request.commitBatch(batch, options)
        if again == nil, let seq = options.seq {
            unanswered.append(Change(number: number, request: request, seq: seq, edits: edits))
        }
        ask(request, .change(number, isRepeat: again != nil, isCertain: again == nil || isAlone))
        if options.seq != nil, random.chance(20) { ask(request, .commitAgain(number)) }
    }

    /// Checks the answer to a repeated commit on the same connection.
    func committedAgain(_ number: Int, _ result: JSONNode?, _ reason: String?) throws {
        guard let version = madeByBatches[number], result?["version"]?.int != version else { return }
        throw Violation(
            "the repeat of a commit learns its answer", "version \(version), not \(reason ?? "another")")
    }
}
