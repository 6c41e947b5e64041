import TripProtocol

/// Names one connection for as long as the daemon runs; never used twice.
package typealias ConnectionID = Int

/// Who speaks on a connection, after its hello.
package struct Principal: Hashable, Sendable {
    package let connection: ConnectionID
    package let user: String
    package let client: ClientID
    /// What it may do.
    package let access: Access
    /// Whether the name came from the system or from a restriction, not from the client itself.
    package var isVerified = false
    /// The person, whose clients share what can be undone; nil where each has its own.
    package var person: PersonID?

    /// Whose changes an undo takes back: the person's, or the client's where it names none.
    package var editor: ClientID { person ?? client }

    package var role: Hello.Role { access.role }

    /// Whether its access allows a method, as the table of methods says.
    package func may(_ method: Method) -> Bool { access >= method.traits.needs }
}

/// The place of one answer in the order of a connection's requests.
package struct Ticket: Hashable, Sendable {
    package let connection: ConnectionID
    /// Counts the entries of the connection's outbox.
    let number: Int
    /// The request's id; nil for one that is not to be answered.
    package let request: RequestID?
}
