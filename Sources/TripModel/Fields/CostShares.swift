/// The costs of a trip in one currency: their sum, each person's share, and the payments that settle them.
///
/// All amounts are in minor units of the currency, so nothing is lost by rounding.
package struct CostShares: Equatable, Sendable {
    /// The payments and the shares of one person.
    package struct Account: Equatable, Sendable {
        /// The name.
        package let name: String
        /// The sum of the person's payments.
        package var paid: Int128 = 0
        /// The sum of the person's shares.
        package var share: Int128 = 0
        /// The sum given to other people, less what they gave.
        package var given: Int128 = 0
    }

    /// A payment between two people.
    package struct Payment: Equatable, Sendable {
        /// The name of the debtor.
        package let from: String
        /// The name of the creditor.
        package let to: String
        /// The amount.
        package let amount: Int128
    }

    /// The sum of the costs of one day, kind or city.
    package struct Group: Equatable, Sendable {
        /// The group in words, such as `day 3`.
        package let name: String
        /// The sum of its costs.
        package fileprivate(set) var sum: Int128 = 0
    }

    /// The property by which costs are grouped.
    package enum Grouping: String, CaseIterable, Sendable {
        /// The day of the trip; travel, events or other; the city.
        case day, kind, city

        fileprivate func name(of item: Item) -> String {
            switch self {
            case .day: "day \(item.position.day)"
            case .kind: item.isGame ? "events" : item.content.kind == .travel ? "travel" : "other"
            case .city: item.content.costCity ?? "no city"
            }
        }
    }

    /// The currency's code.
    package let currency: String
    /// The sum of all costs.
    package private(set) var sum: Int128 = 0
    /// The part of the sum that names no payer, and so is in no account.
    package private(set) var unpaid: Int128 = 0
    /// The accounts, by name.
    package private(set) var people: [Account] = []
    /// The groups, in the order of their first items.
    package private(set) var groups: [Group] = []

    /// The costs of a trip, by currency.
    ///
    /// - Parameter rates: into which currency the costs are converted; costs without a rate are not.
    package static func all(
        of trip: Trip, in rates: ExchangeRates? = nil, by grouping: Grouping? = nil
    ) -> [CostShares] {
        let spellings = trip.spellings
        let everybody = Array(spellings.values)
        var shares: [String: CostShares] = [:]
        for item in trip.items {
            guard case .cost(let written)? = item.content[.cost] else { continue }
            let cost = rates?.converted(written) ?? written
            let code = Currency.code(of: cost.currency)
            let amount = Currency.minorAmount(of: cost.amount, in: code)
            func people(_ field: ItemField) -> [String]? {
                item.content.people(field)?.compactMap { spellings[$0.lowercased()] }
            }
            shares[code, default: CostShares(currency: code)].add(
                amount, paidBy: people(.paidBy)?.first, for: people(.sharedBy) ?? people(.who) ?? everybody)
            if let grouping { shares[code]?.add(amount, to: grouping.name(of: item)) }
        }
        for entry in trip.header.todo where entry.doneBy != nil {
            guard let (from, to, written) = entry.payment(among: spellings) else { continue }
            let cost = rates?.converted(written) ?? written
            let code = Currency.code(of: cost.currency)
            let amount = Currency.minorAmount(of: cost.amount, in: code)
            shares[code, default: CostShares(currency: code)].account(of: from) { $0.given += amount }
            shares[code]?.account(of: to) { $0.given -= amount }
        }
        return shares.values.sorted { String.precedes($0.currency, $1.currency) }
    }

    private init(currency: String) { self.currency = currency }

    private mutating func add(_ amount: Int128, paidBy payer: String?, for names: [String]) {
        sum += amount
        guard let payer else { return unpaid += amount }
        account(of: payer) { $0.paid += amount }
        // The remaining minor units, which cannot be divided evenly, go to the first names.
        let sorted = names.sorted(by: String.precedes)
        let (share, rest) = amount.quotientAndRemainder(dividingBy: Int128(sorted.count))
        for (index, name) in sorted.enumerated() {
            account(of: name) { $0.share += share + (index < rest.magnitude ? rest.signum() : 0) }
        }
    }

    private mutating func add(_ amount: Int128, to group: String) {
        let index = groups.firstIndex { $0.name == group } ?? groups.count
        if index == groups.count { groups.append(Group(name: group)) }
        groups[index].sum += amount
    }

    private mutating func account(of name: String, _ body: (inout Account) -> Void) {
        let index = people.firstIndex { !String.precedes($0.name, name) } ?? people.count
        if index == people.count || !String.isVerbatim(people[index].name, name) {
            people.insert(Account(name: name), at: index)
        }
        body(&people[index])
    }

    /// The payments that balance all accounts. In each, the person with the largest debt pays the person with the
    /// largest credit, until one of the two is balanced. Equal amounts are processed in the order of names.
    package var payments: [Payment] {
        var balances = people.map { (name: $0.name, amount: $0.paid - $0.share + $0.given) }
        var payments: [Payment] = []
        while let debtor = balances.indices.min(by: { balances[$0].amount < balances[$1].amount }),
            let creditor = balances.indices.max(by: { balances[$0].amount < balances[$1].amount }),
            balances[debtor].amount < 0
        {
            // `max` returns the last of equal elements.
            let first = balances.firstIndex { $0.amount == balances[creditor].amount } ?? creditor
            let amount = min(-balances[debtor].amount, balances[first].amount)
            payments.append(Payment(from: balances[debtor].name, to: balances[first].name, amount: amount))
            balances[debtor].amount += amount
            balances[first].amount -= amount
        }
        return payments
    }

    /// A line of the costs.
    package struct Line: Equatable, Sendable {
        /// The line.
        package let text: String
        /// For a debt, the text of the thing to do that records its payment once it is ticked off.
        package var settlement: String?
    }

    /// The sum, the groups, the accounts and the debts.
    package var lines: [Line] {
        let unpaid = unpaid == 0 ? "" : ", of which \(text(of: unpaid)) name no payer"
        var lines = [Line(text: "\(currency)  sum \(text(of: sum))\(unpaid)")]
        lines += groups.map { Line(text: "\(currency)  \($0.name) \(text(of: $0.sum))") }
        lines += people.map {
            let given = $0.given == 0 ? "" : ", \($0.given > 0 ? "gave" : "got") \(text(of: abs($0.given)))"
            return Line(
                text: "\(currency)  \($0.name) paid \(text(of: $0.paid)), share \(text(of: $0.share))\(given)"
            )
        }
        return lines
            + payments.map {
                let amount = text(of: $0.amount)
                return Line(
                    text: "\(currency)  \($0.from) owes \($0.to) \(amount)",
                    settlement: "\($0.from) \(Self.verb) \($0.to) \(amount) \(currency)")
            }
    }

    /// The verb in the text of a payment.
    fileprivate static let verb = "pays"

    /// An amount with all decimals of the currency, such as `12.50`.
    package func text(of amount: Int128) -> String {
        let digits = Currency.minorUnits(of: currency)
        guard digits > 0 else { return String(amount) }
        let text = String(amount.magnitude)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return "\(amount < 0 ? "-" : "")\(padded.dropLast(digits)).\(padded.suffix(digits))"
    }
}

