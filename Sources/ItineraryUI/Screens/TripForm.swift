import TripModel

/// A field of the trip form.
enum TripField: String, Sendable, CaseIterable {
    case name, start, days, zone

    /// The label in the form.
    var label: String {
        switch self {
        case .name: "Name"
        case .start: "First day"
        case .days: "Days"
        case .zone: "Time zone"
        }
    }
}

/// A form for a trip's name, days and zone.
struct TripForm: Sendable {
    /// The purpose of the form.
    enum Purpose: Hashable, Sendable {
        case new
        case change(TripID)
        case copy(TripID)
    }

    typealias Field = FormField<TripField>

    /// The reason why a field's text is invalid.
    struct Objection: Error {
        let field: TripField
        let reason: String
    }

    let purpose: Purpose
    /// The trip's present plan, without the written changes.
    private(set) var original: TripPlan
    /// The last requested plan, with the id for the trip.
    private var asked: (plan: TripPlan, id: TripID)?
    private(set) var fields: [Field]
    private(set) var index = 0

    /// - Parameter plan: the initial values.
    init(_ purpose: Purpose, _ plan: TripPlan) {
        self.purpose = purpose
        original = plan
        fields = zip(TripField.allCases, Self.texts(of: plan)).map { field, text in
            // A name is edited; what is typed into the other fields replaces their values.
            if case .change = purpose, field == .name { return Field(field, LineEditor(text)) }
            return Field(field, LineEditor(suggesting: text))
        }
    }

    private static func texts(of plan: TripPlan) -> [String] {
        [plan.name, plan.startDate.description, "\(plan.dayCount)", plan.timeZone]
    }

    /// The id for a new trip: the same one for the same plan, so that a repeated request creates only one
    /// trip.
    mutating func id(of plan: TripPlan, using generator: inout some RandomNumberGenerator) -> TripID {
        if let asked, asked.plan == plan { return asked.id }
        let id = TripID.random(using: &generator)
        asked = (plan, id)
        return id
    }

    /// Updates the form after changes by others.
    mutating func follow(_ plan: TripPlan, by user: String) {
        original = plan
        for (index, text) in Self.texts(of: plan).enumerated() { fields[index].follow(text, by: user) }
    }

    /// The first field that would overwrite another user's value without a warning; marks it as warned.
    mutating func takeConflict() -> Field? {
        guard let index = fields.takeConflict() else { return nil }
        self.index = index
        return fields[index]
    }

    /// Writes a name that typing replaces.
    mutating func write(name: String) { fields[0].line = LineEditor(suggesting: name) }

    /// The heading above the fields.
    var heading: String {
        switch purpose {
        case .new: "A new trip"
        case .change: "\(original.name): name, days and zone"
        case .copy: "A copy of the trip"
        }
    }

    /// The current field.
    var current: Field {
        get { fields[index] }
        set { fields[index] = newValue }
    }

    /// Moves to another field; after the last comes the first.
    mutating func go(to target: Int) { index = (target + fields.count) % fields.count }

    mutating func go(to field: TripField) { index = fields.firstIndex { $0.field == field } ?? index }

    private func text(of field: TripField) -> String {
        fields.first { $0.field == field }?.line.trimmed ?? ""
    }

    /// The written plan.
    ///
    /// - Parameter today: the date for `today` and for dates without a year.
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
        let zone = TimeZoneName.meant(by: written) ?? written
        let plan = TripPlan(name: name, startDate: start, timeZone: zone, dayCount: days)
        let header = TripHeader(
            id: TripID(high: 0, low: 0), slug: "trip", name: name, startDate: start, timeZone: zone,
            dayCount: days)
        do throws(Rejection) { try header.check() } catch { throw objection(to: error) }
        return plan
    }

    /// The reason why the current field's text is invalid; nil if it is valid.
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
                field: name == "timeZone" ? .zone : .name, reason: "It has a character that is not allowed."
            )
        default: return Objection(field: .name, reason: "That is not possible.")
        }
    }
}
