import JSONLine
import TripProtocol

/// Long lines are read on another thread, and large trips made there, a few at a time; the others wait as the bytes that
/// they are.
extension Server {
    /// Whether another thread may be given one more.
    private var hasRoomElsewhere: Bool { askedCount + makingElsewhere < Self.readAhead }

    /// Whether another thread has something to do of which it will bring word.
    private var isBusyElsewhere: Bool { readingElsewhere + makingElsewhere > 0 }

    /// Has another thread read a long line, now or when it has time, so that nobody else waits for that.
    ///
    /// - Returns: false where the line is short, or where as many as may be are read already and wait for what other
    ///   threads do not bring: for readers who do not take their answers, perhaps.
    func readsElsewhere(_ frame: LineFrame, of connection: Connection) -> Bool {
        guard case .line(let bytes) = frame, bytes.count >= configuration.longLine,
            hasRoomElsewhere || isBusyElsewhere, configuration.elsewhere != nil
        else { return false }
        connection.first = .unread(frame)
        unreadLines.append(connection.id)
        readLongLines()
        return true
    }

    /// Has the lines read that have waited longest, as many as there is room for.
    func readLongLines() {
        while !unreadLines.isEmpty, crowded.isEmpty || largeCrowdedCount + askedCount < Self.readAhead {
            guard hasRoomElsewhere || !isBusyElsewhere else { return }
            let id = unreadLines.removeFirst()
            guard let connection = connections[id], case .unread(let frame) = connection.first
            else { continue }
            guard hasRoomElsewhere, let elsewhere = configuration.elsewhere else {
                // Nothing would tell when there is room: it is read at its turn, and carried out then.
                connection.first = .toBeRead(frame)
                turns.wait(id, after: connection.takenTime)
                scheduleTurns()
                continue
            }
            connection.first = .isBeingRead
            readingElsewhere += 1
            elsewhere(.one) { [self] in
                let reading = LineReading(frame)
                loop.execute { self.enter { $0.wasRead(reading, of: id) } }
            }
        }
    }

    /// A long line has been read. On the loop.
    private func wasRead(_ reading: LineReading, of id: ConnectionID) {
        readingElsewhere -= 1
        // A line of a connection that has ended is dropped, as those are that were not read yet.
        if let connection = connections[id] {
            connection.first = .read(reading)
            giveTurn(to: connection)
        }
        readLongLines()
    }
}
