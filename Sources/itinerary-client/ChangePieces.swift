import JSONLine
import TripModel
import TripProtocol

/// Edits that fit into one request of one line.
struct ChangeLine {
    private let trip: TripReference
    private let edits: [Edit]

    /// Nil where they do not.
    init?(_ trip: TripReference, _ edits: [Edit]) {
        guard edits.count <= TripLimits.operations else { return nil }
        self.trip = trip
        self.edits = edits
        guard edits.count == 1 || request(ChangeOptions()).line(id: nil).count < ChangePieces.mostBytes else {
            return nil
        }
    }

    /// The request of the method that is made for it.
    func request(_ options: ChangeOptions) -> Request {
        let method = edits.count == 1 ? edits[0].method : .apply
        return .change(ChangeRequest(method: method, trip: trip, edits: edits, options: options))
    }
}

/// Edits cut into pieces that each fit into a line, for `batch.add`.
struct ChangePieces {
    /// Bytes of a line that operations may take: below what the daemon reads, with room for what stands around them.
    static let mostBytes = WireLimits.lineBytes - 4096

    private let trip: TripReference
    /// Each the JSON text of an array of operations.
    let all: [[UInt8]]

    init(_ trip: TripReference, _ edits: [Edit]) {
        self.trip = trip
        var pieces: [[UInt8]] = []
        var piece: [ArraySlice<UInt8>] = []
        var size = 0
        func close() {
            if !piece.isEmpty { pieces.append(Self.array(of: piece)) }
            (piece, size) = ([], 0)
        }
        for start in stride(from: 0, to: edits.count, by: TripLimits.operations) {
            let some = Array(edits[start..<min(start + TripLimits.operations, edits.count)])
            for operation in Self.operations(some, trip) {
                if size + operation.count > Self.mostBytes { close() }
                piece.append(operation)
                size += operation.count + 1
            }
            close()
        }
        all = pieces
    }

    /// The edits as operations of `trip.apply`, each as JSON text.
    private static func operations(_ edits: [Edit], _ trip: TripReference) -> [ArraySlice<UInt8>] {
        let line = Request.change(ChangeRequest(method: .apply, trip: trip, edits: edits)).line(id: nil)
        guard let root = try? JSONDocument(parsing: line).root, let operations = root["params"]?["ops"] else {
            preconditionFailure("a request of ours is JSON and has its operations")
        }
        return operations.elements.map(\.rawBytes)
    }

    private static func array(of operations: [ArraySlice<UInt8>]) -> [UInt8] {
        var json = JSONWriter(reserving: operations.reduce(2) { $0 + $1.count + 1 })
        json.beginArray()
        for operation in operations { json.raw(operation) }
        json.endArray()
        return json.take()
    }

    /// The params of `batch.open`.
    var opening: [UInt8] { Self.object { $0.member("trip", trip.text) } }

    /// The params of a `batch.add`.
    func params(of piece: [UInt8], in batch: String) -> [UInt8] {
        Self.object { json in
            json.member("batch", batch)
            json.key("ops")
            json.raw(piece)
        }
    }

    /// The params of the `batch.commit`.
    func commit(of batch: String, _ sequence: Int, _ ifVersion: Int?) -> [UInt8] {
        Self.object { json in
            json.member("batch", batch)
            json.member("seq", sequence)
            json.member("ifVersion", ifVersion)
        }
    }

    private static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        return json.take()
    }
}
