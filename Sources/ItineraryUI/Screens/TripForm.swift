import TripModel

extension TripField: FormFieldName {
    var group: Int? { nil }

    fileprivate func text(in plan: TripPlan) -> String {
        switch self {
        case .name: plan.name
        case .start: plan.startDate.description
        case .days: "\(plan.dayCount)"
        case .zone: plan.timeZone
        case .rates: plan.rates
        // A form does not have it.
        case .slug: ""
        }
    }
}

/// The form of a trip: its name, days and zone, and for an existing trip its exchange rates.
struct TripForm: Form {
    /// The purpose of the form.
    enum Purpose: Hashable, Sendable {
        case new
        case change(TripID)
        case copy(TripID)
    }

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
    var fields: FormFields<TripField>

    /// - Parameter plan: the initial values.
    init(_ purpose: Purpose, _ plan: TripPlan) {
        self.purpose = purpose
        original = plan
        let isChange = if case .change = purpose { true } else { false }
        let plain: [TripField] = [.name, .start, .days, .zone]
        fields = FormFields(
            (isChange ? plain + [.rates] : plain).map { field in
                // Typing appends to the name and rates of an existing trip; elsewhere it replaces the text.
                let isEdited = field == .rates || isChange && field == .name
                let text = field.text(in: plan)
                return FormField(field, isEdited ? LineEditor(text) : LineEditor(suggesting: text))
            })
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
        fields.follow(by: user) { $0.text(in: plan) }
    }

    var heading: String {
        switch purpose {
        case .new: "A new trip"
        case .change: "\(original.name): name, days, zone and rates"
        case .copy: "A copy of the trip"
        }
    }

    var mode: Mode { .planning(self) }

    var isAddition: Bool { if case .change = purpose { false } else { true } }

    private func text(of field: TripField) -> String { fields.text(of: field) ?? "" }

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
        var header = TripHeader(
            id: TripID(high: 0, low: 0), slug: "trip", name: name, startDate: start, timeZone: zone,
            dayCount: days)
        do throws(Rejection) {
            try header.check()
            try header.set(rates: text(of: .rates))
        } catch { throw objection(to: error) }
        return TripPlan(header)
    }

    /// The reason why the current field's text is invalid; nil if it is valid.
    func objection(today: CalendarDate?) -> String? {
        do throws(Objection) { _ = try plan(today: today) } catch {
            return error.field == fields.current.field ? error.reason : nil
        }
        return nil
    }

    private func objection(to rejection: Rejection) -> Objection {
        func field(named name: String) -> TripField {
            TripField(word: name).flatMap { fields.text(of: $0) == nil ? nil : $0 } ?? .name
        }
        return switch rejection {
        case .invalid(let name, let reason):
            Objection(field: field(named: name), reason: "\(capitalized(reason)).")
        case .limitExceeded(_, let name): Objection(field: field(named: name), reason: "That is too long.")
        case .textNotAllowed(let name, _):
            Objection(field: field(named: name), reason: "It has a character that is not allowed.")
        default: Objection(field: .name, reason: "That is not possible.")
        }
    }
}
