import TripModel

/// What this user and the others on the trip know of each other's cursors: whom this one follows, and where the others
/// were told that it is.
struct Companions: Sendable {
    /// The person who is followed, as they were seen last.
    private(set) var followed: Person?
    private var toldFocus: ItemID?

    /// Follows somebody, or sees them again.
    mutating func follow(_ person: Person) { followed = person }

    mutating func followNobody() { followed = nil }

    /// Notes that the others are told where the cursor is; false where they know.
    mutating func tell(_ focus: ItemID?) -> Bool {
        defer { toldFocus = focus }
        return focus != toldFocus
    }

    /// Where the followed person is in a list of people; who comes back is known by the name.
    func index(in people: [Person]) -> Int? {
        guard let followed else { return nil }
        return people.firstIndex { $0.id == followed.id && $0.name == followed.name }
            ?? people.firstIndex { $0.name == followed.name }
    }
}
