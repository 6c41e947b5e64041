extension ItemField {
    /// An example value, as a command accepts it.
    package var example: String {
        switch self {
        case .title: "Tea house"
        case .icon: "🍵"
        case .fromCity: "Tokyo"
        case .toCity: "Kyoto"
        case .time: "19:30"
        case .endTime: "11:00"
        case .nights: "3"
        case .arrivalTimeZone: "America/Los_Angeles"
        case .attending: "no"
        case .cancelled, .lateNight: "yes"
        case .startsAt: "2027-04-03T18:00:00+09:00"
        case .timeZone: "Asia/Tokyo"
        case .city: "Kyoto"
        case .venue: "Koshien"
        case .place: "1-13-11 Nishiazabu"
        case .mode: "train"
        case .durationMinutes: "90"
        case .cost: "45 EUR"
        case .paidBy: "ann"
        case .sharedBy: "ann,ben"
        case .who: "ann,ben"
        case .reference: "XK4J7P"
        case .url: "https://example.org/booking"
        case .note: "bring cash"
        case .coordinate: "35.66,139.72"
        case .afterGame, .beforeGame: "Giants v Tigers"
        case .gameID: "g4"
        case .source: "league/g4"
        }
    }
}
