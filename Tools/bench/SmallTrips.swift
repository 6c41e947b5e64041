/// Trips of a week and twelve items, `trip-0` and so on, of which a daemon may have thousands.
enum SmallTrips {
    /// The number of requests in flight while changes are sent.
    private static let inFlight = 128

    /// Creates the trips and changes each of them.
    static func make(_ count: Int, changes: Int, at socket: String) throws(BenchFailure) {
        let client = try WireClient(path: socket, user: "maker")
        for trip in 0..<count {
            _ = try client.call(
                """
                "method":"trip.create","params":{"name":"Trip \(trip)","slug":"trip-\(trip)",\
                "startDate":"2026-06-11","timeZone":"UTC","dayCount":7,"items":[\(items)]}}
                """
            ) { _ in }
            for number in 0..<changes {
                if client.outstanding == inFlight { try client.receive { _ in } }
                try client.send(WireClient.line(id: client.nextID(), change(of: trip, to: "\(number)")))
            }
            while client.outstanding > 0 { try client.receive { _ in } }
        }
    }

    private static let items = (0..<12).map { number in
        """
        {"item":{"kind":"custom","title":"Stop number \(number) of the tour","city":"Kansas City"},\
        "to":{"day":\(1 + number % 7),"at":"end"}}
        """
    }.joined(separator: ",")

    /// The request that renames one of them, without its id.
    static func change(of trip: Int, to name: String) -> String {
        """
        "method":"trip.update","params":{"trip":"trip-\(trip)","name":"Called \(name)"}}
        """
    }
}
