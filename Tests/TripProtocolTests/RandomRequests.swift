import TestSupport
import Testing
import TripModel
import TripProtocol

/// Random requests of every method; each optional field occurs in some of them.
struct RandomRequests {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private mutating func maybe<Value>(_ value: (inout Self) throws -> Value) rethrows -> Value? {
        random.chance(50) ? try value(&self) : nil
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    mutating func text() -> String {
        pick([
            "", "a", "Zoë \"quoted\" \\ /", "e\u{301}", "日本 🏟️👩‍👧", "line\nfeed\t\u{1}\u{0}", "\u{2028}\u{202E}",
            "\u{7F}",
        ])
    }

    mutating func id() -> ItemID { .random(using: &random) }

    private mutating func number() -> Int {
        pick([0, 1, -1, 7, 366, 9_007_199_254_740_991, -9_007_199_254_740_991])
    }

    private mutating func double() -> Double {
        pick([
            0, 1, -1, 0.1, 1e15, -1e15, 1e-11, 2.5, 123_456_789.123_456_78, .leastNonzeroMagnitude,
            100.000_976_562_5,
        ])
    }

    private mutating func date() throws -> CalendarDate {
        try #require(CalendarDate(pick(["2026-06-11", "1583-01-01", "9999-12-31", "2028-02-29"])))
    }

    private mutating func moment() throws -> OffsetDateTime {
        try #require(
            OffsetDateTime(
                pick(["2026-06-11T13:00:00-06:00", "2026-06-11t13:00:00.250z", "2026-12-31T23:59:60+13:45"])))
    }

    mutating func placement() -> Placement {
        let day = number()
        return switch random.below(6) {
        case 0: .after(id(), day: day)
        case 1: .before(id(), day: day)
        case 2: .start(day: day)
        case 3: .end(day: day)
        case 4: .between(id(), id(), day: day)
        default: .order(double(), day: day)
        }
    }

    private mutating func cost() -> Cost { Cost(amount: double(), currency: text()) }

    mutating func content() throws -> ItemContent {
        switch ItemKind.allCases.randomElement(using: &random) {
        case .game?: .game(try filled())
        case .travel?: .travel(try filled())
        case .custom?, nil: .custom(try filled())
        }
    }

    private mutating func filled<Content: FieldKeeper>() throws -> Content {
        var content = Content.blank
        for field in Content.kind.fields where field.isRequired || random.below(2) == 0 {
            content[field] = try value(of: field)
        }
        return content
    }

