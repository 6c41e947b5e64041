import TerminalCore
import TestSupport
import Testing
import TripModel

@testable import ItineraryUI

/// The editor's state machines, each by itself: properties that the screen does not show.
struct MachineTests {
    // MARK: The status line

    @Test func `a refusal stays until the next refusal or action, whatever else is reported`() {
        var line = StatusLine()
        line.mention("Ben added Tea.")
        #expect(line.message?.text == "Ben added Tea.")
        line.refuse("A day cannot be moved.")
        line.mention("Ben added Milk.")
        #expect(line.message?.text == "A day cannot be moved.")
        line.say("Nothing is marked.")
        #expect(line.message == StatusLine.Message(text: "Nothing is marked.", tone: .plain))
    }

    @Test func `a refusal because of another user's drag disappears with the drag, and may be replaced`() {
        var generator = SplitMix64(seed: 7)
        let item = ItemID.random(using: &generator)
        var line = StatusLine()
        line.refuse("Ben is moving Tea.", heldItem: item)
        line.clear { $0 == item }
        #expect(line.isRefusal)
        line.clear { _ in false }
        #expect(line.message == nil)
        line.refuse("Ben is moving Tea.", heldItem: item)
        line.mention("Ben moved Tea.")
        #expect(!line.isRefusal)
    }

    // MARK: Remote changes at the cursor

    @Test func `an unexpected focus counts for one second, from when the list is visible`() {
        var unexpectedChanges = UnexpectedChanges()
        #expect(unexpectedChanges.displacedSentence(at: .zero) == nil)
        unexpectedChanges.displace("Ben removed Tea.", at: .zero, isCovered: true)
        let said = [unexpectedChanges.uncover(at: .seconds(9)), unexpectedChanges.uncover(at: .seconds(9))]
        #expect(said == ["Ben removed Tea.", nil], "it is said once")
        #expect(unexpectedChanges.displacedSentence(at: .milliseconds(9_999)) != nil)
        #expect(unexpectedChanges.displacedSentence(at: .seconds(10)) == nil)
        unexpectedChanges.displace("Ben removed Milk.", at: .seconds(11))
        unexpectedChanges.endDisplacement()
        #expect(unexpectedChanges.displacedSentence(at: .seconds(11)) == nil)
    }

    @Test func `a removal counts as the user's own until a view shows it or it fails`() throws {
        let sample = try SampleTrip()
        var trip = sample.trip
        var unexpectedChanges = UnexpectedChanges()
        unexpectedChanges.noteOwnRemoval(of: sample.beach)
        unexpectedChanges.forgetRemovals(shownBy: trip)
        #expect(unexpectedChanges.isOwnRemoval(of: sample.beach), "no view has shown it yet")
        unexpectedChanges.forgetRemovals(notMadeIn: trip)
        #expect(!unexpectedChanges.isOwnRemoval(of: sample.beach), "others may yet remove it")
        unexpectedChanges.noteOwnRemoval(of: sample.beach)
        _ = try trip.apply([.remove(sample.beach)], by: Author(name: "Ann", at: Timestamp(milliseconds: 0)))
        unexpectedChanges.forgetRemovals(shownBy: trip)
        #expect(!unexpectedChanges.isOwnRemoval(of: sample.beach))
    }

    // MARK: Modifiers of the next key

    @Test func `a count does not begin with 0, is used once, and is at most 99,999`() {
        var count = KeyCount()
        let taken = "0x10".unicodeScalars.map { count.append($0) }
        #expect(taken == [false, false, true, true])
        let used = [count.use(), count.use()]
        #expect(used == [10, nil])
        for _ in 0..<30 { _ = count.append("9") }
        let most = count.use()
        #expect(most == 99_999)
    }

    @Test func `a remote change of the selection is reported once, and a new start makes ranges valid again`()
    {
        var generator = SplitMix64(seed: 7)
        let items = (0..<3).map { _ in ItemID.random(using: &generator) }
        var marks = Marks()
        marks.toggle(items[0])
        marks.noteLostRange("Ben moved it.")
        let lost = marks.takeLostRange()
        #expect(lost == "Ben moved it.")
        #expect(marks.rangeStart == nil)
        marks.toggle(items[1])
        marks.noteLostRange("Ben moved it.")
        marks.toggle(items[2])
        let lostAgain = marks.takeLostRange()
        #expect(lostAgain == nil)
        #expect(marks.rangeStart == items[2])
        marks.forget([items[0]])
        marks.noteLoss("Ben removed it.")
        let losses = [marks.takeLoss(), marks.takeLoss()]
        #expect(losses == ["Ben removed it.", nil])
        #expect(marks.items == Set(items[1...]))
    }

    // MARK: The board

    @Test func `the focus is always on a row, and moves to the nearest remaining item`() throws {
        let sample = try SampleTrip()
        var board = Board(sample.view)
        board.focus(row: -5)
        #expect(board.cursor == 0)
        board.focus(row: .max)
        #expect(board.cursor == board.outline.rows.count - 1)
        var trip = sample.trip
        while let id = trip.shownIDs.first(where: { trip[$0] != nil }) {
            let row = try #require(board.outline.row(of: id))
            board.focus(row: row)
            _ = try trip.apply([.remove(id)], by: Author(name: "Ben", at: Timestamp(milliseconds: 0)))
            board.show(TripView(trip: trip, problems: trip.problems))
            #expect(board.outline.rows.indices.contains(board.cursor))
            #expect(board.item == nil || board.item?.id == trip.shownIDs.first)
        }
    }

    @Test func `empty days are unfolded during a drag, and folded again afterwards`() throws {
        var trip = try SampleTrip().trip
        let author = Author(name: "Ben", at: Timestamp(milliseconds: 0))
        _ = try trip.apply(trip.shownIDs.map { .remove($0) }, by: author)
        var board = Board(TripView(trip: trip, problems: []))
        let open = board.outline.rows.count
        board.toggleFolding()
        #expect(board.outline.rows.count == 1)
        board.unfold()
        #expect(board.outline.rows.count == open)
        _ = try trip.apply([.trip(TripChange(dayCount: open + 1))], by: author)
        board.show(TripView(trip: trip, problems: []))
        #expect(board.outline.rows.count == open + 1, "the item is still lifted")
        board.foldAgain()
        #expect(board.outline.rows.count == 1)
    }

    // MARK: Requested changes

    @Test func `changes have ascending numbers, and others' changes are reported with the newest drop`() {
        var asked = AskedChanges()
        let hasDrop = asked.leaveToDrop("Ben added Tea.")
        #expect(!hasDrop)
        let first = asked.add(AskedChange(.undo, input: 0, at: .zero, edits: [], written: []))
        asked.word(first, (done: "Undone.", name: "undo"))
        asked.word(first, (done: "Anything.", name: "anything"))
        #expect(asked[first]?.words?.done == "Undone.", "as the first view had it")
        let removed = [asked.remove(first) != nil, asked.remove(first) != nil]
        #expect(removed == [true, false], "an outcome comes once")
        let next = asked.add(AskedChange(.redo, input: 0, at: .zero, edits: [], written: []))
        #expect(next > first)
        #expect(asked.hasUnworded)
        #expect(!asked.hasDrop)
    }
}