extension Trip {
    /// The default for `for` of a cost with `paidBy` but neither `for` nor `who`: everybody named in the trip so far.
    /// Programs store it with the cost, so that adding a person later does not change the shares of earlier costs.
    ///
    /// - Parameter content: an item with the cost, which need not be in the trip.
    /// - Returns: nil if the cost names those who share it, or has no payer.
    package func sharing(of content: ItemContent) -> (names: String, note: String)? {
        guard content[.cost] != nil, let payers = content.people(.paidBy), content.people(.sharedBy) == nil,
            content.people(.who) == nil
        else { return nil }
        var names = spellings
        for name in payers { names[name.lowercased()] = names[name.lowercased()] ?? name }
        let text = names.values.sorted(by: String.precedes).joined(separator: ",")
        guard text.utf8.count <= TripLimits.textBytes else { return nil }
        return (text, "the cost is shared by \(text), the people named so far; for=NAMES sets others")
    }

    /// The costs that everybody shares, although somebody was named only after they were entered: the titles, and these
    /// people.
    package var costsSharedByLaterPeople: [(item: Item, people: [String])] {
        let spellings = spellings
        var firstVersions: [String: Int] = [:]
        for item in items {
            for name in [ItemField.who, .paidBy, .sharedBy].flatMap({ item.content.people($0) ?? [] }) {
                let first = firstVersions[name.lowercased(), default: item.version]
                firstVersions[name.lowercased()] = min(first, item.version)
            }
        }
        return items.compactMap { item in
            guard item.content[.cost] != nil, item.content.people(.paidBy) != nil,
                item.content.people(.sharedBy) == nil, item.content.people(.who) == nil
            else { return nil }
            let later = firstVersions.filter { $0.value > item.version }.keys.compactMap { spellings[$0] }
            return later.isEmpty ? nil : (item, later.sorted(by: String.precedes))
        }
    }
}

extension TodoEntry {
    /// The payment that an entry such as `ben pays ann 45 EUR` is about, with the names as they are spelled.
    fileprivate func payment(among spellings: [String: String]) -> (from: String, to: String, Cost)? {
        func person(_ words: ArraySlice<String>) -> String? {
            spellings[words.joined(separator: " ").lowercased()]
        }
        let words = parts.task.split(separator: " ").map(String.init)
        guard let verb = words.firstIndex(of: CostShares.verb), let from = person(words[..<verb]) else {
            return nil
        }
        let payee = words[(verb + 1)...]
        for end in payee.indices.dropFirst() {
            guard let cost = try? CostText.cost(of: words[end...].joined(separator: " ")) else { continue }
            return person(payee[..<end]).flatMap { $0 == from ? nil : (from, $0, cost) }
        }
        return nil
    }
}

extension ItemContent {
    /// The city of a cost; nil for travel.
    fileprivate var costCity: String? {
        if case .game(let game) = self { return game.effectiveCity }
        if case .text(let city)? = self[.city] { return city }
        return nil
    }
}

