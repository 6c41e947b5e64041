extension TripHeader {
    /// Rejects a header that exceeds a limit or names an unknown zone.
    ///
    /// - Parameter isZoneNew: false for a stored zone, which is valid even if this build does not know it.
    public func check(isZoneNew: Bool = true) throws(Rejection) {
        try check(isNameNew: true, isZoneNew: isZoneNew)
    }

    /// Checks a header; a stored name may break newer rules for text.
    func check(isNameNew: Bool, isZoneNew: Bool) throws(Rejection) {
        try TextRule.line(.textBytes).check(name, field: "name", isNew: isNameNew)
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field: "name", "the name of a trip must not be empty")
        }
        guard Self.isSlug(slug) else {
            throw .invalid(
                field: "slug",
                "a slug has 1 to 63 characters of a-z, 0-9 and -, does not begin with - and does not look like a UUID"
            )
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

    /// Sets exchange rates that can be read.
    package mutating func set(rates text: String) throws(Rejection) {
        try TextRule.line(.textBytes).check(text, field: "rates")
        do throws(ExchangeRates.Fault) {
            if !text.isEmpty { _ = try ExchangeRates(written: text) }
        } catch { throw .invalid(field: "rates", error.reason) }
        rates = text
    }

    /// Whether text has the form of a slug: `[a-z0-9][a-z0-9-]{0,62}`, but not that of a UUID.
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
    /// Rejects content that exceeds a limit, holds forbidden characters, lacks a required value, or names an
    /// unknown zone.
    ///
    /// - Parameter old: the content that is replaced, if any; an unchanged zone is not checked again.
    mutating func check(_ content: ItemContent, replacing old: ItemContent? = nil) throws(Rejection) {
        for field in content.kind.fields {
            if let value = content[field] { try field.check(value) }
        }
        for field in [ItemField.timeZone, .arrivalTimeZone] {
            if case .text(let zone) = content[field], content[field] != old?[field], clock(of: zone) == nil {
                throw .invalid(field: field.name, TimeZoneName.refusal(of: zone))
            }
        }
    }
}
