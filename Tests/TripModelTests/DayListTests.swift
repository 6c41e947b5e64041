import Testing
import TripModel

@Suite struct DayListTests {
    @Test(arguments: [
        ("3", [3]), ("2-4, 7", [2, 3, 4, 7]), ("5 2 2", [2, 5]), ("all", Array(1...9)), ("1 apr,2", [1, 2]),
        ("8-99999", [8, 9, 10]), ("", []),
    ])
    func `a list of days has numbers, ranges, dates and all`(text: String, days: [Int]) throws {
        let found = try DayList.days(of: text, in: 1...9) { $0 == "1 apr" ? 1 : Int($0) }
        #expect(found == days)
    }

    @Test(arguments: [("x", "x"), ("3 4-", "4-"), ("4-2", "4-2"), ("2,-", "-")])
    func `a word that is no day is named`(text: String, word: String) {
        let error = #expect(throws: DayList.NoDay.self) {
            try DayList.days(of: text, in: 1...9) { Int($0) }
        }
        #expect(error?.text == word)
    }
}
