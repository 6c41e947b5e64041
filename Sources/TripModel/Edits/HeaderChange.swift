/// The changes of a commit to the header: the old and the new values.
///
/// Only changed fields, entries and acceptances are kept, so that a small change of a large header is small. An object,
/// because most commits have none, and to copy one counts a dozen references.
package final class HeaderChange: Sendable {
    /// The values that the commit replaced.
    public let before: HeaderValues
    /// The values that it set.
    public let after: HeaderValues

    /// Makes a change from its two halves.
    package init(before: HeaderValues, after: HeaderValues) {
        self.before = before
        self.after = after
    }

    /// The change from one header of a trip to another; nil if they are equal.
    package init?(from old: TripHeader, to new: TripHeader) {
        let moved = new.todo.moved(since: old.todo)
        before = HeaderValues(of: old, since: new, placing: moved)
        after = HeaderValues(of: new, since: old, placing: moved)
        if after == HeaderValues() { return nil }
    }

    /// Whether it changes a field, and not only acceptances or things to do.
    package var changesFields: Bool {
        var fields = after
        fields.accepted = []
        fields.revoked = []
        fields.todo = []
        return fields != HeaderValues()
    }
}

extension HeaderChange: Equatable {
    /// Whether both describe the same change.
    package static func == (left: HeaderChange, right: HeaderChange) -> Bool {
        left === right || left.before == right.before && left.after == right.after
    }
}

/// Values of some of a header's fields; nil leaves a field unchanged.
package struct HeaderValues: Equatable, Sendable {
    /// The name.
    @Verbatim public internal(set) var name: String?
    /// The slug.
    @Verbatim public internal(set) var slug: String?
    /// The date of day 1.
    public internal(set) var startDate: CalendarDate?
    /// The zone.
    @Verbatim public internal(set) var timeZone: String?
    /// The number of days.
    public internal(set) var dayCount: Int?
    /// The exchange rates.
    @Verbatim public internal(set) var rates: String?
    /// The keys of problems that are accepted, in ascending order.
    public internal(set) var accepted: [String] = []
    /// The keys of problems that are not accepted, in ascending order.
    public internal(set) var revoked: [String] = []
    /// The things to do.
    public internal(set) var todo: [TodoStep] = []

    /// Makes values that change nothing, or those that a journal contains.
    package init(
        name: String? = nil, slug: String? = nil, startDate: CalendarDate? = nil, timeZone: String? = nil,
        dayCount: Int? = nil, rates: String? = nil, accepted: [String] = [], revoked: [String] = [],
        todo: [TodoStep] = []
    ) {
        self.name = name
        self.slug = slug
        self.startDate = startDate
        self.timeZone = timeZone
        self.dayCount = dayCount
        self.rates = rates
        self.accepted = accepted
        self.revoked = revoked
        self.todo = todo
    }

    /// The values of a header that differ from another one.
    fileprivate init(of new: TripHeader, since old: TripHeader, placing moved: Set<TodoID>) {
        if !String.isVerbatim(new.name, old.name) { name = new.name }
        if !String.isVerbatim(new.slug, old.slug) { slug = new.slug }
        if new.startDate != old.startDate { startDate = new.startDate }
        if !String.isVerbatim(new.timeZone, old.timeZone) { timeZone = new.timeZone }
        if new.dayCount != old.dayCount { dayCount = new.dayCount }
        if !String.isVerbatim(new.rates, old.rates) { rates = new.rates }
        if new.acceptedProblems != old.acceptedProblems {
            accepted = new.acceptedProblems.subtracting(old.acceptedProblems).sorted()
            revoked = old.acceptedProblems.subtracting(new.acceptedProblems).sorted()
        }
        todo = new.todo.steps(from: old.todo, placing: moved)
    }

    /// A header with these values.
    package func applied(to header: TripHeader) -> TripHeader {
        var header = header
        if let name { header.name = name }
        if let slug { header.slug = slug }
        if let startDate { header.startDate = startDate }
        if let timeZone { header.timeZone = timeZone }
        if let dayCount { header.dayCount = dayCount }
        if let rates { header.rates = rates }
        if !accepted.isEmpty { header.acceptedProblems.formUnion(accepted) }
        if !revoked.isEmpty { header.acceptedProblems.subtract(revoked) }
        if !todo.isEmpty { header.todo = header.todo.applying(todo) }
        return header
    }

    /// Whether both have a value of the same field; the things to do and the acceptances are not fields.
    package func sharesField(with other: HeaderValues) -> Bool {
        name != nil && other.name != nil || slug != nil && other.slug != nil
            || startDate != nil && other.startDate != nil || timeZone != nil && other.timeZone != nil
            || dayCount != nil && other.dayCount != nil || rates != nil && other.rates != nil
    }

    /// The approximate memory size.
    package var byteCount: Int {
        [name, slug, timeZone, rates].reduce(64) { $0 + ($1?.utf8.count ?? 0) }
            + (accepted + revoked).reduce(0) { $0 + 32 + $1.utf8.count }
            + todo.reduce(0) {
                $0 + 112 + ($1.entry?.byteCount ?? 0)
            }
    }
}

