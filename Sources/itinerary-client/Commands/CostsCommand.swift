import CommandLineKit
import JSONLine
import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// `costs TRIP`: the costs by currency, and who owes whom.
enum CostsCommand {
    private static let by = OptionRow.value(
        "--by", "day|kind|city", "also the sum of each day, kind or city",
        .oneOf(CostShares.Grouping.allCases.map(\.rawValue)))
    private static let rates = OptionRow.value(
        "--rates", "RATES", "other rates than the trip's, such as \"JPY:0.0061 EUR, USD:0.92 EUR\"")

    static let command = Command(
        name: "costs", summary: "sum the costs by person, and list who owes whom",
        forms: ["TRIP [--by day|kind|city] [--rates RATES]"],
        words: [.trip], options: [by, rates],
        examples: [
            .init("costs japan", "by currency: sums, shares and payments"),
            .init("edit japan rates=\"JPY:0.0061 EUR\"", "keep the rates in the trip"),
            .init("costs japan --by day", "each day, and all in EUR"),
            .init("todo japan add \"ben pays ann 45 EUR\"", "a payment, once it is ticked off"),
            .init("edit japan Dinner cost=\"90 EUR\" paidBy=ann for=ann,ben", "the fields for them"),
        ],
        details: [
            "A cost with paidBy is shared by the people of its field for or, if that is empty, of who",
            "or, if that is empty too, by all people named in the trip. add and edit fill in for with the",
            "people named so far, so that later ones change no earlier debt. Currencies are converted",
            "by the trip's field rates, such as \"JPY:0.0061 EUR, USD:0.92 EUR\", or by --rates. Costs in a currency",
            "without a rate stay apart. A rate field of a currency alone, such as EUR, makes it the currency of amounts",
            "without one. A remainder of the division goes to the first names. An entry \"ben pays ann 45 EUR\" of",
            "the things to do that is ticked off is a payment between them, which changes no total.",
        ], run: run)

    private static func run(_ invocation: Invocation) async throws(CommandFailure) {
        let client = try await invocation.reader()
        let trip = try await invocation.trip.snapshot(client).trip
        let rates = try rates(of: trip, written: invocation.value(rates))
        let currencies = try shares(of: trip, by: invocation.value(by), in: rates)
        if invocation.isJSON { return Answer.print { encode(currencies, of: trip, to: &$0) } }
        for shares in currencies {
            for line in shares.lines { StandardStream.output.print(PlainText.visible(line.text)) }
        }
        for shares in currencies {
            guard let target = rates?.currency, shares.currency != target else { continue }
            invocation.note("there is no rate for \(PlainText.visible(shares.currency)) into \(target)")
        }
        for (item, people) in trip.costsSharedByLaterPeople {
            invocation.note(
                PlainText.visible(
                    "\(item.content.title) is shared by everybody, also by \(people.joined(separator: ", ")), named later; "
                        + "edit its field for"))
        }
        if currencies.isEmpty { invocation.note("nothing has a cost") }
    }

    /// The given rates; without any, the trip's.
    static func rates(of trip: Trip, written text: String?) throws(CommandFailure) -> ExchangeRates? {
        do throws(ExchangeRates.Fault) {
            return try text.map(ExchangeRates.init) ?? trip.header.exchangeRates
        } catch { throw .usage(PlainText.visible(error.reason)) }
    }

    /// The costs, converted and grouped as the words say.
    static func shares(
        of trip: Trip, by grouping: String?, in rates: ExchangeRates?
    ) throws(CommandFailure) -> [CostShares] {
        let group = grouping.map { CostShares.Grouping(rawValue: $0) }
        if let grouping, group == .some(nil) {
            throw .usage("costs are by day, kind or city, not by \(PlainText.visible(grouping))")
        }
        return CostShares.all(of: trip, in: rates, by: group ?? nil)
    }

    /// Writes the costs with the trip's slug and version.
    static func encode(_ currencies: [CostShares], of trip: Trip, to json: inout JSONWriter) {
        json.member("trip", trip.header.slug)
        json.member("version", trip.version)
        json.objects("currencies", currencies) { shares, json in
            func amount(_ name: StaticString, _ value: Int128, _ json: inout JSONWriter) {
                json.key(name)
                json.raw(Array(shares.text(of: value).utf8))
            }
            json.member("currency", shares.currency)
            amount("sum", shares.sum, &json)
            amount("unpaid", shares.unpaid, &json)
            if !shares.groups.isEmpty {
                json.objects("groups", shares.groups) { group, json in
                    json.member("name", group.name)
                    amount("sum", group.sum, &json)
                }
            }
            json.objects("people", shares.people) { person, json in
                json.member("name", person.name)
                amount("paid", person.paid, &json)
                amount("share", person.share, &json)
                if person.given != 0 { amount("given", person.given, &json) }
            }
            json.objects("payments", shares.payments) { payment, json in
                json.member("from", payment.from)
                json.member("to", payment.to)
                amount("amount", payment.amount, &json)
            }
        }
        let later = trip.costsSharedByLaterPeople
        if later.isEmpty { return }
        json.objects("sharedByLaterPeople", later) { shared, json in
            json.member("item", shared.item.id)
            json.array("people", shared.people) { name, json in json.value(name) }
        }
    }
}
