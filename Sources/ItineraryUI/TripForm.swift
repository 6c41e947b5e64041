import TripModel

/// What is said of a trip besides its items, as a person writes it.
enum TripField: String, Sendable, CaseIterable {
    case name, start, days, zone

    /// What it is called in a form.
    var label: String {
        switch self {
        case .name: "Name"
        case .start: "First day"
        case .days: "Days"
        case .zone: "Time zone"
        }
    }
}

/// A trip's name, days and zone, being written.
struct TripForm: Sendable {
    /// What becomes of it.
    enum Purpose: Equatable, Sendable {
        case new
        case change(TripID)
        case copy(TripID)
    }

    typealias Field = FormField<TripField>

    /// Why a field cannot be as it is written.
    struct Objection: Error {
        let field: TripField
        let reason: String
    }

    let purpose: Purpose
    /// What the trip is, apart from what is written here.
    private(set) var original: TripPlan
    /// What was asked for last, and the id that the trip was to have.
    private var asked: (plan: TripPlan, id: TripID)?
    private(set) var fields: [Field]
    private(set) var index = 0

    /// - Parameter plan: what the fields say at first.
    init(_ purpose: Purpose, _ plan: TripPlan) {
        self.purpose = purpose
        original = plan
        fields = zip(TripField.allCases, Self.texts(of: plan)).map { field, text in
            Field(field, LineEditor(text))
        }
    }

    private static func texts(of plan: TripPlan) -> [String] {
        [plan.name, plan.startDate.description, "\(plan.dayCount)", plan.timeZone]
    }

    /// The id that a trip of a plan is to have: the same one for the same plan, so that to ask for it again makes nothing
    /// twice.
    mutating func id(of plan: TripPlan, using generator: inout some RandomNumberGenerator) -> TripID {
        if let asked, asked.plan == plan { return asked.id }
        let id = TripID.random(using: &generator)
        asked = (plan, id)
        return id
    }

    /// Takes over what others have made of the trip meanwhile.
    mutating func follow(_ plan: TripPlan, by user: String) {
        original = plan
        for (index, text) in Self.texts(of: plan).enumerated() { fields[index].follow(text, by: user) }
    }

    /// The first field that would overwrite what somebody else has written and the user has not been told of; told now.
    mutating func takeConflict() -> Field? {
        guard let index = fields.takeConflict() else { return nil }
        self.index = index
        return fields[index]
    }

    /// What stands above the fields.
    var heading: String {
        switch purpose {
        case .new: "A new trip"
        case .change: "\(original.name): name, days and zone"
        case .copy: "A copy of the trip"
        }
    }

    /// The field being edited.
    var current: Field {
        get { fields[index] }
        set { fields[index] = newValue }
    }

    /// Goes to another field, beyond the last to the first.
    mutating func go(to target: Int) { index = (target + fields.count) % fields.count }

    mutating func go(to field: TripField) { index = fields.firstIndex { $0.field == field } ?? index }

    private func text(of field: TripField) -> String {
        fields.first { $0.field == field }?.line.trimmed ?? ""
    }

    /// What is written, as a plan that a trip can have.
    ///
    /// - Parameter today: what `today` and a day without a year go by.
    func plan(today: CalendarDate?) throws(Objection) -> TripPlan {
        let name = text(of: .name)
        if name.isEmpty { throw Objection(field: .name, reason: "A trip needs a name.") }
        guard let start = DateText.date(of: text(of: .start), today: today) else {
            throw Objection(field: .start, reason: "A day is like 2027-04-01, 1 Apr 2027 or today.")
        }
        guard let days = Int(text(of: .days)), (1...TripLimits.days).contains(days) else {
            throw Objection(field: .days, reason: "A trip has 1 to \(TripLimits.days) days.")
        }
        let written = text(of: .zone)
        let zone = TimeZoneName.known(ignoringCase: written) ?? written
        let plan = TripPlan(name: name, startDate: start, timeZone: zone, dayCount: days)
        let header = TripHeader(
            id: TripID(high: 0, low: 0), slug: "trip", name: name, startDate: start, timeZone: zone,
            dayCount: days)
        do throws(Rejection) { try header.check() } catch { throw objection(to: error) }
        return plan
    }

    /// Why the field being edited cannot be as it is written; nil where it can.
    func objection(today: CalendarDate?) -> String? {
        do throws(Objection) { _ = try plan(today: today) } catch {
            return error.field == fields[index].field ? error.reason : nil
        }
        return nil
    }

    private func objection(to rejection: Rejection) -> Objection {
        switch rejection {
        case .invalid(let name, let reason):
            let field: TripField =
                switch name {
                case "name": .name
                case "timeZone": .zone
                case "startDate": .start
                default: .days
                }
            return Objection(field: field, reason: "\(capitalized(reason)).")
        case .limitExceeded(_, let name):
            return Objection(field: name == "timeZone" ? .zone : .name, reason: "That is too long.")
        case .textNotAllowed(let name, _):
            return Objection(
                field: name == "timeZone" ? .zone : .name, reason: "It has a character that may not be shown."
            )
        default: return Objection(field: .name, reason: "That cannot be.")
        }
    }
}
