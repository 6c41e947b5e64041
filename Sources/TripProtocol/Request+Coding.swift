import JSONLine
import TripModel

extension Request {
    /// Decodes the parameters of a method.
    ///
    /// - Throws: `WireError` with the path of the invalid field.
    package init(_ method: Method, params: JSONNode?) throws(WireError) {
        var fields = try Fields(params)
        try self.init(method, &fields, encoding: nil)
    }

    /// The request as a line with its newline.
    package func line(id: RequestID?) -> [UInt8] {
        RequestEnvelope.line(id: id, method.rawValue, reserving: 256) { json in
            json.beginObject()
            _ = Request(method, &json, encoding: self)
            json.endObject()
        }
    }

    /// Describes the parameters of all methods, in the order in which their errors are found.
    private init<Coder: MemberCoder>(
        _ method: Method, _ coder: inout Coder, encoding request: Self?
    ) throws(Coder.Failure) {
        func trip() throws(Coder.Failure) -> TripReference {
            try coder.required("trip", request?.trip ?? request?.restoredTrip)
        }
        func item() throws(Coder.Failure) -> ItemID { try coder.required("item", request?.item) }
        func drag() throws(Coder.Failure) -> DragID { try coder.required("drag", request?.drag) }
        func batch() throws(Coder.Failure) -> BatchID { try coder.required("batch", request?.batch) }
        func options() throws(Coder.Failure) -> ChangeOptions {
            try ChangeOptions(&coder, encoding: request?.options)
        }
        func operations() throws(Coder.Failure) -> [Edit] {
            try coder.required("ops", request?.edits.map(Operations.init)).edits
        }
        func change(_ edits: () throws(Coder.Failure) -> [Edit]) throws(Coder.Failure) -> Request {
            .change(
                ChangeRequest(
                    method: method, trip: try trip(), edits: try edits(), options: try options()))
        }
        func change(_ kind: Edit.Kind) throws(Coder.Failure) -> Request {
            let edits = request?.edits
            precondition(edits.map { $0.count == 1 } ?? true, "only trip.apply carries several edits")
            return try change { () throws(Coder.Failure) in
                [try Edit(kind, &coder, encoding: edits?.first)]
            }
        }
        switch method {
        case .ping: self = .ping
        case .discover: self = .discover
        case .hello: self = .hello(try Hello(&coder, encoding: request?.hello))
        case .restrict: self = .restrict(try Restriction(&coder, encoding: request?.restriction))
        case .focus: self = .focus(try trip(), try coder.row(item: "item", day: "day", request?.row))
        case .openBatch: self = .openBatch(try trip())
        case .addToBatch: self = .addToBatch(try batch(), try operations())
        case .commitBatch:
            var options = try options()
            options.ifItemVersion = nil
            self = .commitBatch(try batch(), options)
        case .dropBatch: self = .dropBatch(try batch())
        case .createTrip: self = .createTrip(try TripDraft(&coder, encoding: request?.draft))
        case .listTrips: self = .listTrips
        case .getTrip:
            self = .getTrip(try trip(), withSaid: try coder.flag("said", request?.includesSaid))
        case .deleteTrip:
            self = .deleteTrip(
                try trip(), ifVersion: try coder.optional("ifVersion", request?.options?.ifVersion),
                isDryRun: try coder.flag("dryRun", request?.options?.isDryRun))
        case .listTrash: self = .listTrash
        case .restoreTrip: self = .restoreTrip(try trip())
        case .removedItems: self = .removedItems(try trip())
        case .updateTrip: self = try change(.trip)
        case .accept:
            let acceptance = try TripChange.Acceptance(
                &coder, encoding: request?.edits?.first?.header?.acceptance)
            self = try change { [.trip(TripChange(acceptance: acceptance))] }
        case .todo:
            let todo = try coder.required("todo", request?.edits?.first?.header?.todo)
            self = try change { [.trip(TripChange(todo: todo))] }
        case .apply: self = try change(operations)
        case .addItem: self = try change(.add)
        case .moveItem: self = try change(.move)
        case .updateItem: self = try change(.update)
        case .removeItem: self = try change(.remove)
        case .gaps: self = .gaps(try trip(), try item())
        case .subscribe: self = .subscribe(try Subscribe(&coder, encoding: request?.subscription))
        case .unsubscribe: self = .unsubscribe(try trip())
        case .sync: self = .sync(try trip())
        case .beginDrag:
            self = .beginDrag(
                try trip(), try item(),
                includesGaps: try coder.flag("gaps", request?.includesGaps, usually: true))
        case .hover: self = .hover(try drag(), over: try coder.optional("over", request?.over))
        case .drop: self = .drop(try Drop(&coder, encoding: request?.drop))
        case .cancelDrag: self = .cancelDrag(try drag())
        case .undo: self = .undo(try trip(), try options())
        case .redo: self = .redo(try trip(), try options())
        case .history: self = .history(try HistoryRequest(&coder, encoding: request?.history))
        case .stats: self = .stats
        case .shutdown: self = .shutdown
        }
    }
}

