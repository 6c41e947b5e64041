import TerminalCore
import TripModel

/// Where the others are.
extension EditorState {
    /// Tells the others which item the cursor is on, where somebody else is there to be told.
    mutating func tellFocus() {
        guard let board, !people.isEmpty, companions.tell(board.item?.id) else { return }
        emit(.focus(board.item?.id))
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
        let next = companions.index(in: people).map { $0 + 1 } ?? 0
        guard next < people.count else {
            companions.followNobody()
            return say("Following nobody.")
        }
        let person = people[next]
        companions.follow(person)
        let ofTheName = people.indices.filter { people[$0].name == person.name }
        let which =
            ofTheName.count == 1
            ? "" : " (\((ofTheName.firstIndex(of: next) ?? 0) + 1) of \(ofTheName.count))"
        say("Following \(person.name)\(which); a key that moves the cursor or changes something ends it.")
        focusOnFollowed()
    }

    /// Puts the focus where the followed person's is.
    private mutating func focusOnFollowed() {
        guard let followed = companions.followed, mode.isBrowsing else { return }
        guard let index = companions.index(in: people) else {
            companions.followNobody()
            return mention("\(followed.name) has left.")
        }
        let person = people[index]
        companions.follow(person)
        guard let id = person.dragging ?? person.focus, let row = board?.outline.row(of: id) else { return }
        focus(row: row)
    }

    /// Follows where the followed person went on to. A key that was pressed for the item before is not for this one.
    mutating func goOnFollowing() {
        let before = board?.item?.id
        focusOnFollowed()
        guard let followed = companions.followed, let item = board?.item, item.id != before, before != nil
        else { return }
        surprises.displace(
            "\(followed.name) went on to \(item.content.title), and your cursor with it.", at: now)
    }

    /// The style of a person: the same as long as they are called so.
    func style(ofPerson name: String) -> Style {
        var hash: UInt32 = 2_166_136_261
        for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return theme.persons[Int(hash % UInt32(theme.persons.count))]
    }
}
