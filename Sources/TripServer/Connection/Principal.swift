import TripProtocol

/// Identifies a connection during the daemon's lifetime; never reused.
package typealias ConnectionID = Int

/// The identity and access of a connection after its `hello`.
///
/// All fields but the access are stored behind one reference, because every request carries a copy.
package struct Principal: Equatable, Sendable {
    private let speaker: Speaker
    /// The access to the trip of the current request; before routing, the access in general.
    package var access: Access

    /// The fields that do not change while the connection lasts.
    private final class Speaker: Sendable {
        let connection: ConnectionID
        let user: String
        let client: ClientID
        let repeater: ClientID
        let rights: Rights
        let isVerified: Bool
        let person: PersonID?
        let encodedAuthor: [UInt8]

        init(
            connection: ConnectionID, user: String, client: ClientID, repeater: ClientID, rights: Rights,
            isVerified: Bool, person: PersonID?
        ) {
            self.connection = connection
            self.user = user
            self.client = client
            self.repeater = repeater
            self.rights = rights
            self.isVerified = isVerified
            self.person = person
            encodedAuthor = CommitRecord.encodedAuthor(user, repeater, person)
        }
    }

    /// The defaults are: the same access in every trip, and retries identified by the client's id alone.
    package init(
        connection: ConnectionID, user: String, client: ClientID, repeater: ClientID? = nil, access: Access,
        rights: Rights? = nil, isVerified: Bool = false, person: PersonID? = nil
    ) {
        speaker = Speaker(
            connection: connection, user: user, client: client, repeater: repeater ?? client,
            rights: rights ?? Rights(everywhere: access), isVerified: isVerified, person: person)
        self.access = access
    }

    /// The connection.
    package var connection: ConnectionID { speaker.connection }
    /// The user's name as shown to others.
    package var user: String { speaker.user }
    /// The client's public id.
    package var client: ClientID { speaker.client }
    /// The id under which answers are cached for retries, see `Opener.own`. Public ids are not secret: a
    /// connection that claims the id of another account's or user's client gets a different id here.
    package var repeater: ClientID { speaker.repeater }
    /// The access in each trip.
    package var rights: Rights { speaker.rights }
    /// True if the name comes from the system or from a restriction, not from the client.
    package var isVerified: Bool { speaker.isVerified }
    /// The person whose clients share their undo history, with a derived id like `repeater`; nil if the
    /// client has its own history.
    package var person: PersonID? { speaker.person }

    /// The author of its changes, as their records contain it.
    var encodedAuthor: [UInt8] { speaker.encodedAuthor }

    /// The owner of the undo history: the person, or the client if it names none.
    package var editor: ClientID { person.map { ClientID($0) } ?? repeater }

    /// The access as a role of `hello`.
    package var role: Hello.Role { access.role }

    /// True for the same connection with the same access: all other fields are fixed by `hello`.
    package static func == (left: Self, right: Self) -> Bool {
        left.speaker === right.speaker && left.access == right.access
    }

    /// True if its access allows a method.
    package func may(_ method: Method) -> Bool { access >= method.traits.needs }
}

/// The position of an answer in the order of a connection's requests.
package struct Ticket: Hashable, Sendable {
    /// The connection that sent the request.
    package let connection: ConnectionID
    /// The number of its outbox entry.
    var number: Int
    /// The request's id; nil if it expects no answer.
    package let request: RequestID?
}