// MARK: The parameters of a request to encode

extension Request {
    private var hello: Hello? { if case .hello(let hello) = self { hello } else { nil } }
    private var restriction: Restriction? { if case .restrict(let it) = self { it } else { nil } }
    private var row: ListRow? { if case .focus(_, let row) = self { row } else { nil } }
    private var draft: TripDraft? { if case .createTrip(let draft) = self { draft } else { nil } }
    private var restoredTrip: TripReference? { if case .restoreTrip(let trip) = self { trip } else { nil } }
    private var includesSaid: Bool? { if case .getTrip(_, let said) = self { said } else { nil } }
    private var includesGaps: Bool? { if case .beginDrag(_, _, let gaps) = self { gaps } else { nil } }
    private var over: Placement? { if case .hover(_, let over) = self { over } else { nil } }
    private var drop: Drop? { if case .drop(let drop) = self { drop } else { nil } }
    private var subscription: Subscribe? { if case .subscribe(let it) = self { it } else { nil } }
    private var history: HistoryRequest? { if case .history(let it) = self { it } else { nil } }

    private var item: ItemID? {
        switch self {
        case .gaps(_, let item), .beginDrag(_, let item, _): item
        default: nil
        }
    }

    private var batch: BatchID? {
        switch self {
        case .addToBatch(let batch, _), .commitBatch(let batch, _), .dropBatch(let batch): batch
        default: nil
        }
    }

    private var edits: [Edit]? {
        switch self {
        case .change(let change): change.edits
        case .addToBatch(_, let edits): edits
        default: nil
        }
    }

    private var options: ChangeOptions? {
        switch self {
        case .change(let change): change.options
        case .undo(_, let options), .redo(_, let options), .commitBatch(_, let options): options
        case .deleteTrip(_, let version, let isDryRun):
            ChangeOptions(ifVersion: version, isDryRun: isDryRun)
        default: nil
        }
    }
}

// MARK: Objects

extension ProtocolVersion: WireObject {
    init<Coder: MemberCoder>(
        _ coder: inout Coder, encoding version: ProtocolVersion?
    ) throws(Coder.Failure) {
        self.init(
            major: try coder.required("major", version?.major),
            minor: try coder.required("minor", version?.minor))
    }
}

extension Hello: WireObject {
    private struct Program: WireObject {
        let name: String
        let version: String

        init(of hello: Hello) { (name, version) = (hello.clientName, hello.clientVersion) }

        init<Coder: MemberCoder>(_ coder: inout Coder, encoding program: Program?) throws(Coder.Failure) {
            name = try coder.required("name", program?.name)
            version = try coder.required("version", program?.version)
        }
    }

    init<Coder: MemberCoder>(_ coder: inout Coder, encoding hello: Hello?) throws(Coder.Failure) {
        let version = try coder.required("protocol", hello?.version)
        // Checked first, because another major version may define the other fields differently.
        try coder.check { _ throws(WireError) in
            guard version.major == ProtocolVersion.current.major else { throw .unsupported(version) }
            guard version.minor >= 0 else { throw .invalid("protocol.minor", "it is not negative") }
        }
        let program = try coder.required("client", hello.map(Program.init))
        let role = try coder.optional("role", hello?.role)
        self.init(
            version: version, clientName: program.name, clientVersion: program.version,
            user: try coder.optional("user", hello?.user),
            clientID: try coder.optional("clientId", hello?.clientID),
            person: try coder.optional("person", hello?.person), role: role ?? .editor)
    }
}

