/// The style of a cell.
package struct Style: Hashable, Sendable {
    /// Character attributes, which a terminal switches on and off separately.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bold.
        package static let bold = Attributes(rawValue: 1 << 0)
        /// Dim.
        package static let dim = Attributes(rawValue: 1 << 1)
        /// Italic.
        package static let italic = Attributes(rawValue: 1 << 2)
        /// Underlined.
        package static let underline = Attributes(rawValue: 1 << 3)
        /// Foreground and background exchanged.
        package static let reverse = Attributes(rawValue: 1 << 4)
        /// Struck through.
        package static let strikethrough = Attributes(rawValue: 1 << 5)
    }

    /// The color of the text.
    package var foreground: Color
    /// The color behind it.
    package var background: Color
    /// The character attributes.
    package var attributes: Attributes

    /// A style; the defaults are the terminal's own colours.
    package init(foreground: Color = .default, background: Color = .default, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours, no attributes.
    package static let plain = Style()

    /// This style with colours reduced to `depth`.
    package func reduced(to depth: ColorDepth) -> Style {
        Style(
            foreground: foreground.reduced(to: depth), background: background.reduced(to: depth), attributes)
    }
}

extension Style: CustomStringConvertible {
    /// A description for tests: `bold red on blue`, `dim #a0b0c0 on @236`, `plain`.
    package var description: String {
        var words: [String] = []
        if attributes.contains(.bold) { words.append("bold") }
        if attributes.contains(.dim) { words.append("dim") }
        if attributes.contains(.italic) { words.append("italic") }
        if attributes.contains(.underline) { words.append("underline") }
        if attributes.contains(.reverse) { words.append("reverse") }
        if attributes.contains(.strikethrough) { words.append("strikethrough") }
        if foreground != .default { words.append("\(foreground)") }
        if background != .default { words.append("on \(background)") }
        return words.isEmpty ? "plain" : words.joined(separator: " ")
    }
}
