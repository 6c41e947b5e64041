import TripProtocol

/// Names one connection for as long as the daemon runs; never used twice.
package typealias ConnectionID = Int

/// Who speaks on a connection, after its hello.
///
/// All but its access stands behind one reference: every request brings it along.
package struct Principal: Equatable, Sendable {
    private let speaker: Speaker
    /// What it may do where its request is about; before a request, in general.
    package var access: Access

    /// What a hello says for as long as the connection lasts.
    private final class Speaker: Sendable {
        let connection: ConnectionID
        let user: String
        let client: ClientID
        let repeater: ClientID
        let rights: Rights
        let isVerified: Bool
        let person: PersonID?

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
        }
    }

    /// Makes a principal; left out, it may do the same in every trip, and its repeats are known by the client's id alone.
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
    /// The user's name, as others see it.
    package var user: String { speaker.user }
    /// The client, as everybody is told.
    package var client: ClientID { speaker.client }
    /// The id under which the client's answers are kept for retries, see `Opener.own`. Ids are public: with the id of a
    /// client of another account or user, a connection gets another one here.
    package var repeater: ClientID { speaker.repeater }
    /// What it may do in which trip.
    package var rights: Rights { speaker.rights }
    /// Whether the name came from the system or from a restriction, not from the client itself.
    package var isVerified: Bool { speaker.isVerified }
    /// The person, whose clients share what can be undone, known as the repeater is; nil where each has its own.
    package var person: PersonID? { speaker.person }

    /// Whose changes an undo takes back: the person's, or the client's where it names none.
    package var editor: ClientID { person ?? repeater }

    /// What it may do, as a role of hello.
    package var role: Hello.Role { access.role }

    /// Whether it is the same connection, with the same access: all else is settled with the hello.
    package static func == (left: Self, right: Self) -> Bool {
        left.speaker === right.speaker && left.access == right.access
    }

    /// Whether its access allows a method, as the table of methods says.
    package func may(_ method: Method) -> Bool { access >= method.traits.needs }
}

/// The place of one answer in the order of a connection's requests.
package struct Ticket: Hashable, Sendable {
    /// The connection that asked.
    package let connection: ConnectionID
    /// Counts the entries of the connection's outbox.
    let number: Int
    /// The request's id; nil for one that is not to be answered.
    package let request: RequestID?
}
