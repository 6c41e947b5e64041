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
        guard !people.isEmpty else { return refuse("Nobody else is here.") }
        let next = following.flatMap(index(of:)).map { $0 + 1 } ?? 0
        guard next < people.count else {
            following = nil
            return say("Following nobody.")
        }
        let person = people[next]
        following = person
        let ofTheName = people.indices.filter { people[$0].name == person.name }
        let which =
            ofTheName.count == 1
            ? "" : " (\((ofTheName.firstIndex(of: next) ?? 0) + 1) of \(ofTheName.count))"
        say("Following \(person.name)\(which); a key that moves the cursor or changes something ends it.")
        focusOnFollowed()
    }

    /// Where a person is in the list of people; who comes back is known by the name.
    private func index(of person: Person) -> Int? {
        people.firstIndex { $0.id == person.id && $0.name == person.name }
            ?? people.firstIndex { $0.name == person.name }
    }

    /// Puts the focus where the followed person's is.
    private mutating func focusOnFollowed() {
        guard let following, case .browsing = mode else { return }
        guard let index = index(of: following) else {
            self.following = nil
            return mention("\(following.name) has left.")
        }
        let person = people[index]
        self.following = person
        guard let id = person.dragging ?? person.focus, let row = board?.outline.row(of: id) else { return }
        focus(row: row)
    }

    /// Follows where the followed person went on to. A key that was pressed for the item before is not for this one.
    mutating func goOnFollowing() {
        let before = board?.item?.id
        focusOnFollowed()
        guard let following, let item = board?.item, item.id != before, before != nil else { return }
        displaced = Displaced(
            sentence: "\(following.name) went on to \(item.content.title), and your cursor with it.",
            until: now + Self.displacedTime, isCovered: false)
    }

    /// The style of a person: the same as long as they are called so.
    func style(ofPerson name: String) -> Style {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return theme.persons[Int(hash % UInt32(theme.persons.count))]
    }
}