extension Currency {
    /// An amount in minor units, rounded half away from zero as a decimal number.
    fileprivate static func minorAmount(of amount: Double, in code: String) -> Int128 {
        let parts = DecimalText.text(of: amount.magnitude).split(separator: ".")
        let (whole, decimals) = (parts[0], parts.count == 2 ? parts[1] : "")
        let count = minorUnits(of: code)
        let padding = String(repeating: "0", count: max(0, count - decimals.count))
        let units = Int128(whole + decimals.prefix(count) + padding) ?? 0
        let isRoundedUp = decimals.dropFirst(count).first.map { $0 >= "5" } ?? false
        return (isRoundedUp ? units + 1 : units) * (amount < 0 ? -1 : 1)
    }
}

extension TripHeader {
    /// The trip's exchange rates; nil without any.
    package var exchangeRates: ExchangeRates? { try? ExchangeRates(written: rates) }
}

extension Trip {
    /// Reads a cost. An amount alone is in the currency of the trip's rates or, without rates, of all its costs.
    package func cost(written text: String) throws(CostText.Fault) -> Cost {
        if let rates = header.exchangeRates { return try CostText.cost(of: text, in: rates.currency) }
        var used: Set<String> = []
        for case .cost(let cost)? in items.lazy.map({ $0.content[.cost] }) {
            used.insert(Currency.code(of: cost.currency))
        }
        return try CostText.cost(of: text, in: used.count == 1 ? used.first : nil)
    }
}

/// The currency of a trip, and exchange rates into it.
package struct ExchangeRates: Equatable, Sendable {
    /// Why a text is not a list of rates.
    package struct Fault: Error, Equatable {
        /// The reason, as part of a sentence.
        package let reason: String
    }

    /// The code of the currency.
    package let currency: String
    /// The accepted rates, so that sums of converted costs cannot overflow.
    private static let range = 1e-9...1e9
    /// The price of one unit, by currency.
    private let prices: [String: Double]

    /// Reads rates such as `JPY:0.0061 EUR, USD:0.92 EUR`, or the currency alone.
    ///
    /// - Throws: `Fault` with the part that is not a rate, or that is into another currency.
    package init(written text: String) throws(Fault) {
        var prices: [String: Double] = [:]
        var target: String?
        for part in text.split(separator: ",") {
            func words(_ text: Substring) -> String {
                text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            let sides = part.split(separator: ":", omittingEmptySubsequences: false).map(words)
            let price: Cost? =
                switch sides.count {
                case 1 where Currency.isCode(sides[0]): Cost(amount: 1, currency: sides[0])
                case 2: try? CostText.cost(of: sides[1])
                default: nil
                }
            guard let price, Self.range.contains(price.amount) else {
                throw Fault(reason: "“\(words(part))” is not a rate such as JPY:0.0061 EUR, nor a currency")
            }
            let code = Currency.code(of: price.currency)
            guard target == nil || target == code else {
                throw Fault(reason: "the rates are into two currencies, \(target ?? "") and \(code)")
            }
            let source = Currency.code(of: sides[0])
            guard source != code || price.amount == 1 else {
                throw Fault(reason: "“\(words(part))” is a rate of \(code) into itself")
            }
            target = code
            prices[source] = price.amount
        }
        guard let target else {
            throw Fault(reason: "a rate is like JPY:0.0061 EUR, and a currency like EUR")
        }
        prices[target] = 1
        (currency, self.prices) = (target, prices)
    }

    /// The cost in the currency of the rates; nil without a rate.
    package func converted(_ cost: Cost) -> Cost? {
        prices[Currency.code(of: cost.currency)].map { Cost(amount: cost.amount * $0, currency: currency) }
    }
}

/// A sum of money with one amount per currency.
package struct CostSum: Equatable, Sendable {
    private var amounts: [String: Double] = [:]

    package init() {}

    /// Whether no cost was added.
    package var isEmpty: Bool { amounts.isEmpty }

    /// Adds a cost; `usd` and `USD` are one currency, as are `€` and `EUR`.
    package static func += (sum: inout CostSum, cost: Cost) {
        sum.amounts[Currency.code(of: cost.currency), default: 0] += cost.amount
    }

    /// Adds an item's cost, converted if there is a rate.
    package mutating func add(costOf content: ItemContent, in rates: ExchangeRates?) {
        guard case .cost(let cost)? = content[.cost] else { return }
        self += rates?.converted(cost) ?? cost
    }

    /// Adds another sum.
    package static func += (sum: inout CostSum, other: CostSum) {
        for (currency, amount) in other.amounts { sum.amounts[currency, default: 0] += amount }
    }

    /// `120 EUR + 450 MXN`, rounded to the minor units of the currencies; empty for an empty sum.
    package var text: String {
        amounts.sorted { $0.key < $1.key }.map { currency, amount in
            var scale = 1.0
            for _ in 0..<Currency.minorUnits(of: currency) { scale *= 10 }
            return CostText.text(of: Cost(amount: (amount * scale).rounded() / scale, currency: currency))
        }.joined(separator: " + ")
    }
}
