import JSONLine
import TripProtocol

/// Long lines are parsed on a worker, where large trips are built, too. Only a few run at a time; the others
/// wait unparsed.
extension Server {
    /// True if the workers accept one more job.
    private var hasFreeWorkerSlot: Bool { parsedCount + draftsOnWorkers < Self.readAhead }

    /// True if a worker will finish a job.
    private var hasWorkerJobs: Bool { linesOnWorkers + draftsOnWorkers > 0 }

    /// Parses a long line on a worker, now or when one is free, so that it does not block the loop.
    ///
    /// - Returns: false if the line is short, or if the read-ahead window is full and no worker will free a
    ///   slot of it, for example because slow readers occupy all slots.
    func parsesOnWorker(_ frame: LineFrame, of connection: Connection) -> Bool {
        guard case .line(let bytes) = frame, bytes.count >= configuration.longLine,
            hasFreeWorkerSlot || hasWorkerJobs, configuration.runOnWorker != nil
        else { return false }
        connection.first = .unread(frame)
        unparsedLines.append(connection.id)
        parseLongLines()
        return true
    }

    /// Starts to parse the lines that have waited longest, as many as the window allows.
    func parseLongLines() {
        while !unparsedLines.isEmpty,
            waitingForMemory.isEmpty || largeWaitingCount + parsedCount < Self.readAhead
        {
            guard hasFreeWorkerSlot || !hasWorkerJobs else { return }
            let id = unparsedLines.removeFirst()
            guard let connection = connections[id], case .unread(let frame) = connection.first
            else { continue }
            guard hasFreeWorkerSlot, let runOnWorker = configuration.runOnWorker else {
                // No completion would free a slot, so the line is parsed on the loop in its next quantum.
                connection.first = .toBeParsed(frame)
                runQueue.wait(id, after: connection.usage)
                scheduleRunQueue()
                continue
            }
            connection.first = .isBeingParsed
            linesOnWorkers += 1
            runOnWorker(.one) { [self] in
                let reading = DecodedLine(frame)
                loop.execute { self.enter { $0.didParse(reading, of: id) } }
            }
        }
    }

    /// A worker has parsed a long line. On the loop.
    private func didParse(_ reading: DecodedLine, of id: ConnectionID) {
        linesOnWorkers -= 1
        // A line of a closed connection is dropped.
        if let connection = connections[id] {
            connection.first = .read(reading)
            giveQuantum(to: connection)
        }
        parseLongLines()
    }
}
