import Foundation
import TripModel

/// Searches text without regard to case and accents.
struct TextSearch: Sendable {
    private let needle: [String]
    /// The search text in lower case if it is ASCII, the usual case.
    private let plainNeedle: [UInt8]?

    /// Nil for an empty search.
    init?(_ text: String) {
        needle = text.map(Self.folded)
        guard !needle.isEmpty else { return nil }
        plainNeedle = text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased().utf8.map { $0 } : nil
    }

    /// The characters of the first match; nil if there is none.
    func range(in text: String) -> Range<Int>? {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            guard let plainNeedle else { return nil }
            var text = text
            return text.withUTF8 { Self.find(plainNeedle, inPlain: $0) }
        }
        return Self.find(needle, in: text.map(Self.folded))
    }

    /// Without allocations, because it runs for every item at every key.
    private static func find(_ needle: [UInt8], inPlain text: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard needle.count <= text.count else { return nil }
        for start in 0...text.count - needle.count {
            var length = 0
            while length < needle.count, lowercased(text[start + length]) == needle[length] { length += 1 }
            if length == needle.count { return start..<start + length }
        }
        return nil
    }

    func matches(_ text: String) -> Bool { range(in: text) != nil }

    private static func find(_ needle: [String], in text: [String]) -> Range<Int>? {
        guard needle.count <= text.count else { return nil }
        return (0...text.count - needle.count).first { text[$0...].starts(with: needle) }
            .map { $0..<$0 + needle.count }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 0x20 : byte
    }

    private static func folded(_ character: Character) -> String {
        if let byte = character.asciiValue { return String(UnicodeScalar(lowercased(byte))) }
        return String(character).folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}

/// Searches items by their shown text.
package struct ItemSearch: Sendable {
    private let search: TextSearch

    /// Nil for an empty search.
    package init?(_ text: String) {
        guard let search = TextSearch(text) else { return nil }
        self.search = search
    }

    /// Whether the title or a searched field contains the text.
    package func matches(_ content: ItemContent) -> Bool {
        search.matches(content.title)
            || ItemField.searched.contains { field in
                if case .text(let text)? = content[field] { search.matches(text) } else { false }
            }
    }
}

/// A search in the list; its matches are highlighted until it ends.
struct ListSearch: Sendable {
    /// Nil if there is no search.
    private(set) var words: TextSearch?

    mutating func look(for text: String) { words = TextSearch(text) }

    mutating func forget() { words = nil }

    /// Whether a row's item matches, by its title or another searched field.
    func matches(row: Int, of outline: Outline) -> Bool {
        guard let words, let content = outline.item(atRow: row)?.content else { return false }
        return words.matches(content.title)
            || ItemField.searched.contains {
                content.text(of: $0, in: outline.trip).map(words.matches) ?? false
            }
    }

    /// The first match from a row on, including it, or a later match; wraps around.
    func match(from row: Int, step: Int = 1, times: Int = 1, in outline: Outline) -> Int? {
        let count = outline.rows.count
        let matches = (0..<count).lazy.map { (row + step * $0 + count) % count }
            .filter { self.matches(row: $0, of: outline) }
        if times == 1 { return matches.first }
        let all = Array(matches)
        return all.isEmpty ? nil : all[(times - 1) % all.count]
    }
}
