import ItineraryUI
import Testing
import TripModel

/// What others do meanwhile never turns a typed line into something that it was not typed for, and whoever edits by lines
/// learns what became of each change.
@Suite struct PlainSafeHandsTests {
    @Test(
        "a command that names an item is for that one, whatever is marked",
        arguments: ["remove", "lift", "copy"])
    func namedAmongMarks(verb: String) throws {
        var session = try PlainSession()
        try session.run("> go Beach\n> mark\n> \(verb) Coffee")
        #expect(session.transcript.contains("Nothing is marked any more."), "\(session.transcript)")
        #expect(session.transcript.last?.contains("Coffee") == true, "\(session.transcript)")
        #expect(session.transcript.last?.contains("Beach") == false, "\(session.transcript)")
    }

    @Test("B2: by lines too, fields whose item goes stay asked for, and no answer is a command")
    func plainForm() throws {
        var session = try PlainSession()
        try session.run(
            "> edit Coffee\n> Tea\n< Ben removes Coffee\n> quit\n> remove Beach\n> list\n> quit\n> d\n> d\n> done"
        )
        #expect(!session.hasQuit)
        #expect(session.sample.trip[session.sample.beach]?.content.title == "Beach")
        #expect(
            session.transcript.contains(
                "Coffee has been removed: done adds it again with what you have written, cancel leaves it."))
        let tea = session.sample.trip.items.filter { $0.content.title == "Tea" }
        #expect(tea.map(\.position.day) == [4])

        session = try PlainSession()
        try session.run("> edit Coffee\n> done\n> edit Coffee\n< Ben removes Coffee\n> cancel\n> quit")
        #expect(session.transcript.contains("Coffee has been removed."))
        #expect(session.hasQuit)
    }

    @Test("M4: by lines too, writing over what somebody has just written asks once")
    func plainConflict() throws {
        var session = try PlainSession()
        try session.run("> edit Coffee\n> Tea\n< Ben renames Coffee\n> done\n> quit")
        #expect(
            session.transcript.contains(
                "title is Renamed now (Ben): done writes yours, cancel leaves it as it is."))
        #expect(!session.hasQuit, "only done and cancel answer that")
        session.type("done")
        #expect(session.sample.trip[session.sample.coffee]?.content.title == "Tea")
    }

    @Test(
        "B1: the plain editor lists what was not done, and that is read; the next line is for something else")
    func plainList() throws {
        var session = try PlainSession()
        try session.run("< refusal Ben is moving it\n> remove Coffee\n> E\n> E\n> quit")
        #expect(
            session.transcript.suffix(7) == [
                "Not done: removing Coffee: Ben is moving it", "> E",
                "Not done: removing Coffee: Ben is moving it", "> E",
                "Everything that you did has been done, or is on its way.", "> quit", "Leaving.",
            ])
        #expect(session.editor.notDoneSentences.isEmpty)
    }

    @Test(
        "a line that a field of a form cannot take is refused at once, and the field asked for again as it was"
    )
    func plainNewItem() throws {
        var session = try PlainSession()
        try session.run(
            """
            > day 3
            > add kind
            > 2
            > 
            > Supper
            > 
            > day 4
            > 19:30
            > done
            """)
        #expect(session.transcript.contains("Title must not be empty."))
        #expect(session.transcript.contains("A time is like 19:30."))
        let asked = session.transcript.filter { $0.hasPrefix("3 of 11, time, now none:") }
        #expect(asked.count == 2, "\(session.transcript)")
        let supper = session.sample.trip.items.first { $0.content.title == "Supper" }
        #expect(supper?.position.day == 3)
        #expect(supper?.content[.time] == ClockTime("19:30").map(FieldValue.time))
    }

    @Test("nor a line that a trip cannot take")
    func plainTrip() throws {
        var session = try PlainSession()
        try session.run("> edit trip\n> -\n> Cup\n> tomorrow-ish\n> \n> 400000\n> 6\n> done")
        #expect(session.transcript.contains("A trip needs a name."), "\(session.transcript)")
        #expect(session.transcript.contains("A day is like 2027-04-01, 1 Apr 2027 or today."))
        #expect(session.transcript.filter { $0.hasPrefix("3 of 4, days, now 5:") }.count == 2)
        #expect(session.sample.trip.header.name == "Cup")
        #expect(session.sample.trip.header.dayCount == 6)
    }
}