/// The state of one thing to do, relative to a list.
package struct TodoStep: Equatable, Sendable {
    /// The entry's id.
    public let id: TodoID
    /// The content; nil if the entry is removed, or only its place differs.
    public let entry: TodoEntry?
    /// The place, if it is new in the list or was added again.
    public let place: Place?

    /// A place in a list.
    public struct Place: Equatable, Sendable {
        /// The index.
        public let index: Int
        /// The entry above; nil for the first one.
        public let above: TodoID?

        package init(index: Int, above: TodoID?) {
            self.index = index
            self.above = above
        }
    }

    /// Makes a step; a removal without content and place.
    package init(_ id: TodoID, _ entry: TodoEntry? = nil, at place: Place? = nil) {
        self.id = id
        self.entry = entry
        self.place = place
    }

    /// Whether the entry is removed.
    public var isRemoval: Bool { entry == nil && place == nil }
}

extension [TodoEntry] {
    private var places: [TodoID: Int] {
        [TodoID: Int](enumerated().map { ($1.id, $0) }) { $1 }
    }

    /// The entries of both lists that were added again: as few as possible, so that all others are in the same order.
    fileprivate func moved(since before: Self) -> Set<TodoID> {
        if self == before { return [] }
        let old = before.places
        let kept = compactMap { entry in old[entry.id].map { (id: entry.id, place: $0) } }
        if zip(kept, kept.dropFirst()).allSatisfy({ $0.place < $1.place }) { return [] }
        // The longest ascending run of old places stays. `ends` has the index of the last entry of the best run of
        // each length, and `previous` the one before each entry.
        var ends: [Int] = []
        var previous: [Int?] = []
        for (index, entry) in kept.enumerated() {
            let length = ends.partitioningIndex { kept[$0].place >= entry.place }
            previous.append(length == 0 ? nil : ends[length - 1])
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var moved = Set(kept.map(\.id))
        var last = ends.last
        while let index = last {
            moved.remove(kept[index].id)
            last = previous[index]
        }
        return moved
    }

    /// The steps that turn another list into this one.
    ///
    /// - Parameter moved: the entries of both lists that get a new place.
    fileprivate func steps(from before: Self, placing moved: Set<TodoID>) -> [TodoStep] {
        if self == before { return [] }
        let (old, new) = (before.places, places)
        var steps = before.filter { new[$0.id] == nil }.map { TodoStep($0.id) }
        for (index, entry) in enumerated() {
            let known = old[entry.id].map { before[$0] }
            let isPlaced = known == nil || moved.contains(entry.id)
            guard isPlaced || known != entry else { continue }
            let place = TodoStep.Place(index: index, above: index > 0 ? self[index - 1].id : nil)
            steps.append(TodoStep(entry.id, known == entry ? nil : entry, at: isPlaced ? place : nil))
        }
        return steps
    }

    /// The list after steps, which may have been made for another list. An entry gets its place directly below the
    /// entry that was above it, else at its old index.
    fileprivate func applying(_ steps: [TodoStep]) -> Self {
        let byID = [TodoID: TodoStep](steps.map { ($0.id, $0) }) { $1 }
        var rest: Self = []
        var known: [TodoID: TodoEntry] = [:]
        for entry in self {
            guard let step = byID[entry.id] else {
                rest.append(entry)
                continue
            }
            known[entry.id] = step.entry ?? entry
            if !step.isRemoval, step.place == nil { rest.append(step.entry ?? entry) }
        }
        // Entries to place, by the entry above; its order is that of the list for which the steps were made.
        var below: [TodoID?: (entry: TodoEntry, index: Int)] = [:]
        for step in steps {
            guard let entry = step.entry ?? known[step.id] else { continue }
            if let place = step.place {
                below[place.above] = (entry, place.index)
            } else if !step.isRemoval, known[step.id] == nil {
                rest.append(entry)
            }
        }
        var list: Self = []
        list.reserveCapacity(rest.count + below.count)
        func place(below id: TodoID?) {
            var id = id
            while let next = below.removeValue(forKey: id) {
                list.append(next.entry)
                id = next.entry.id
            }
        }
        place(below: nil)
        for entry in rest {
            list.append(entry)
            place(below: entry.id)
        }
        for (entry, index) in below.values.sorted(by: { $0.index < $1.index }) {
            list.insert(entry, at: Swift.min(index, list.count))
        }
        return list
    }
}
