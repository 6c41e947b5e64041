import ItineraryUI
import Testing
import TripModel

/// A remote change never changes the meaning of a typed line, and the user of the plain editor learns the
/// outcome of each change.
@Suite struct PlainSafeHandsTests {
    @Test(arguments: ["remove", "lift", "copy", "edit"])
    func `a command that names an item applies only to it, whatever is selected`(verb: String) throws {
        var session = try PlainSession()
        try session.run("> go Beach\n> mark\n> \(verb) Coffee")
        #expect(session.transcript.contains("Nothing is marked any more."), "\(session.transcript)")
        #expect(session.transcript.last?.contains("Coffee") == true, "\(session.transcript)")
        #expect(session.transcript.last?.contains("Beach") == false, "\(session.transcript)")
    }

    @Test func `a number of the list of things to do means the printed entry, whatever was removed since`()
        throws
    {
        var session = try PlainSession()
        try session.run("> todo\n> add Visa\n> todo\n> add Socks\n> todo\n< Ben drops Visa\n> remove 1")
        #expect(session.sample.trip.header.todo.map(\.text) == ["Socks"], "\(session.transcript)")
        #expect(session.transcript.last == "That is no longer in the list.")
        session.type("remove 2")
        #expect(session.sample.trip.header.todo.isEmpty, "\(session.transcript)")
    }

    @Test func `in the plain editor a form for a removed item goes on, and no answer is a command`() throws {
        var session = try PlainSession()
        try session.run(
            "> edit Coffee\n> Tea\n< Ben removes Coffee\n> quit\n> remove Beach\n> list\n> quit\n> d\n> d\n> done"
        )
        #expect(!session.hasQuit)
        #expect(session.sample.trip[session.sample.beach]?.content.title == "Beach")
        #expect(
            session.transcript.contains(
                "Ben removed Coffee. Done adds it again, cancel leaves."))
        let tea = session.sample.trip.items.filter { $0.content.title == "Tea" }
        #expect(tea.map(\.position.day) == [4])

        session = try PlainSession()
        try session.run("> edit Coffee\n> done\n> edit Coffee\n< Ben removes Coffee\n> cancel\n> quit")
        #expect(session.transcript.contains("Coffee has been removed."))
        #expect(session.hasQuit)
    }

    @Test func `in the plain editor overwriting another user's new value asks once`() throws {
        var session = try PlainSession()
        try session.run("> edit Coffee\n> Tea\n< Ben renames Coffee\n> done\n> quit")
        #expect(
            session.transcript.contains(
                "Title is now Renamed (Ben). Done again saves Tea."))
        #expect(!session.hasQuit, "only done and cancel answer that")
        session.type("done")
        #expect(session.sample.trip[session.sample.coffee]?.content.title == "Tea")
    }

    @Test func `the plain editor lists failed changes, which then count as read`() throws {
        var session = try PlainSession()
        try session.run("< refusal Ben is moving it\n> remove Coffee\n> E\n> E\n> quit")
        #expect(
            session.transcript.suffix(7) == [
                "Not done: removing Coffee: Ben is moving it", "> E",
                "Not done: removing Coffee: Ben is moving it", "> E",
                "All your changes are saved, or on their way.", "> quit", "Leaving.",
            ])
        #expect(session.editor.notDoneSentences.isEmpty)
    }

    @Test func `an invalid line for a form field is refused at once, and the field is asked for again`()
        throws
    {
        var session = try PlainSession()
        try session.run(
            """
            > day 3
            > add kind
            > 2
            > 
            > Supper
            > day 4
            > 19:30
            > done
            """)
        #expect(session.transcript.contains("Title must not be empty."))
        #expect(session.transcript.contains("A time is like 19:30, 1930 or 7pm."))
        let asked = session.transcript.filter { $0.hasPrefix("2 of 16, time, now none:") }
        #expect(asked.count == 2, "\(session.transcript)")
        let supper = session.sample.trip.items.first { $0.content.title == "Supper" }
        #expect(supper?.position.day == 3)
        #expect(supper?.content[.time] == ClockTime("19:30").map(FieldValue.time))
    }

    @Test func `an invalid line in a trip's form is refused at once, and the field is asked for again`()
        throws
    {
        var session = try PlainSession()
        try session.run("> edit trip\n> -\n> Cup\n> tomorrow-ish\n> \n> 400000\n> 6\n> done")
        #expect(session.transcript.contains("A trip needs a name."), "\(session.transcript)")
        #expect(session.transcript.contains("A day is like 2027-04-01, 1 Apr 2027 or today."))
        #expect(session.transcript.filter { $0.hasPrefix("3 of 5, days, now 5:") }.count == 2)
        #expect(session.sample.trip.header.name == "Cup")
        #expect(session.sample.trip.header.dayCount == 6)
    }
}
