import TerminalCore
import TripModel

/// Where the others are.
extension EditorState {
    /// Tells the others which item the cursor is on, where somebody else is there to be told.
    mutating func tellFocus() {
        guard board != nil, !people.isEmpty, board?.item?.id != toldFocus else { return }
        toldFocus = board?.item?.id
        emit(.focus(toldFocus))
    }

    /// The people whose cursor is on an item, in the order in which they are listed.
    func people(at id: ItemID) -> [Person] { people.filter { $0.focus == id } }

    /// The people whose cursor is on an item of a day, in the order in which they are listed.
    func people(onDay day: Int) -> [Person] {
        people.filter { $0.focus.flatMap { board?.outline.trip[$0] }?.position.day == day }
    }

    /// The letter that stands for a person.
    func sign(of person: Person) -> String { String(person.name.prefix(1)) }

    /// Follows the next person, or nobody after the last.
    mutating func followNext() {
        let names = people.map(\.name)
        guard !names.isEmpty else { return refuse("Nobody else is here.") }
        let next = following.flatMap { names.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        guard next < names.count else {
            following = nil
            return say("Following nobody.")
        }
        following = names[next]
        say("Following \(names[next]); a key that moves the cursor or changes something ends it.")
        focusOnFollowed()
    }

    /// Puts the focus where the followed person's is.
    private mutating func focusOnFollowed() {
        guard let following, case .browsing = mode else { return }
        guard let person = people.first(where: { $0.name == following }) else {
            self.following = nil
            return mention("\(following) has left.")
        }
        guard let id = person.dragging ?? person.focus, let row = board?.outline.row(of: id) else { return }
        focus(row: row)
    }

    /// Follows where the followed person went on to. A key that was pressed for the item before is not for this one.
    mutating func goOnFollowing() {
        let before = board?.item?.id
        focusOnFollowed()
        guard let following, let item = board?.item, item.id != before, before != nil else { return }
        displaced = Displaced(
            sentence: "\(following) went on to \(item.content.title), and your cursor with it.",
            until: now + Self.displacedTime, isCovered: false)
    }

    /// The style of a person: the same as long as they are called so.
    func style(ofPerson name: String) -> Style {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return theme.persons[Int(hash % UInt32(theme.persons.count))]
    }
}
