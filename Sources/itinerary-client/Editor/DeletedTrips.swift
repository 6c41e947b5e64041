import LocalSystem
import ScheduleFiles
import TripModel

/// Copies of trips that were deleted in the editor or by a command, kept for a while in the client's state directory: a file each, in
/// our own JSON, which any program can read and `import` takes.
struct DeletedTrips: Sendable {
    /// How many days a copy is kept.
    static let days = 30

    private let directory: String
    private let files = RealFileSystem()
    private let today: CalendarDate

    /// - Parameter today: what the age of a copy is counted from.
    init(_ environment: ProcessEnvironment, today: CalendarDate) {
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let base = environment.nonEmpty("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        directory = (base ?? home + "/.local/state") + "/itinerary-client/deleted"
        self.today = today
    }

    /// The last day on which what is deleted now can be had back.
    var keptUntil: CalendarDate { today.adding(days: Self.days) ?? today }

    /// Keeps a copy; when it returns, a file has it.
    ///
    /// - Returns: the key of the copy.
    @discardableResult
    func keep(_ trip: Trip) throws(CommandFailure) -> String {
        do throws(PrivateDirectoryError) { try PrivateDirectory.ensure(directory, isDefault: true) } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.ioFailed)
        }
        let key = "\(today)_\(trip.itemCount)_\(trip.header.id)"
        do throws(SystemError) {
            try PrivateFile.write(TripFile.text(of: trip), to: path(of: key))
        } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.ioFailed)
        }
        return key
    }

    /// What can be had back, the newest first; what is older than that is removed.
    func list() -> [DeletedCopy] {
        let names = (try? files.list(directory)) ?? []
        var copies: [DeletedCopy] = []
        for name in names {
            guard name.hasSuffix(".json"), let copy = copy(of: String(name.dropLast(5))) else { continue }
            if copy.keptUntil < today {
                _ = try? files.unlink(path(of: copy.key))
            } else {
                copies.append(copy)
            }
        }
        return copies.sorted { ($1.deleted, $0.key) < ($0.deleted, $1.key) }
    }

    /// The copy of a key as a schedule to be imported, and the trip's own fields.
    func schedule(_ key: String) throws(CommandFailure) -> NamedSchedule {
        try NamedSchedule(path(of: key), patience: .seconds(10))
    }

    /// Forgets a copy.
    func forget(_ key: String) { _ = try? files.unlink(path(of: key)) }

    private func path(of key: String) -> String { "\(directory)/\(key).json" }

    private func copy(of key: String) -> DeletedCopy? {
        let parts = key.split(separator: "_")
        guard parts.count == 3, let deleted = CalendarDate(String(parts[0])), let count = Int(parts[1]),
            let until = deleted.adding(days: Self.days), let header = header(in: path(of: key))
        else { return nil }
        return DeletedCopy(
            key: key, name: header.name, slug: header.slug, itemCount: count, deleted: deleted,
            keptUntil: until)
    }

    /// Of a file only the beginning is read: its items come behind.
    private func header(in path: String) -> TripHeader? {
        guard let file = try? OpenFile(path, .read, in: files),
            let bytes = try? file.read(at: 0, count: Self.headBytes),
            // Within a text a quotation mark has a backslash before it.
            let end = bytes.firstRange(of: Array(#","items":["#.utf8)),
            let text = try? FileText(Array(bytes[..<end.upperBound]) + Array("]}".utf8)),
            let trip = try? TripFile(text)
        else { return nil }
        return trip.header
    }

    /// More than a trip's own fields take.
    private static let headBytes = 16 * 1024
}

/// One trip that can be had back.
struct DeletedCopy: Sendable {
    let key: String
    let name: String
    let slug: String
    let itemCount: Int
    let deleted: CalendarDate
    let keptUntil: CalendarDate
}
