import JSONLine
import TripModel

extension DragStart: WireObject {
    /// Decodes the answer to drag.begin.
    package init(result: JSONNode) throws(WireError) {
        var fields = try Fields(result)
        try self.init(&fields, encoding: nil)
    }

    init<Coder: MemberCoder>(_ coder: inout Coder, encoding start: DragStart?) throws(Coder.Failure) {
        self.init(
            drag: try coder.required("drag", start?.drag),
            leaseMilliseconds: try coder.required("leaseMilliseconds", start?.leaseMilliseconds),
            version: try coder.required("version", start?.version))
    }

    /// The members of the answer to drag.begin, with the item's gaps if requested.
    package func encodedMembers(with report: GapReport?) -> [UInt8] {
        JSONWriter.members(reserving: 256 + (report?.encodedBytes ?? 0)) { json in
            encodeMembers(into: &json)
            if let report { json.encodeMembers(of: report) }
        }
    }
}

extension GapReport {
    /// The members of the answer to item.gaps.
    package func encodedMembers(version: Int) -> [UInt8] {
        JSONWriter.members(reserving: 256 + encodedBytes) { json in
            json.member("version", version)
            json.encodeMembers(of: self)
        }
    }

    /// The usual number of bytes.
    fileprivate var encodedBytes: Int { 140 * gaps.count }
}

extension ServerLine {
    /// The answer to drag.cancel, with the trip's version.
    package static func dragCancelled(_ id: RequestID?, version: Int) -> [UInt8] {
        reply(id) { json in
            json.beginObject()
            json.member("version", version)
            json.endObject()
        }
    }
}

extension JSONWriter {
    /// `validDays`, `barriers` and `gaps`.
    fileprivate mutating func encodeMembers(of report: GapReport) {
        key("validDays")
        if let days = report.validDays { encode(days) } else { null() }
        key("barriers")
        encode(report.barriers)
        key("gaps")
        beginArray()
        for gap in report.gaps {
            beginObject()
            member("day", gap.day)
            _ = nullable("after", gap.after)
            _ = nullable("before", gap.before)
            member("valid", gap.isValid)
            member("reason", gap.refusal?.reason.rawValue)
            endObject()
        }
        endArray()
    }
}
