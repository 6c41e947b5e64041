import CommandLineKit
import TripClient
import TripModel
import TripProtocol

/// The words that a shell offers for the next word of a command line, as far as they depend on the trips.
struct CompletionWords {
    /// Names of kinds for the scripts; `any` is the kind of the next word.
    enum Kind: String, CaseIterable {
        case trip, item, field, day, zone, any
    }

    /// The command, if the words name one.
    private let row: CommandRow?
    /// The words after the command, without options.
    private let words: [String]
    /// The options that were given.
    private let options: Set<String>

    /// Parses the words of a command line, without the program.
    init(_ line: [String]) {
        var words: [String] = []
        var options: Set<String> = []
        let valued = Set(
            (GlobalOptions.all + CommandTable.program.commands.flatMap(\.options)).filter { $0.value != nil }
                .map(\.name))
        var rest = line[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else {
                words.append(word)
                continue
            }
            options.insert(word)
            if valued.contains(word), !rest.isEmpty { rest.removeFirst() }
        }
        row = words.first.flatMap { name in CommandTable.program.commands.first { $0.name == name } }
        self.words = Array(words.dropFirst())
        self.options = options
    }

    /// The words of a kind; none if the daemon does not run.
    func lines(_ kind: Kind, _ caller: Caller) async -> [String] {
        switch kind {
        case .zone: return TimeZoneName.all
        case .trip: return await trips(caller)
        case .item: return await items(caller).map { PlainText.visible($0.content.title) }
        case .day:
            let days = await trip(caller).map { $0.header.days.map { "\($0)" } } ?? []
            return DayWord.words + days
        case .field: return fields(of: await trip(caller))
        case .any:
            guard let next = nextKind else { return [] }
            return await lines(next, caller)
        }
    }

    private var nextKind: Kind? {
        guard let row else { return nil }
        let word = words.count < row.words.count ? row.words[words.count] : row.words.last { $0.repeats }
        return switch word?.kind {
        case .trip?: .trip
        case .item?: .item
        case .field?: .field
        case .day?: .day
        case .zone?: .zone
        case .file?, .command?, .text?, .oneOf?, nil: nil
        }
    }

    /// `FIELD=` for each field that may come next; of `edit` also the items, or the trip's own fields.
    private func fields(of trip: Trip?) -> [String] {
        let rest = words.dropFirst()
        guard row?.name == EditCommand.command.row.name else {
            let kinds: [ItemKind] =
                options.contains("--game") ? [.game] : options.contains("--from") ? [.travel] : [.custom]
            return kinds.flatMap(\.fields).map { "\($0.name)=" }
        }
        let given = Set(rest.compactMap { FieldWord($0)?.name })
        let names = rest.filter { FieldWord($0) == nil }
        guard let name = names.first else {
            let own = TripField.allCases.map(\.rawValue)
            let items = given.isEmpty ? trip?.items.map { PlainText.visible($0.content.title) } ?? [] : []
            return own.filter { !given.contains($0) }.map { "\($0)=" } + items
        }
        guard let item = trip.flatMap({ try? ItemName(name).item(in: $0) }) else { return [] }
        return item.content.kind.fields.map(\.name).filter { !given.contains($0) }.map { "\($0)=" }
    }

    private var isRestore: Bool { row?.name == RestoreCommand.command.row.name }

    /// The slugs of the trips; of `restore` the deleted ones first.
    private func trips(_ caller: Caller) async -> [String] {
        guard let client = try? await caller.withoutStarting.connect(role: .viewer).client else { return [] }
        let deleted = isRestore ? (try? await client.trash().map(\.header.slug)) ?? [] : []
        let present = (try? await client.trips().map(\.header.slug)) ?? []
        return deleted + present.filter { !deleted.contains($0) }
    }

    /// The items of the trip that the words name; of `restore` the removed ones.
    private func items(_ caller: Caller) async -> [Item] {
        guard let trip = await trip(caller) else { return [] }
        guard isRestore else { return trip.items }
        guard let client = try? await caller.withoutStarting.connect(role: .viewer).client else { return [] }
        return (try? await Trash.items(of: trip.header.id, client).items.map(\.item)) ?? []
    }

    /// The trip that the words name; the trip of a command without such a word if there is only one.
    private func trip(_ caller: Caller) async -> Trip? {
        guard let client = try? await caller.withoutStarting.connect(role: .viewer).client,
            let index = row?.words.firstIndex(where: { if case .trip = $0.kind { true } else { false } }),
            words.indices.contains(index)
        else { return nil }
        return try? await TripName(words[index]).snapshot(client).trip
    }
}
