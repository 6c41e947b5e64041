/// Rows in shown order, in copy-on-write chunks: a change moves few rows, and copies share unchanged chunks.
///
/// To find, add or remove a row takes O(log n) plus the length of a chunk.
struct RowList: Sendable {
    /// A place in the list, valid until the next change.
    struct Index: Comparable {
        let chunk: Int
        let offset: Int

        static func < (left: Index, right: Index) -> Bool {
            (left.chunk, left.offset) < (right.chunk, right.offset)
        }
    }

    /// The maximum length of a chunk, and the length of a newly built one.
    private static let longestChunk = 512
    private static let newChunk = 256
    /// The maximum number of rows that are replaced one by one; for more, one pass rebuilds the list.
    private static let fewRows = 24

    /// No chunk is empty.
    private var chunks: [[Row]] = []
    private(set) var count = 0
    /// The number of rows that changes have moved in memory, as a measure of cost.
    private(set) var moved = 0

    init() {}

    /// Makes a list from sorted rows.
    init(sorted rows: [Row]) {
        count = rows.count
        chunks.reserveCapacity(rows.count / Self.newChunk + 1)
        for start in stride(from: 0, to: rows.count, by: Self.newChunk) {
            chunks.append(Array(rows[start..<Swift.min(start + Self.newChunk, rows.count)]))
        }
    }
}

extension RowList: BidirectionalCollection {
    var startIndex: Index { Index(chunk: 0, offset: 0) }
    var endIndex: Index { Index(chunk: chunks.count, offset: 0) }

    subscript(index: Index) -> Row { chunks[index.chunk][index.offset] }

    func index(after index: Index) -> Index {
        index.offset + 1 < chunks[index.chunk].count
            ? Index(chunk: index.chunk, offset: index.offset + 1) : Index(chunk: index.chunk + 1, offset: 0)
    }

    func index(before index: Index) -> Index {
        index.offset > 0
            ? Index(chunk: index.chunk, offset: index.offset - 1)
            : Index(chunk: index.chunk - 1, offset: chunks[index.chunk - 1].count - 1)
    }

    /// The number of rows above an index.
    func offset(of index: Index) -> Int {
        chunks[..<index.chunk].reduce(index.offset) { $0 + $1.count }
    }
}

// MARK: - Finding

extension RowList {
    /// The first index at which the predicate holds, by binary search. It must also hold for all later rows.
    func partitioningIndex(where belongsAbove: (Row) -> Bool) -> Index {
        let chunk = chunks.partitioningIndex { $0.last.map(belongsAbove) ?? true }
        guard chunk < chunks.count else { return endIndex }
        return Index(chunk: chunk, offset: chunks[chunk].partitioningIndex(where: belongsAbove))
    }

    /// The first index whose row is not less than `row`.
    func lowerBound(of row: Row) -> Index { partitioningIndex { $0 >= row } }

    /// The rows of one day.
    func range(ofDay day: Int) -> Range<Index> {
        partitioningIndex { $0.day >= day }..<partitioningIndex { $0.day > day }
    }

    /// The row above an index on a day, ignoring one item; nil at the top of the day.
    func above(_ index: Index, onDay day: Int, without id: ItemID?) -> Row? {
        var index = index
        while index > startIndex {
            index = self.index(before: index)
            let row = self[index]
            guard row.day == day else { return nil }
            if row.id != id { return row }
        }
        return nil
    }

    /// The row at an index, or the next one if that is the ignored item; nil at the bottom of the day.
    func below(_ index: Index, onDay day: Int, without id: ItemID?) -> Row? {
        var index = index
        while index < endIndex {
            let row = self[index]
            guard row.day == day else { return nil }
            if row.id != id { return row }
            index = self.index(after: index)
        }
        return nil
    }

    /// The neighbours of a row of the list, on its day.
    func neighbours(of row: Row) -> Neighbours {
        let index = lowerBound(of: row)
        return Neighbours(
            above: above(index, onDay: row.day, without: row.id)?.id,
            below: below(index, onDay: row.day, without: row.id)?.id)
    }
}

// MARK: - Changing

extension RowList {
    mutating func insert(_ row: Row) {
        count += 1
        guard let last = chunks.indices.last else { return chunks.append([row]) }
        let index = lowerBound(of: row)
        let chunk = Swift.min(index.chunk, last)
        moved += chunks[chunk].count + 1
        chunks[chunk].insert(row, at: index.chunk > last ? chunks[chunk].count : index.offset)
        guard chunks[chunk].count > Self.longestChunk else { return }
        let upper = Array(chunks[chunk][Self.newChunk...])
        chunks[chunk].removeLast(upper.count)
        chunks.insert(upper, at: chunk + 1)
    }

    mutating func remove(_ row: Row) {
        let index = lowerBound(of: row)
        precondition(index < endIndex && self[index] == row, "every item has exactly one row")
        count -= 1
        moved += chunks[index.chunk].count
        chunks[index.chunk].remove(at: index.offset)
        let rest = chunks[index.chunk].count
        if rest == 0 {
            chunks.remove(at: index.chunk)
        } else if rest < Self.newChunk / 4, index.chunk > 0,
            chunks[index.chunk - 1].count + rest <= Self.newChunk
        {
            // Merges small chunks; otherwise many removals would leave many chunks of one row.
            chunks[index.chunk - 1] += chunks.remove(at: index.chunk)
        }
    }

    /// Replaces a row with one of another order but the same rank.
    mutating func shift(rowAt index: Index, to row: Row) {
        moved += 1
        chunks[index.chunk][index.offset] = row
    }

    /// Replaces rows, which must be in the list, with others.
    mutating func replace(_ gone: [Row], with new: [Row]) {
        guard gone.count + new.count > Self.fewRows else {
            for row in gone { remove(row) }
            for row in new { insert(row) }
            return
        }
        let gone = gone.sorted()
        let new = new.sorted()
        var merged: [Row] = []
        merged.reserveCapacity(count - gone.count + new.count)
        var nextGone = gone.startIndex
        var nextNew = new.startIndex
        for chunk in chunks {
            for row in chunk {
                if nextGone < gone.count, gone[nextGone] == row {
                    nextGone += 1
                    continue
                }
                while nextNew < new.count, new[nextNew] < row {
                    merged.append(new[nextNew])
                    nextNew += 1
                }
                merged.append(row)
            }
        }
        precondition(nextGone == gone.count, "every item has exactly one row")
        let moved = moved + gone.count + new.count + count
        self = RowList(sorted: merged + new[nextNew...])
        self.moved = moved
    }
}
