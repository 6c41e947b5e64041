extension TripHeader {
    /// Refuses a header that breaks a limit or names a zone that there is not.
    ///
    /// - Parameter isZoneNew: whether somebody asks for the zone now; one that was taken before may stay, also
    ///   where this build does not know it.
    public func check(isZoneNew: Bool = true) throws(Rejection) {
        try TextRule.line(.textBytes).check(name, field: "name")
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field: "name", "a trip's name is not empty")
        }
        guard Self.isSlug(slug) else {
            throw .invalid(
                field: "slug",
                "a slug has 1 to 63 of a-z, 0-9 and -, does not begin with - and is not of a UUID's form")
        }
        try TextRule.line(.textBytes).check(timeZone, field: "timeZone")
        if isZoneNew, !TimeZoneName.isKnown(timeZone) {
            throw .invalid(field: "timeZone", TimeZoneName.refusal(of: timeZone))
        }
        guard dayCount >= 1 else {
            throw .invalid(field: "dayCount", "a trip has at least 1 day, not \(dayCount)")
        }
        guard dayCount <= TripLimits.days else { throw .limitExceeded(.days, field: "dayCount") }
        guard date(ofDay: dayCount) != nil else {
            throw .invalid(field: "startDate", "the last day would be after the year 9999")
        }
    }

    /// Whether text has a slug's form: `[a-z0-9][a-z0-9-]{0,62}`, and not a UUID's.
    public static func isSlug(_ text: String) -> Bool {
        guard (1...63).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-") else { return false }
        return TripID(text) == nil
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension Trip {
    /// Refuses content that breaks a limit, holds text that must not be shown, lacks what it needs, or names a zone
    /// that there is not.
    ///
    /// - Parameter old: what it was, if it was there: a zone that stays is not judged again.
    mutating func check(_ content: ItemContent, replacing old: ItemContent? = nil) throws(Rejection) {
        try content.check()
        if let zone = content.timeZone, zone != old?.timeZone, clock(of: zone) == nil {
            throw .invalid(field: "timeZone", TimeZoneName.refusal(of: zone))
        }
    }
}

extension ItemContent {
    /// Refuses content that breaks a limit, holds text that must not be shown, or lacks what it needs.
    ///
    /// Whether there is such a zone, the trip looks up among its clocks.
    fileprivate func check() throws(Rejection) {
        let line = TextRule.line(.textBytes)
        switch self {
        case .game(let game):
            try line.checkFilled(game.gameID, field: "gameId")
            try line.checkFilled(game.title, field: "title")
            try line.check(game.city, field: "city")
            try line.check(game.venue, field: "venue")
            guard game.startsAt.text.utf8.count <= TripLimits.startsAtBytes else {
                throw .limitExceeded(.startsAtBytes, field: "startsAt")
            }
            try line.check(game.timeZone, field: "timeZone")
            try Self.check(duration: game.durationMinutes)
        case .travel(let travel):
            try line.checkFilled(travel.fromCity, field: "fromCity")
            try line.checkFilled(travel.toCity, field: "toCity")
            try TextRule.line(.modeBytes).check(travel.mode, field: "mode")
            try TextRule.note.check(travel.note, field: "note")
            try Self.check(duration: travel.durationMinutes)
        case .custom(let custom):
            try line.checkFilled(custom.title, field: "title")
            try TextRule.line(.iconBytes).check(custom.icon, field: "icon")
            try line.check(custom.city, field: "city")
            try TextRule.note.check(custom.note, field: "note")
            try Self.check(duration: custom.durationMinutes)
            if let cost = custom.cost {
                try TextRule.line(.iconBytes).checkFilled(cost.currency, field: "cost.currency")
                guard cost.amount.magnitude <= Position.maximumOrder else {
                    throw .invalid(field: "cost.amount", "an amount lies within ±1e15")
                }
            }
        }
    }

    fileprivate var timeZone: String? {
        if case .game(let game) = self { game.timeZone } else { nil }
    }

    private static func check(duration: Int?) throws(Rejection) {
        guard let duration else { return }
        guard (0...TripLimits.durationMinutes).contains(duration) else {
            throw .invalid(
                field: "durationMinutes", "a duration is 0 to \(TripLimits.durationMinutes) minutes")
        }
    }
}

extension TextRule {
    func check(_ text: String?, field: String) throws(Rejection) {
        if let text { try check(text, field: field) }
    }

    func checkFilled(_ text: String, field: String) throws(Rejection) {
        try check(text, field: field)
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field: field, "it must not be empty")
        }
    }
}
