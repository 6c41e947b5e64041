import LocalSystem
import TripModel

/// What this account's imports have removed with `--prune`: the history of a trip tells who removed an item, not why.
///
/// A line an item in the client's state directory: the trip, the item and the version that removed it.
struct PrunedItems {
    /// As many as two whole trips; the oldest go first.
    private static let maximumCount = 20_000

    private struct Line {
        let trip: Substring
        let item: Substring
        let version: Int

        init?(_ text: Substring) {
            let words = text.split(separator: " ")
            guard words.count == 3, let version = Int(words[2]) else { return nil }
            (trip, item, self.version) = (words[0], words[1], version)
        }

        var text: String { "\(trip) \(item) \(version)\n" }
    }

    private let directory: String
    private var path: String { directory + "/pruned" }

    init(_ environment: ProcessEnvironment = .current) {
        let home = CurrentUser.home(environment: environment.variables) ?? "/"
        let base = environment.nonEmpty("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        directory = (base ?? home + "/.local/state") + "/itinerary-client"
    }

    /// The versions of a trip that removed items so, by item; the last of each.
    func versions(of trip: TripID) -> [ItemID: Int] {
        let wanted = trip.description
        var versions: [ItemID: Int] = [:]
        for line in lines() where line.trip == wanted {
            if let item = ItemID(String(line.item)) { versions[item] = line.version }
        }
        return versions
    }

    /// Notes what a version of a trip has removed.
    ///
    /// - Throws: `CommandFailure` where it cannot be kept.
    func add(_ items: [ItemID], of trip: TripID, version: Int) throws(CommandFailure) {
        guard !items.isEmpty else { return }
        let new = items.map { "\(trip) \($0) \(version)\n" }
        let text = (lines().map(\.text) + new).suffix(Self.maximumCount).joined()
        do throws(PrivateDirectoryError) { try PrivateDirectory.ensure(directory, isDefault: true) } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.ioFailed)
        }
        do throws(SystemError) { try PrivateFile.write(Array(text.utf8), to: path) } catch {
            throw CommandFailure("\(error)", exitCode: CommandFailure.ioFailed)
        }
    }

    /// What is kept; nothing where it cannot be read.
    private func lines() -> [Line] {
        let most = Self.maximumCount * 128
        guard let bytes = try? PrivateFile.read(path, maximumBytes: most) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap(Line.init)
    }
}
