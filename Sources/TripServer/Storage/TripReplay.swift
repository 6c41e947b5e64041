import LocalSystem
import TripJournal
import TripModel
import TripProtocol

/// Restores a trip from its journal.
package struct TripReplay {
    /// The trip at the last version.
    package let trip: Trip
    let retries: RetryTable
    let edits: EditLog
    /// The last version at which the trip's problems may have changed.
    let problemsVersion: Int
    let origin: TripDirectory.Origin?

    /// Replays a journal.
    ///
    /// - Throws: `ReplayFailure` with the version of the invalid record.
    package init(_ journal: OpenedJournal) throws(ReplayFailure) {
        let base = try Self.base(of: journal)
        guard base.trip.header.id == journal.header.tripID else {
            throw ReplayFailure(
                version: base.trip.version, message: "the first record is of trip \(base.trip.header.id)")
        }
        var retries = base.retries
        var edits = base.edits
        var problemsVersion = base.trip.version
        var trip = base.trip
        for record in journal.records where record.version > base.trip.version {
            let commit = try Self.read(record)
            if let header = commit.header, header.id != trip.header.id {
                throw ReplayFailure(version: record.version, message: "the record is of trip \(header.id)")
            }
            let outcome = try Self.adopting(record) { () throws(TripInconsistency) in
                try trip.replay(
                    version: record.version, by: Author(name: commit.user, at: commit.at),
                    edited: commit.upserts, moved: commit.moved, placed: commit.placed,
                    removed: commit.removed,
                    header: commit.header ?? commit.headerValues?.applied(to: trip.header))
            }
            let editor = commit.person.map { ClientID($0) } ?? commit.client
            let provenance = EditLog.Provenance(
                at: commit.at, user: commit.user, editor: editor, kind: EditLog.Kind(method: commit.method),
                cause: Cause(user: commit.user, clientID: commit.client, method: commit.method),
                undoes: commit.undoes)
            let reversed = edits.stacks[editor]?.entry(provenance.kind, reversing: commit.undoes)
            let entry = EditLog.Entry(outcome, reversing: reversed, exactly: commit.isExact, in: edits.state)
            edits.record(EditLog.Line(by: provenance, entry: entry), of: editor)
            if outcome.mayChangeProblems(of: trip) { problemsVersion = record.version }
            if let answer = commit.answer(in: trip) { retries.restore(answer, of: commit.client) }
        }
        guard trip.version <= JournalFormat.maximumVersion / 2 else {
            throw ReplayFailure(version: trip.version, message: "the version is above the maximum")
        }
        self.trip = trip
        self.retries = retries
        self.edits = edits
        self.problemsVersion = problemsVersion
        origin = base.origin
    }

    /// The snapshot at this version.
    package var snapshot: TripSnapshot {
        TripSnapshot(trip: trip, retries: retries, edits: edits, origin: origin)
    }

    /// The start of the journal: its snapshot, or the created trip.
    private static func base(of journal: OpenedJournal) throws(ReplayFailure) -> TripSnapshot {
        if let snapshot = journal.snapshot {
            do throws(RecordFailure) { return try TripSnapshot(snapshot) } catch {
                throw ReplayFailure(version: snapshot.version, message: "the snapshot: \(error.message)")
            }
        }
        guard let first = journal.records.first else { throw ReplayFailure(version: 0, message: "no record") }
        let creation = try read(first)
        guard let header = creation.header else {
            throw ReplayFailure(version: first.version, message: "the first record has no trip")
        }
        let trip = try adopting(first) { () throws(TripInconsistency) in
            try Trip(header: header, version: first.version, items: creation.upserts)
        }
        return TripSnapshot(
            trip: trip, origin: creation.creation.map { .init(client: creation.client, fingerprint: $0) })
    }

    private static func read(_ record: JournalRecord) throws(ReplayFailure) -> CommitRecord {
        if let moves = record.withPayload({ CommitRecord(ofMoves: $0) }) { return moves }
        do throws(RecordFailure) { return try CommitRecord(payload: record.payload) } catch {
            throw ReplayFailure(version: record.version, message: error.message)
        }
    }

    private static func adopting<Value>(
        _ record: JournalRecord, _ body: () throws(TripInconsistency) -> Value
    ) throws(ReplayFailure) -> Value {
        do throws(TripInconsistency) { return try body() } catch {
            throw ReplayFailure(version: record.version, message: "\(error)")
        }
    }
}

/// The reason why a record cannot be applied after the previous ones.
package struct ReplayFailure: Error {
    /// The version of the invalid record.
    package let version: Int
    /// The reason, as a sentence.
    package let message: String
}
