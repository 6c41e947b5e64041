import Dispatch
import LocalSystem
import SimulatedSystem
import TripModel

@testable import TripJournal

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A daemon's life on one disk: creates, edits, a full disk, compacts, closes and restarts, deletes. Records
/// the changes that were reported durable.
final class CrashWorkload {
    private struct Interrupted: Error {}

    /// One trip, as its owner knows it.
    struct Subject {
        var sample: JournalSample
        /// The highest version that was reported durable.
        var acknowledged = 0
        var isDeletionAsked = false
        var isDeletionTold = false
    }

    private let disk: SimulatedDisk
    private(set) var first = Subject(sample: JournalSample(payloads: [#"{"trip":"first"}"#]))
    private(set) var second = Subject(
        sample: JournalSample(trip: JournalSample.otherTripID, payloads: [#"{"trip":"second"}"#]))
    private(set) var isFinished = false
    private(set) var compactions = 0
    private let reports = CompactionLog()
    private var store: JournalStore { JournalStore(fileSystem: disk, directory: "/data") }

    init(on disk: SimulatedDisk) { self.disk = disk }

    /// Runs until the end or the first failure, as a process that is killed then. Deterministic, because each
    /// step waits.
    func run() throws {
        do {
            try store.prepare()
            do {
                let writer = try makeWriter()
                defer { writer.close() }
                let events = EventLog()
                try create(&first, writer, events)
                for number in 0..<9 { try append(&first, number, writer, events) }
                try failForRoom(&first, writer, events)
                let others = EventLog()
                try create(&second, writer, others)
                for number in 0..<3 { try append(&second, number, writer, others) }
                for number in 0..<8 { try append(&first, number, writer, events) }
                let isDetached = DispatchSemaphore(value: 0)
                writer.detach(first.sample.header.tripID) { _ in isDetached.signal() }
                try isDetached.waitOrFail()
            }
            try store.prepare()
            let writer = try makeWriter()
            defer { writer.close() }
            let events = EventLog()
            try attach(&first, writer, events)
            let others = EventLog()
            try attach(&second, writer, others)
            for number in 0..<12 { try append(&first, number, writer, events) }
            second.isDeletionAsked = true
            let reported = Guarded(false)
            let isOver = DispatchSemaphore(value: 0)
            writer.delete(
                second.sample.header.tripID, at: second.sample.encoder.checkpoint,
                now: Timestamp(milliseconds: 0)
            ) { result in
                if case .success = result { reported.withLock { $0 = true } }
                isOver.signal()
            }
            try isOver.waitOrFail()
            second.isDeletionTold = reported.withLock { $0 }
            if !second.isDeletionTold { throw Interrupted() }
            try append(&first, 99, writer, events)
            isFinished = true
        } catch is Interrupted {
        } catch is SystemError {}
        compactions = reports.all.count { if case .compacted = $0 { true } else { false } }
    }

    private func makeWriter() throws -> JournalWriter {
        try JournalWriter(
            store: store, durability: .sync, compaction: Ledger.plan(floor: 1500, reports),
            usesOneThread: true)
    }

    private func create(_ subject: inout Subject, _ writer: JournalWriter, _ events: EventLog) throws {
        let reported = Guarded(false)
        let isOver = DispatchSemaphore(value: 0)
        writer.create(subject.sample.header, first: subject.sample.encoded[0], sink: events.note) { result in
            if case .success = result { reported.withLock { $0 = true } }
            isOver.signal()
        }
        try isOver.waitOrFail()
        guard reported.withLock({ $0 }) else { throw Interrupted() }
        subject.acknowledged = 1
    }

    private func append(
        _ subject: inout Subject, _ number: Int, _ writer: JournalWriter, _ events: EventLog
    ) throws {
        let payload = "[" + String(repeating: "\(number)", count: 40 + 60 * (number % 4)) + "]"
        let record = subject.sample.add(payload)
        writer.append(record, to: subject.sample.header.tripID)
        guard try events.next() == .durable(upTo: record.end.version) else { throw Interrupted() }
        subject.acknowledged = record.end.version
        try waitUntilIdle(writer)
        guard try events.take(.grown) else { return }
        let (records, place) = (subject.sample.records, subject.sample.encoder.checkpoint)
        writer.compact(subject.sample.header.tripID, at: place) { Ledger.snapshot(of: records) }
        try waitUntilIdle(writer)
    }

    /// Waits until the writer is idle. A request for the state follows the commit that made the journal grow,
    /// and the end of a compaction follows its start.
    private func waitUntilIdle(_ writer: JournalWriter) throws {
        for _ in 0..<2 {
            let isOver = DispatchSemaphore(value: 0)
            writer.detach(TripID(high: 1, low: 1)) { _ in isOver.signal() }
            try isOver.waitOrFail()
        }
    }

    /// A write that finds a full disk after a few bytes, and another in its place.
    private func failForRoom(_ subject: inout Subject, _ writer: JournalWriter, _ events: EventLog) throws {
        let good = subject.sample
        disk.fail("write", .short(7))
        disk.fail("write", .error(ENOSPC))
        writer.append(subject.sample.add("\"rolled back\""), to: good.header.tripID)
        guard case .failed(.full) = try events.next() else { throw Interrupted() }
        subject.sample = good
        try append(&subject, 5, writer, events)
    }

    private func attach(_ subject: inout Subject, _ writer: JournalWriter, _ events: EventLog) throws {
        guard
            case .opened(let journal) = try store.open(
                subject.sample.header.tripID, freshEpoch: { "epoch-2" })
        else { throw Interrupted() }
        writer.attach(journal, sink: events.note)
    }

    // MARK: Checking

    /// The defects of a state after a crash; empty if there are none.
    func violations(after crash: SimulatedDisk.Crash) throws -> [String] {
        let disk = disk.afterCrash(crash)
        let store = JournalStore(fileSystem: disk, directory: "/data")
        try store.prepare()
        let listed = try store.listTrips()
        return try [first, second].flatMap { subject -> [String] in
            let trip = subject.sample.header.tripID
            guard listed.contains(trip) else {
                return subject.acknowledged == 0 || subject.isDeletionAsked ? [] : ["\(trip) is gone"]
            }
            if subject.isDeletionTold { return ["\(trip) is back"] }
            guard case .opened(let journal) = try store.open(trip, freshEpoch: { "epoch-3" }) else {
                return ["\(trip) cannot be opened"]
            }
            var found: [String] = []
            let records = Ledger.records(of: journal)
            if records.count < subject.acknowledged {
                found.append("\(trip) has \(records.count) of \(subject.acknowledged) acknowledged records")
            }
            if records != Array(subject.sample.records.prefix(records.count)) {
                found.append("\(trip) has other records than were made")
            }
            if (journal.repair == nil) != (journal.header.epoch != "epoch-3") {
                found.append("\(trip) was cut in its old epoch")
            }
            return found + (try cannotGoOn(journal, store, disk))
        }
    }

    /// Whether the trip accepts another change and keeps it.
    private func cannotGoOn(
        _ journal: OpenedJournal, _ store: JournalStore, _ disk: SimulatedDisk
    ) throws -> [String] {
        let writer = try JournalWriter(store: store, durability: .sync)
        let events = EventLog()
        writer.attach(journal, sink: events.note)
        var encoder = JournalEncoder(resuming: journal.checkpoint)
        let version = journal.checkpoint.version + 1
        writer.append(
            try encoder.encode(version: version, payload: Array("\"more\"".utf8)), to: journal.header.tripID)
        guard try events.next() == .durable(upTo: version) else { return ["it takes no change"] }
        writer.close()
        let later = JournalStore(fileSystem: disk.afterCrash(.losesUnsynced), directory: "/data")
        guard case .opened(let again) = try later.open(journal.header.tripID, freshEpoch: { "epoch-4" }),
            Ledger.records(of: again).count == Ledger.records(of: journal).count + 1, again.repair == nil
        else { return ["a change after the crash is lost"] }
        return []
    }
}