    private mutating func value(of field: ItemField) throws -> FieldValue {
        switch field.row.type {
        case .text: .text(text())
        case .minutes: .minutes(number())
        case .nights: .nights(number())
        case .flag: .flag(random.chance(50))
        case .moment: .moment(try moment())
        case .cost: .cost(cost())
        case .side: .side(random.below(4) == 0 ? .open : .game(id()))
        case .time: .time(try #require(ClockTime(pick(["00:00", "09:05", "23:59"]))))
        case .coordinate: .coordinate(Coordinate(latitude: double(), longitude: double()))
        case .source: .source(ItemSource(name: text(), id: text()))
        }
    }

    private mutating func fieldChanges() throws -> [FieldChange] {
        var all: [FieldChange] = []
        for field in ItemField.allCases {
            let isKept = field.isRequired || random.below(2) == 0
            all.append(FieldChange(field, isKept ? try value(of: field) : nil))
        }
        all.shuffle(using: &random)
        return Array(all.prefix(random.below(all.count + 1)))
    }

    private mutating func tripChange() throws -> TripChange {
        TripChange(
            name: maybe { $0.text() }, slug: maybe { $0.text() }, startDate: try maybe { try $0.date() },
            timeZone: maybe { $0.text() }, dayCount: maybe { $0.number() })
    }

    private mutating func add() throws -> Edit { .add(id(), try content(), to: maybe { $0.placement() }) }

    private mutating func edit() throws -> (Method, Edit) {
        switch random.below(7) {
        case 6:
            (
                .todo,
                .trip(
                    TripChange(
                        todo: TodoChange(
                            TodoID(id()), text: maybe { $0.text() }, isDone: maybe { $0.random.chance(50) },
                            isRemoval: random.chance(30))))
            )
        case 5:
            (.accept, .trip(TripChange(acceptance: TripChange.Acceptance(of: text(), random.chance(50)))))
        case 0: (.addItem, try add())
        case 1: (.moveItem, .move(id(), to: placement()))
        case 2: (.updateItem, .update(id(), try fieldChanges()))
        case 3: (.removeItem, .remove(id()))
        default: (.updateTrip, .trip(try tripChange()))
        }
    }

    private mutating func options() -> ChangeOptions {
        ChangeOptions(
            seq: maybe { $0.number() }, ifVersion: maybe { $0.number() },
            ifItemVersion: maybe { $0.number() },
            isDryRun: random.chance(50))
    }

    private mutating func trip() -> TripReference {
        random.chance(50)
            ? .id(.random(using: &random)) : .slug(pick(["t", "world-cup-2026", "", "Not A Slug"]))
    }

    private mutating func drag() -> DragID { DragID(text()) }

    mutating func request(_ method: Method) throws -> Request {
        switch method {
        case .ping: return .ping
        case .discover: return .discover
        case .hello:
            return .hello(
                Hello(
                    version: ProtocolVersion(major: 1, minor: random.below(9)), clientName: text(),
                    clientVersion: text(), user: maybe { $0.text() },
                    clientID: maybe { .random(using: &$0.random) }, role: pick([.editor, .viewer])))
        case .createTrip:
            return .createTrip(
                TripDraft(
                    id: maybe { .random(using: &$0.random) }, name: text(), startDate: try date(),
                    timeZone: text(),
                    dayCount: number(), slug: maybe { $0.text() },
                    items: try (0..<random.below(4)).map { _ in try add() }, isDryRun: random.chance(30)))
        case .listTrips: return .listTrips
        case .getTrip: return .getTrip(trip())
        case .deleteTrip:
            return .deleteTrip(trip(), ifVersion: maybe { $0.number() }, isDryRun: random.chance(30))
        case .listTrash: return .listTrash
        case .restoreTrip: return .restoreTrip(trip())
        case .removedItems: return .removedItems(trip())
        case .updateTrip, .accept, .todo, .addItem, .moveItem, .updateItem, .removeItem:
            while true {
                let (kind, edit) = try edit()
                guard kind == method else { continue }
                return .change(ChangeRequest(method: method, trip: trip(), edits: [edit], options: options()))
            }
        case .apply:
            let edits = try (0...random.below(5)).map { _ in try edit().1 }
            return .change(ChangeRequest(method: .apply, trip: trip(), edits: edits, options: options()))
        case .gaps: return .gaps(trip(), id())
        case .subscribe:
            return .subscribe(
                Subscribe(
                    trip: trip(), mode: pick([.snapshot, .delta]),
                    since: maybe { Since(epoch: $0.text(), version: $0.number()) },
                    defersWhileDragging: random.chance(50)))
        case .unsubscribe: return .unsubscribe(trip())
        case .sync: return .sync(trip())
        case .beginDrag: return .beginDrag(trip(), id(), includesGaps: random.chance(50))
        case .hover: return .hover(drag(), over: maybe { $0.placement() })
        case .drop:
            let options = options()
            // A `seq` is valid only with a trip.
            let trip = options.seq == nil ? maybe { $0.trip() } : trip()
            return .drop(Drop(drag: drag(), placement: placement(), trip: trip, options: options))
        case .cancelDrag: return .cancelDrag(drag())
        case .undo: return .undo(trip(), options())
        case .redo: return .redo(trip(), options())
        case .history:
            let since = try moment()
            return .history(
                HistoryRequest(
                    trip: trip(), before: maybe { $0.number() },
                    since: pick([nil, .version(number()), .time(since)]),
                    limit: maybe { 1 + $0.random.below(9) }))
        case .restrict:
            return .restrict(Restriction(user: maybe { $0.text() }, role: pick([nil, .editor, .viewer])))
        case .focus: return .focus(trip(), pick([nil, .item(id()), .day(number())]))
        case .openBatch: return .openBatch(trip())
        case .addToBatch:
            return .addToBatch(BatchID(text()), try (0...random.below(5)).map { _ in try edit().1 })
        case .commitBatch:
            var options = options()
            options.ifItemVersion = nil
            return .commitBatch(BatchID(text()), options)
        case .dropBatch: return .dropBatch(BatchID(text()))
        case .stats: return .stats
        case .shutdown: return .shutdown
        }
    }
}
