import JSONLine
import LocalSystem
import ScheduleFiles
import TripModel
import TripProtocol

/// Items that this account's imports have removed with `--prune`. The history of a trip does not contain the
/// reason of a removal.
///
/// Stored in the client's state directory, with a line per item: the trip, the item, the version that removed
/// it and, if a return of its entry needs it, the item as JSON.
struct PrunedItems {
    /// The maximum number of items, that of two full trips; the oldest are dropped first.
    private static let maximumCount = 20_000
    private static let maximumBytes = 16 << 20

    private struct Line {
        let trip: Substring
        let item: Substring
        let version: Int
        let text: String
        /// The item as JSON.
        let content: Substring?

        init?(_ text: Substring) {
            let words = text.split(separator: " ", maxSplits: 3)
            guard words.count >= 3, let version = Int(words[2]) else { return nil }
            (trip, item, self.version) = (words[0], words[1], version)
            content = words.count > 3 ? words[3] : nil
            self.text = text + "\n"
        }
    }

    private let directory: String
    private var path: String { directory + "/pruned" }

    init(_ environment: ProcessEnvironment = .current) {
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let base = environment.nonEmpty("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        directory = (base ?? home + "/.local/state") + "/itinerary-client"
    }

    /// The last version of a trip that pruned each item.
    func versions(of trip: TripID) -> [ItemID: Int] {
        let wanted = trip.description
        var versions: [ItemID: Int] = [:]
        for line in lines() where line.trip == wanted {
            if let item = ItemID(String(line.item)) { versions[item] = line.version }
        }
        return versions
    }

    /// The pruned items of a trip, those whose entries need them when they return.
    func contents(of trip: TripID) -> [ItemID: ItemContent] {
        let wanted = trip.description
        var contents: [ItemID: ItemContent] = [:]
        for line in lines() where line.trip == wanted {
            guard let id = ItemID(String(line.item)) else { continue }
            let root = line.content.flatMap { try? JSONDocument(parsing: Array($0.utf8)).root }
            contents[id] = root.flatMap { try? Item($0) }?.content
        }
        return contents
    }

    /// Records the items that an import has removed.
    ///
    /// - Throws: `CommandFailure` if the file cannot be written.
    func add(of plan: ImportPlan, in trip: Trip, version: Int) throws(CommandFailure) {
        let removed = plan.edits.compactMap { edit in
            if case .remove(let id) = edit { trip[id] } else { nil }
        }
        try add(removed, of: trip.header.id, version: version)
    }

    /// Records items that a version of a trip no longer has.
    ///
    /// - Throws: `CommandFailure` if the file cannot be written.
    private func add(_ items: [Item], of trip: TripID, version: Int) throws(CommandFailure) {
        guard !items.isEmpty else { return }
        let new = items.map { item in
            let words =
                ReturningItems.needContent(of: item)
                ? " " + String(decoding: item.stored(item.encoded()), as: UTF8.self) : ""
            return "\(trip) \(item.id) \(version)\(words)\n"
        }
        var room = Self.maximumBytes
        let kept = (lines().map(\.text) + new).suffix(Self.maximumCount).reversed().prefix { line in
            room -= line.utf8.count
            return room >= 0
        }
        let text = kept.reversed().joined()
        do throws(PrivateDirectoryError) { try PrivateDirectory.ensure(directory, isDefault: true) } catch {
            throw CommandFailure("\(error)", exitCode: .ioFailed)
        }
        do throws(SystemError) { try PrivateFile.write(Array(text.utf8), to: path) } catch {
            throw CommandFailure("\(error)", exitCode: .ioFailed)
        }
    }

    /// The stored lines; empty if they cannot be read.
    private func lines() -> [Line] {
        guard let bytes = try? PrivateFile.read(path, maximumBytes: Self.maximumBytes) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap(Line.init)
    }
}
