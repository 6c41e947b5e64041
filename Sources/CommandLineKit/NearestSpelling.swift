/// What somebody who has misspelt a word probably means.
package enum NearestSpelling {
    /// The word of a list that is nearest to a given one; nil where none is near.
    ///
    /// - Complexity: the lengths of the words times each other, a line of memory.
    package static func word(for given: String, among words: [String]) -> String? {
        let given = String(given.lowercased().prefix(64))
        guard !given.isEmpty else { return nil }
        let bare = given.drop { $0 == "-" }
        let beginnings = words.filter { $0.lowercased().drop { $0 == "-" }.hasPrefix(bare) }
        if !bare.isEmpty, beginnings.count == 1 { return beginnings[0] }
        let near = words.map { (word: $0, distance: distance(given, String($0.lowercased().prefix(64)))) }
        guard let best = near.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, given.count / 3) ? best.word : nil
    }

    /// `; did you mean list?`, or nothing where no word is near.
    package static func question(for given: String, among words: [String]) -> String {
        word(for: given, among: words).map { "; did you mean \($0)?" } ?? ""
    }

    /// How many letters to add, leave out, exchange or swap with their neighbour.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(last[column + 1], next[column]) + 1
                best = min(best, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                next.append(best)
            }
            (beforeLast, last) = (last, next)
        }
        return last[right.count]
    }
}
