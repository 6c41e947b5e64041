/// Spelling suggestions.
package enum NearestSpelling {
    /// The word of a list that is most similar to a given one; nil if none is similar.
    ///
    /// A title is also compared by as many of its first words as are given.
    ///
    /// - Complexity: O(product of the lengths) time, O(length) memory per word.
    package static func word(for given: String, among words: [String]) -> String? {
        let given = String(given.lowercased().prefix(64))
        guard !given.isEmpty else { return nil }
        let bare = given.drop { $0 == "-" }
        let beginnings = words.filter { $0.lowercased().drop { $0 == "-" }.hasPrefix(bare) }
        if !bare.isEmpty, beginnings.count == 1 { return beginnings[0] }
        let count = given.split(separator: " ").count
        let near = words.map { word in
            let whole = String(word.lowercased().prefix(64))
            let start = whole.split(separator: " ").prefix(count).joined(separator: " ")
            return (word: word, distance: min(distance(given, whole), distance(given, start)))
        }
        guard let best = near.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, given.count / 3) ? best.word : nil
    }

    /// `; did you mean list?`, or an empty text if no word is similar.
    package static func question(for given: String, among words: [String]) -> String {
        word(for: given, among: words).map { "; did you mean \($0)?" } ?? ""
    }

    /// The edit distance: insertions, deletions, substitutions and swaps of adjacent letters.
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
