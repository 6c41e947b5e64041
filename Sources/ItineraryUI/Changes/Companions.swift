import TripModel

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
