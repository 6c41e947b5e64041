import LocalSystem
import TripClient
import TripModel
import TripProtocol

/// One connection of the editor to its trip.
struct EditorLink: Sendable {
    let client: TripClient
    let welcome: Welcome
    /// The trip by its id: its slug may change.
    let reference: TripReference
    var mirror: TripMirror
    /// Who was there when it was opened.
    let users: [PresentUser]
    /// The drag that is held.
    var drag: DragID?
    /// Where it was last told to be.
    var hovered: Placement?

    /// Connects and subscribes. Newer states come during a drag too: the mirror holds them back and counts them.
    static func open(
        _ trip: TripReference, _ caller: Caller, clientID: ClientID?, on loop: EventLoop
    ) async throws(ClientError) -> EditorLink {
        let (client, welcome) = try await caller.connect(clientID: clientID, on: loop)
        do throws(ClientError) {
            let (snapshot, users) = try await client.subscribe(
                Subscribe(trip: trip, defersWhileDragging: false))
            return EditorLink(
                client: client, welcome: welcome, reference: .id(snapshot.trip.header.id),
                mirror: TripMirror(snapshot), users: users)
        } catch {
            await client.close()
            throw error
        }
    }
}
