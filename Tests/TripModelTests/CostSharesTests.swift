import Testing
import TripModel

struct CostSharesTests {
    private func shares(
        _ costs: (amount: Double, currency: String, paidBy: String?, sharedBy: String?, who: String?)...
    ) throws -> [CostShares] {
        var fixture = try TripFixture()
        for cost in costs {
            _ = try fixture.add(
                .custom(
                    CustomItem(
                        title: "x", cost: Cost(amount: cost.amount, currency: cost.currency),
                        paidBy: cost.paidBy,
                        sharedBy: cost.sharedBy, who: cost.who)))
        }
        return CostShares.all(of: fixture.trip)
    }

    private func words(_ shares: CostShares) -> [String] {
        shares.people.map { "\($0.name) \(shares.text(of: $0.paid)) \(shares.text(of: $0.share))" }
            + shares.payments.map { "\($0.from) → \($0.to) \(shares.text(of: $0.amount))" }
    }

    @Test func `a cost is divided among for, else who, else all, and the rest goes to the first names`()
        throws
    {
        let all = try shares(
            (100, "EUR", "ann", " ben,ann, ben,,cid ", nil), (20, "€", nil, nil, nil),
            (1, "eur", "ben", nil, "cid"),
            (0.02, "EUR", "cid", nil, nil))
        let euros = try #require(all.first)
        #expect(
            all.count == 1 && euros.text(of: euros.sum) == "121.02" && euros.text(of: euros.unpaid) == "20.00"
        )
        #expect(
            words(euros) == [
                "ann 100.00 33.35", "ben 1.00 33.34", "cid 0.02 34.33", "cid → ann 34.31", "ben → ann 32.34",
            ])
    }

    @Test func `a cost that names only its payer is shared by the people named so far`() throws {
        var fixture = try TripFixture()
        func paid(_ by: String, for people: String? = nil, who: String? = nil) -> ItemContent {
            .custom(
                CustomItem(
                    title: "x", cost: Cost(amount: 60, currency: "GBP"), paidBy: by, sharedBy: people,
                    who: who))
        }
        #expect(fixture.trip.sharing(of: paid("jo"))?.names == "jo")
        let early = try fixture.add(paid("jo"))
        #expect(fixture.trip.sharing(of: paid("mia"))?.names == "jo,mia")
        #expect(fixture.trip.sharing(of: paid("JO"))?.names == "jo", "as the trip spells it")
        for content in [paid("mia", for: "jo"), paid("mia", who: "mia"), .custom(CustomItem(title: "x"))] {
            #expect(fixture.trip.sharing(of: content) == nil)
        }
        #expect(fixture.trip.costsSharedByLaterPeople.isEmpty)
        _ = try fixture.add(paid("lena", for: "lena"))
        let later = try #require(fixture.trip.costsSharedByLaterPeople.first)
        #expect(later.item.id == early && later.people == ["lena"])
    }

    @Test func `names that differ only in case are one person`() throws {
        let euros = try #require(
            try shares((30, "EUR", "mia", "Leo,mia,leo", nil), (20, "EUR", "Mia", nil, nil)).first)
        #expect(words(euros) == ["Leo 0.00 25.00", "Mia 50.00 25.00", "Leo → Mia 25.00"])
    }

    @Test func `each currency has its own sum and minor units, and halves are rounded away from zero`() throws
    {
        let all = try shares(
            (1.005, "EUR", "ann", "ben", nil), (-1.005, "USD", "ann", "ben", nil),
            (100.5, "JPY", "ann", "ben", nil),
            (0.0005, "KWD", "ann", "ben", nil), (1e15, "ZZZ", "ann", "ben", nil))
        #expect(all.map(\.currency) == ["EUR", "JPY", "KWD", "USD", "ZZZ"])
        #expect(all.map { $0.text(of: $0.sum) } == ["1.01", "101", "0.001", "-1.01", "1000000000000000.00"])
        #expect(words(all[3]) == ["ann -1.01 0.00", "ben 0.00 -1.01", "ann → ben 1.01"])
    }

    @Test func `costs are grouped and converted, and one without a rate stays in its currency`() throws {
        var fixture = try TripFixture()
        func add(_ amount: Double, _ currency: String, city: String?, day: Int) throws {
            let item = CustomItem(title: "x", city: city, cost: Cost(amount: amount, currency: currency))
            _ = try fixture.add(.custom(item), to: .end(day: day))
        }
        try add(1000, "JPY", city: "Osaka", day: 2)
        try add(45, "€", city: "Tokyo", day: 1)
        try add(10, "CHF", city: nil, day: 2)
        try add(5, "EUR", city: nil, day: 2)
        let rates = try ExchangeRates(written: " jpy : 0.00615  EUR, USD:0.92 €")
        func groups(_ grouping: CostShares.Grouping) -> [[String]] {
            CostShares.all(of: fixture.trip, in: rates, by: grouping).map { shares in
                [shares.currency] + shares.groups.map { "\($0.name) \(shares.text(of: $0.sum))" }
            }
        }
        #expect(groups(.day) == [["CHF", "day 2 10.00"], ["EUR", "day 1 45.00", "day 2 11.15"]])
        #expect(
            groups(.city) == [
                ["CHF", "no city 10.00"], ["EUR", "Tokyo 45.00", "Osaka 6.15", "no city 5.00"],
            ])
        #expect(groups(.kind) == [["CHF", "other 10.00"], ["EUR", "other 56.15"]])
    }

    @Test func `an amount alone is in the currency of the rates, else in that of all costs`() throws {
        var fixture = try TripFixture()
        #expect(throws: CostText.Fault.unreadable) { try fixture.trip.cost(written: "45") }
        func add(_ currency: String) throws {
            _ = try fixture.add(.custom(CustomItem(title: "x", cost: Cost(amount: 1, currency: currency))))
        }
        try add("¥")
        #expect(try fixture.trip.cost(written: "45") == Cost(amount: 45, currency: "JPY"))
        try add("USD")
        #expect(throws: CostText.Fault.unreadable) { try fixture.trip.cost(written: "45") }
        for rates in ["eur", "JPY:0.0061 EUR", "EUR, JPY:0.0061 EUR"] {
            try fixture.apply(.trip(TripChange(rates: rates)))
            #expect(try fixture.trip.cost(written: "4.50") == Cost(amount: 4.5, currency: "EUR"))
            #expect(try fixture.trip.cost(written: "45 GBP") == Cost(amount: 45, currency: "GBP"))
        }
    }

    @Test func `a done entry of a payment counts in the balances of two people, and in no sum`() throws {
        var fixture = try TripFixture()
        let dinner = CustomItem(
            title: "x", cost: Cost(amount: 90, currency: "EUR"), paidBy: "ann", sharedBy: "ann, Ben Lee")
        _ = try fixture.add(.custom(dinner))
        func record(_ text: String, isDone: Bool = true) throws -> CostShares {
            let id = TodoID(derivedFrom: [text])
            try fixture.apply(.trip(TripChange(todo: TodoChange(id, text: text, isDone: isDone))))
            return try #require(CostShares.all(of: fixture.trip).first)
        }
        for text in ["ann pays hotel 45 EUR", "ben pays ann 45 EUR", "ann pays ann 1 EUR", "pays ann 1 EUR"] {
            #expect(
                try record(text).lines.last?.text == "EUR  Ben Lee owes ann 45.00", "\(text) is no payment")
        }
        let open = try record("ben lee pays Ann 40.50 EUR #money", isDone: false)
        #expect(open.lines.last?.settlement == "Ben Lee pays ann 45.00 EUR")
        let part = try record("ben lee pays Ann 40.50 EUR #money")
        #expect(
            part.lines.map(\.text) == [
                "EUR  sum 90.00", "EUR  Ben Lee paid 0.00, share 45.00, gave 40.50",
                "EUR  ann paid 90.00, share 45.00, got 40.50", "EUR  Ben Lee owes ann 4.50",
            ])
        let rest = try record(try #require(part.lines.last?.settlement))
        #expect(rest.payments.isEmpty && rest.text(of: rest.sum) == "90.00")
    }

    @Test(arguments: [
        ("", "is like"), ("JPY:", "“JPY:” is not a rate"), ("JPY:0 EUR", "“JPY:0 EUR” is not a rate"),
        ("JPY:1 EUR, USD:2 CHF", "two currencies, EUR and CHF"), ("JPY:-1 EUR", "is not a rate"),
        ("JPY:1000000000000 EUR", "is not a rate"), (":", "“:” is not a rate"), ("none", "nor a currency"),
        ("€:2 EUR", "“€:2 EUR” is a rate of EUR into itself"),
        ("CHF, JPY:1 EUR", "two currencies, CHF and EUR"),
    ])
    func `a text that is no list of rates is refused with its part`(text: String, reason: String) throws {
        let fault = #expect(throws: ExchangeRates.Fault.self) { try ExchangeRates(written: text) }
        #expect(fault?.reason.contains(reason) == true)
    }

    @Test func `the payments settle all balances, with fewer payments than people`() throws {
        var random = SystemRandomNumberGenerator()
        let names = ["ann", "ben", "cid", "dan", "eve"]
        for _ in 0..<200 {
            var fixture = try TripFixture()
            for _ in 0...Int.random(in: 0..<8, using: &random) {
                let sharers = names.shuffled(using: &random).prefix(.random(in: 1...5, using: &random))
                let amount = Double(Int.random(in: -500...5000, using: &random)) / 100
                let item = CustomItem(
                    title: "x", cost: Cost(amount: amount, currency: "EUR"),
                    paidBy: names.randomElement(using: &random), sharedBy: sharers.joined(separator: ","))
                _ = try fixture.add(.custom(item))
            }
            let shares = try #require(CostShares.all(of: fixture.trip).first)
            var balances = Dictionary(
                uniqueKeysWithValues: shares.people.map { ($0.name, $0.paid - $0.share) })
            #expect(balances.values.reduce(0, +) == 0)
            for payment in shares.payments {
                #expect(payment.amount > 0)
                balances[payment.from, default: 0] += payment.amount
                balances[payment.to, default: 0] -= payment.amount
            }
            #expect(balances.values.allSatisfy { $0 == 0 })
            #expect(shares.payments.count < max(shares.people.count, 1))
        }
    }
}