extension Hello.Role: WireText {
    static var needed: String { "\"editor\" or \"viewer\" is needed" }
}

extension Restriction: WireObject {
    init<Coder: MemberCoder>(
        _ coder: inout Coder, encoding restriction: Restriction?
    ) throws(Coder.Failure) {
        self.init(
            user: try coder.optional("user", restriction?.user),
            role: try coder.optional("role", restriction?.role))
    }
}

extension TripDraft: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding draft: TripDraft?) throws(Coder.Failure) {
        let items = try coder.optional("items", draft.map { NewItems(edits: $0.items) })
        self.init(
            id: try coder.optional("id", draft?.id), name: try coder.required("name", draft?.name),
            startDate: try coder.required("startDate", draft?.startDate),
            timeZone: try coder.required("timeZone", draft?.timeZone),
            dayCount: try coder.required("dayCount", draft?.dayCount),
            slug: try coder.optional("slug", draft?.slug), items: items?.edits ?? [],
            isDryRun: try coder.flag("dryRun", draft?.isDryRun))
    }
}

extension ChangeOptions: WireObject {
    init<Coder: MemberCoder>(
        _ coder: inout Coder, encoding options: ChangeOptions?
    ) throws(Coder.Failure) {
        self.init(
            seq: try coder.optional("seq", options?.seq),
            ifVersion: try coder.optional("ifVersion", options?.ifVersion),
            ifItemVersion: try coder.optional("ifItemVersion", options?.ifItemVersion),
            isDryRun: try coder.flag("dryRun", options?.isDryRun))
    }
}

extension Subscribe: WireObject {
    init<Coder: MemberCoder>(
        _ coder: inout Coder, encoding subscribe: Subscribe?
    ) throws(Coder.Failure) {
        let mode = try coder.optional("mode", subscribe?.mode)
        self.init(
            trip: try coder.required("trip", subscribe?.trip), mode: mode ?? .snapshot,
            since: try coder.optional("since", subscribe?.since),
            defersWhileDragging: try coder.flag(
                "deferWhileDragging", subscribe?.defersWhileDragging, usually: true))
    }
}

extension Subscribe.Mode: WireText {
    static var needed: String { "\"snapshot\" or \"delta\" is needed" }
}

extension Since: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding since: Since?) throws(Coder.Failure) {
        self.init(
            epoch: try coder.required("epoch", since?.epoch),
            version: try coder.required("version", since?.version))
    }
}

extension Drop: WireObject {
    init<Coder: MemberCoder>(_ coder: inout Coder, encoding drop: Drop?) throws(Coder.Failure) {
        self.init(
            drag: try coder.required("drag", drop?.drag),
            placement: try coder.required("to", drop?.placement),
            trip: try coder.optional("trip", drop?.trip),
            options: try ChangeOptions(&coder, encoding: drop?.options))
        let isIncomplete = options.seq != nil && trip == nil
        try coder.check { _ throws(WireError) in
            guard isIncomplete else { return }
            throw .invalid(
                "trip", "it is needed with seq, so that a retry finds its answer after the drag has ended")
        }
    }
}

extension HistoryRequest: WireObject {
    init<Coder: MemberCoder>(
        _ coder: inout Coder, encoding history: HistoryRequest?
    ) throws(Coder.Failure) {
        self.init(
            trip: try coder.required("trip", history?.trip),
            before: try coder.optional("before", history?.before),
            since: try coder.optional("since", history?.since),
            limit: try coder.optional("limit", history?.limit))
        let isEmpty = limit.map { $0 < 1 } ?? false
        try coder.check { fields throws(WireError) in
            if isEmpty { throw .invalid(fields.name("limit"), "at least 1 is needed") }
        }
    }
}

extension HistoryRequest.Since: WireValue {
    init(_ node: JSONNode, at path: FieldPath) throws(WireError) {
        if let version = node.int {
            self = .version(version)
        } else if let moment = node.string.flatMap(OffsetDateTime.init) {
            self = .time(moment)
        } else {
            throw .invalid(path, "a version or a moment like 2026-06-11T13:00:00Z is needed")
        }
    }

    func encode(into json: inout JSONWriter) {
        switch self {
        case .version(let version): json.value(version)
        case .time(let moment): json.value(moment.text)
        }
    }
}
