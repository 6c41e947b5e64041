import JSONLine
import TripModel

extension Request {
    /// The method of the request.
    public var method: Method {
        switch self {
        case .ping: .ping
        case .discover: .discover
        case .hello: .hello
        case .restrict: .restrict
        case .focus: .focus
        case .openBatch: .openBatch
        case .addToBatch: .addToBatch
        case .commitBatch: .commitBatch
        case .dropBatch: .dropBatch
        case .createTrip: .createTrip
        case .listTrips: .listTrips
        case .getTrip: .getTrip
        case .deleteTrip: .deleteTrip
        case .listTrash: .listTrash
        case .restoreTrip: .restoreTrip
        case .removedItems: .removedItems
        case .change(let change): change.method
        case .gaps: .gaps
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .sync: .sync
        case .beginDrag: .beginDrag
        case .hover: .hover
        case .drop: .drop
        case .cancelDrag: .cancelDrag
        case .undo: .undo
        case .redo: .redo
        case .history: .history
        case .stats: .stats
        case .shutdown: .shutdown
        }
    }

    /// The request as a line with its newline.
    package func line(id: RequestID?) -> [UInt8] {
        RequestEnvelope.line(id: id, method.rawValue, reserving: 256) { json in
            json.beginObject()
            encodeParams(into: &json)
            json.endObject()
        }
    }

    private func encodeParams(into json: inout JSONWriter) {
        switch self {
        case .ping, .discover, .listTrips, .listTrash, .stats, .shutdown: break
        case .hello(let hello): hello.encodeMembers(into: &json)
        case .restrict(let restriction):
            json.member("user", restriction.user)
            json.member("role", restriction.role?.rawValue)
        case .focus(let trip, let row):
            json.member("trip", trip.text)
            json.member(row, item: "item", day: "day")
        case .addToBatch(let batch, let edits):
            json.member("batch", batch.text)
            json.encode(operations: edits)
        case .commitBatch(let batch, let options):
            json.member("batch", batch.text)
            options.encodeMembers(into: &json)
        case .dropBatch(let batch): json.member("batch", batch.text)
        case .createTrip(let draft): draft.encodeMembers(into: &json)
        case .getTrip(let trip, let withSaid):
            json.member("trip", trip.text)
            if withSaid { json.member("said", true) }
        case .unsubscribe(let trip), .sync(let trip), .openBatch(let trip),
            .restoreTrip(let trip), .removedItems(let trip):
            json.member("trip", trip.text)
        case .deleteTrip(let trip, let version, let isDryRun):
            json.member("trip", trip.text)
            json.member("ifVersion", version)
            if isDryRun { json.member("dryRun", true) }
        case .change(let change):
            json.member("trip", change.trip.text)
            if change.method == .apply {
                json.encode(operations: change.edits)
            } else {
                precondition(change.edits.count == 1, "only trip.apply carries several edits")
                change.edits.first?.encodeMembers(into: &json)
            }
            change.options.encodeMembers(into: &json)
        case .gaps(let trip, let item):
            json.member("trip", trip.text)
            json.member("item", item)
        case .beginDrag(let trip, let item, let includesGaps):
            json.member("trip", trip.text)
            json.member("item", item)
            if !includesGaps { json.member("gaps", false) }
        case .subscribe(let subscribe):
            json.member("trip", subscribe.trip.text)
            json.member("mode", subscribe.mode.rawValue)
            if let since = subscribe.since {
                json.key("since")
                json.beginObject()
                json.member("epoch", since.epoch)
                json.member("version", since.version)
                json.endObject()
            }
            json.member("deferWhileDragging", subscribe.defersWhileDragging)
        case .undo(let trip, let options), .redo(let trip, let options):
            json.member("trip", trip.text)
            options.encodeMembers(into: &json)
        case .history(let history):
            json.member("trip", history.trip.text)
            json.member("before", history.before)
            switch history.since {
            case .version(let version)?: json.member("since", version)
            case .time(let moment)?: json.member("since", moment.text)
            case nil: break
            }
            json.member("limit", history.limit)
        case .hover(let drag, let over):
            json.member("drag", drag.text)
            json.member("over", over)
        case .drop(let drop):
            json.member("drag", drop.drag.text)
            json.member("to", drop.placement)
            json.member("trip", drop.trip?.text)
            drop.options.encodeMembers(into: &json)
        case .cancelDrag(let drag): json.member("drag", drag.text)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func encode(operations edits: [Edit]) {
        key("ops")
        beginArray()
        for edit in edits { encode(operation: edit) }
        endArray()
    }

    fileprivate mutating func encode(operation edit: Edit) {
        beginObject()
        member("op", edit.operationName)
        edit.encodeMembers(into: &self)
        endObject()
    }

    mutating func member(_ name: StaticString, _ placement: Placement?) {
        guard let placement else { return }
        key(name)
        encode(placement)
    }
}

extension ChangeOptions {
    func encodeMembers(into json: inout JSONWriter) {
        json.member("seq", seq)
        json.member("ifVersion", ifVersion)
        json.member("ifItemVersion", ifItemVersion)
        if isDryRun { json.member("dryRun", true) }
    }
}

extension Hello {
    func encodeMembers(into json: inout JSONWriter) {
        json.key("protocol")
        json.encode(version)
        json.key("client")
        json.beginObject()
        json.member("name", clientName)
        json.member("version", clientVersion)
        json.endObject()
        json.member("user", user)
        json.member("clientId", clientID)
        json.member("person", person)
        json.member("role", role.rawValue)
    }
}

extension TripDraft {
    func encodeMembers(into json: inout JSONWriter) {
        json.member("id", id)
        json.member("name", name)
        json.member("startDate", startDate.description)
        json.member("timeZone", timeZone)
        json.member("dayCount", dayCount)
        json.member("slug", slug)
        json.key("items")
        json.beginArray()
        for item in items {
            json.beginObject()
            item.encodeMembers(into: &json)
            json.endObject()
        }
        json.endArray()
        if isDryRun { json.member("dryRun", true) }
    }
}

extension Edit {
    /// The size of the edit in bytes as an operation of a batch.
    package var operationBytes: Int {
        var json = JSONWriter()
        json.encode(operation: self)
        return json.take().count
    }

    var operationName: String {
        switch self {
        case .add: "add"
        case .move: "move"
        case .update: "update"
        case .remove: "remove"
        case .trip: "trip"
        }
    }

    func encodeMembers(into json: inout JSONWriter) {
        switch self {
        case .add(let id, let content, let placement):
            json.key("item")
            json.beginObject()
            json.member("id", id)
            json.encodeMembers(of: content)
            json.member(said: content.said)
            json.endObject()
            json.member("to", placement)
        case .move(let id, let placement):
            json.member("item", id)
            json.member("to", placement)
        case .update(let id, let changes):
            json.member("item", id)
            json.key("set")
            json.beginObject()
            for change in changes {
                json.key(change.field.row.key)
                if let value = change.value { json.encode(value) } else { json.null() }
                if case .source(let source)? = change.value { json.member(said: source.said) }
            }
            json.endObject()
        case .remove(let id): json.member("item", id)
        case .trip(let change):
            json.member("name", change.name)
            json.member("slug", change.slug)
            json.member("startDate", change.startDate?.description)
            json.member("timeZone", change.timeZone)
            json.member("dayCount", change.dayCount)
            json.member("rates", change.rates)
            if let acceptance = change.acceptance {
                json.member("problem", acceptance.problem)
                json.member("accepted", acceptance.isAccepted)
            }
            if let todo = change.todo {
                json.key("todo")
                json.encode(todo)
            }
        }
    }
}
