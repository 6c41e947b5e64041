/// How a cell is drawn.
package struct Style: Hashable, Sendable {
    /// Character attributes, as a terminal switches them on and off one by one.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Heavier.
        package static let bold = Attributes(rawValue: 1 << 0)
        /// Fainter.
        package static let dim = Attributes(rawValue: 1 << 1)
        /// Slanted.
        package static let italic = Attributes(rawValue: 1 << 2)
        /// With a line below.
        package static let underline = Attributes(rawValue: 1 << 3)
        /// Foreground and background exchanged.
        package static let reverse = Attributes(rawValue: 1 << 4)
    }

    /// The color of the text.
    package var foreground: Color
    /// The color behind it.
    package var background: Color
    /// What else the terminal does with it.
    package var attributes: Attributes

    /// A style from its parts; left out, the terminal's own.
    package init(foreground: Color = .default, background: Color = .default, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours, no attributes.
    package static let plain = Style()

    /// This style with the colours `depth` has.
    package func reduced(to depth: ColorDepth) -> Style {
        Style(
            foreground: foreground.reduced(to: depth), background: background.reduced(to: depth), attributes)
    }
}

extension Style: CustomStringConvertible {
    /// Words as tests write them: `bold red on blue`, `dim #a0b0c0 on @236`, `plain`.
    package var description: String {
        var words: [String] = []
        if attributes.contains(.bold) { words.append("bold") }
        if attributes.contains(.dim) { words.append("dim") }
        if attributes.contains(.italic) { words.append("italic") }
        if attributes.contains(.underline) { words.append("underline") }
        if attributes.contains(.reverse) { words.append("reverse") }
        if foreground != .default { words.append("\(foreground)") }
        if background != .default { words.append("on \(background)") }
        return words.isEmpty ? "plain" : words.joined(separator: " ")
    }
}
