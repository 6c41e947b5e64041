import Testing
import TripModel

@testable import ItineraryUI

@Suite struct SeveralDaysTests {
    @Test func `x on a day marks its movable items, and again unmarks them`() throws {
        var editor = try Editor()
        editor.type("1Gx")
        #expect(editor.status == "1 marked.")
        #expect(editor.focusedLine?.contains("Day 2") == true)
        editor.type("2x")
        #expect(editor.status == "3 marked.", "days 2 and 3, of which one is empty")
        editor.type("2Gx")
        #expect(editor.status == "1 marked.")
        editor.press(.escape)
        editor.type("3G")
        #expect(editor.type("x") == [.bell])
        #expect(editor.statusAndBar.hasPrefix("Nothing on this day can be moved."))
    }

    @Test func `m and a digit list the places of a day, where all items of a day go in order`() throws {
        var editor = try Editor()
        editor.type("2Gxm3")
        #expect(editor.panel[1].hasPrefix("▌ Day 3"), "\(editor.panel)")
        let edits = try #require(applied(editor.press(.enter)))
        let sample = editor.sample
        #expect(
            edits == [
                .move(sample.toPhiladelphia, to: .start(day: 3)),
                .move(sample.bell, to: .after(sample.toPhiladelphia, day: 3)),
            ])
    }

    @Test func `s swaps the items of two days as one change, and events stay`() throws {
        var editor = try Editor()
        editor.focus("Beach")
        editor.type("s")
        #expect(editor.status == "Swap day 5 with day:")
        editor.type("1")
        let sample = editor.sample
        let edits = try #require(applied(editor.press(.enter)))
        #expect(
            edits == [
                .move(sample.beach, to: .start(day: 1)), .move(sample.dinner, to: .start(day: 5)),
            ])
        editor.send(.editAccepted(nil))
        #expect(editor.status == "Swapped day 5 and day 1. u undoes it.")
    }

    @Test func `a swap that travel does not allow is refused with its reason, and moves nothing`() throws {
        var editor = try Editor()
        editor.type("4Gs")
        editor.type("2")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.statusAndBar.contains("Philadelphia → Miami: must be"), "\(editor.statusAndBar)")
        editor.type("4Gs")
        editor.type("9")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.statusAndBar.contains("That day is outside the trip"))
        try editor.sample.apply(.trip(TripChange(dayCount: 6)))
        editor.load()
        editor.type("\u{15}5")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.statusAndBar.contains("The days of the trip have changed"))
    }

    @Test func `nothing is swapped while another user moves an item of the days`() throws {
        var editor = try Editor()
        editor.send(.people([Person(name: "Ben", dragging: editor.sample.dinner)]))
        editor.focus("Beach")
        editor.type("s1")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.statusAndBar.hasPrefix("Ben is moving Dinner in Hoboken."))
    }

    @Test func `R repeats an item on the written days, each copy at the place of its time`() throws {
        var editor = try Editor()
        editor.focus("Coffee")
        editor.type("R")
        #expect(editor.status == "Repeat Coffee on days:")
        editor.type("2-4, 5")
        let edits = try #require(applied(editor.press(.enter)))
        let places = edits.map { edit in
            if case .add(_, let content, let place?) = edit, content.title == "Coffee" {
                place.day
            } else {
                0
            }
        }
        #expect(places == [2, 3, 5], "not on its own day")
        editor.send(.editAccepted(nil))
        #expect(editor.status == "Added Coffee on 3 days. u undoes it.")
        editor.type("R4")
        editor.press(.enter)
        #expect(editor.status == "Coffee is on that day already.")
        editor.type("Rfoo")
        #expect(editor.press(.enter) == [.bell])
        #expect(editor.statusAndBar.hasPrefix("foo is not a day."))
    }
}
