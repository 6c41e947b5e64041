import TerminalCore
import TripModel

/// Another user of the trip, with their drag and cursor.
package struct Person: Equatable, Sendable {
    /// Distinguishes several programs of one user.
    package let id: Int
    /// The user's name.
    package let name: String
    /// The item that they drag.
    package let dragging: ItemID?
    /// Its current place.
    package let over: Placement?

    /// The row under their cursor.
    package let focus: ListRow?

    package init(
        name: String, id: Int = 0, dragging: ItemID? = nil, over: Placement? = nil, focus: ListRow? = nil
    ) {
        self.id = id
        self.focus = focus
        self.name = name
        self.dragging = dragging
        self.over = over
    }
}

/// The cursors of the users: whom this user follows, and the cursor position last sent to the others.
struct Companions: Sendable {
    /// The followed user, as last seen.
    private(set) var followed: Person?
    private var sentFocus: ListRow?

    /// Follows a user, or updates the followed one.
    mutating func follow(_ person: Person) { followed = person }

    mutating func followNobody() { followed = nil }

    /// Records the cursor position to be sent; false if it was sent already.
    mutating func send(_ focus: ListRow?) -> Bool {
        defer { sentFocus = focus }
        return focus != sentFocus
    }

    /// The index of the followed user in a list. After a reconnect the user is recognised by name.
    func index(in people: [Person]) -> Int? {
        guard let followed else { return nil }
        return people.firstIndex { $0.id == followed.id && $0.name == followed.name }
            ?? people.firstIndex { $0.name == followed.name }
    }
}

/// The cursors of other users.
extension EditorState {
    /// Sends the row under the cursor to the others, if there are any.
    mutating func sendFocus() {
        guard let board, !people.isEmpty else { return }
        let row = board.outline.rows[board.cursor]
        if companions.send(row) { emit(.focus(row)) }
    }

    /// Follows the next user; after the last, none.
    mutating func followNext() {
        guard !people.isEmpty else { return refuse("Nobody else is here.") }
        let next = companions.index(in: people).map { $0 + 1 } ?? 0
        guard next < people.count else {
            companions.followNobody()
            return say("Following nobody.")
        }
        follow(next)
    }

    mutating func follow(personNamed name: String) {
        if let index = people.firstIndex(where: { $0.name == name }) { follow(index) }
    }

    private mutating func follow(_ next: Int) {
        let person = people[next]
        companions.follow(person)
        let ofTheName = people.indices.filter { people[$0].name == person.name }
        let which =
            ofTheName.count == 1
            ? "" : " (\((ofTheName.firstIndex(of: next) ?? 0) + 1) of \(ofTheName.count))"
        let nowhere = person.dragging == nil && person.focus == nil ? ", whose place is not known yet" : ""
        say(
            "Following \(person.name)\(which)\(nowhere); moving the cursor or changing something ends it."
        )
        focusOnFollowed()
    }

    /// Moves the focus to that of the followed user.
    mutating func focusOnFollowed() {
        guard let followed = companions.followed, mode.isBrowsing else { return }
        guard let index = companions.index(in: people) else {
            companions.followNobody()
            return mention("\(followed.name) has left.")
        }
        let person = people[index]
        companions.follow(person)
        guard let place = person.dragging.map(ListRow.item) ?? person.focus,
            let row = board?.outline.row(of: place)
        else { return }
        focus(row: row)
    }

    /// Follows the followed user's move. Keys pressed for the previous item do not apply to the new one.
    mutating func goOnFollowing() {
        let before = board.map { $0.outline.rows[$0.cursor] }
        focusOnFollowed()
        guard let followed = companions.followed, let board, let before else { return }
        let row = board.outline.rows[board.cursor]
        guard row != before else { return }
        let place =
            switch row {
            case .day(let day): board.outline.dayName(day)
            case .item: board.item?.content.title ?? ""
            }
        unexpectedChanges.displace("\(followed.name) moved to \(place), and your cursor follows.", at: now)
    }
}
