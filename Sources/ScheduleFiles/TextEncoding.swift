import Foundation

/// An encoding of text other than UTF-8, which a person can name.
package enum TextEncoding: String, CaseIterable, Sendable {
    case windows1252 = "windows-1252"
    case windows1250 = "windows-1250"
    case latin1 = "iso-8859-1"
    case latin2 = "iso-8859-2"
    case windows1251 = "windows-1251"
    case windows1253 = "windows-1253"
    case windows1254 = "windows-1254"
    case macRoman = "macroman"
    case shiftJIS = "shift_jis"
    case utf16 = "utf-16"

    /// The encoding with a name, in any case; also by its short names such as `cp1250` and `latin2`.
    package init?(named name: String) {
        let name = name.lowercased()
        let long = name.hasPrefix("cp125") ? "windows-" + name.dropFirst(2) : name
        guard let encoding = Self(rawValue: long) ?? ["latin1": .latin1, "latin2": .latin2][name] else {
            return nil
        }
        self = encoding
    }

    private var native: String.Encoding {
        switch self {
        case .windows1252: .windowsCP1252
        case .windows1250: .windowsCP1250
        case .latin1: .isoLatin1
        case .latin2: .isoLatin2
        case .windows1251: .windowsCP1251
        case .windows1253: .windowsCP1253
        case .windows1254: .windowsCP1254
        case .macRoman: .macOSRoman
        case .shiftJIS: .shiftJIS
        case .utf16: .utf16
        }
    }

    /// The bytes as text; nil if they are not valid in this encoding.
    func text(of bytes: some Collection<UInt8>) -> String? { String(data: Data(bytes), encoding: native) }
}

/// Finds the encoding of a text that is not UTF-8: the one whose letters can be those of words, if all others that are
/// frequent give the same text or none.
struct EncodingGuess {
    /// The encodings of the languages with Latin letters, the more frequent first.
    private static let candidates: [TextEncoding] = [.windows1252, .windows1250, .latin2]

    /// The encodings that are possible, with their texts; those with the same text are one.
    private(set) var readings: [(encoding: TextEncoding, text: String)] = []

    init(_ bytes: [UInt8]) {
        guard bytes.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) }) else { return }
        for encoding in Self.candidates {
            guard let text = encoding.text(of: bytes), Self.isPlausible(text),
                !readings.contains(where: { $0.text == text })
            else { continue }
            readings.append((encoding, text))
        }
    }

    /// Whether each word with letters beyond ASCII has ASCII letters too, and each other character is one that people type.
    private static func isPlausible(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars)
        func isLetter(_ index: Int) -> Bool {
            scalars.indices.contains(index) && scalars[index].properties.isAlphabetic
        }
        var index = 0
        while index < scalars.count {
            let start = index
            while isLetter(index) { index += 1 }
            let word = scalars[start..<index]
            // A letter of few names, and a frequent byte of other encodings.
            if word.contains("ÿ") || !word.isEmpty && !word.contains(where: \.isASCII) { return false }
            guard index < scalars.count else { break }
            let mark = scalars[index]
            let isUsual =
                mark.isASCII || "‘’“”–—…«»\u{A0}".unicodeScalars.contains(mark)
                || "€§°×".unicodeScalars.contains(mark) && word.isEmpty && !isLetter(index + 1)
            if !isUsual { return false }
            index += 1
        }
        return true
    }

    /// The first word that the readings give different letters.
    var differingWords: [EncodedWord] {
        let texts = readings.map { Array($0.text.unicodeScalars) }
        guard let first = texts.first,
            let index = first.indices.first(where: { index in texts.contains { $0[index] != first[index] } })
        else { return [] }
        func ends(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isASCII && !scalar.properties.isAlphabetic && scalar != "-" && scalar != "'"
        }
        let start = first[..<index].lastIndex(where: ends).map { $0 + 1 } ?? 0
        let end = first[index...].firstIndex(where: ends) ?? first.count
        return zip(readings, texts).map { reading, text in
            var word = String.UnicodeScalarView()
            word.append(contentsOf: text[start..<end].prefix(40))
            return EncodedWord(encoding: reading.encoding, word: String(word))
        }
    }
}

/// A word of a file, read in one of several encodings.
package struct EncodedWord: Hashable, Sendable {
    /// The encoding.
    package let encoding: TextEncoding
    /// The word.
    package let word: String

    package init(encoding: TextEncoding, word: String) {
        self.encoding = encoding
        self.word = word
    }
}
