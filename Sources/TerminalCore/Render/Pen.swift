/// The terminal's current drawing style, and the shortest change to another (SGR).
struct Pen {
    private let depth: ColorDepth
    private var current = Style.plain
    /// A cache of the last requested style and its reduced form.
    private var lastAsked = Style.plain
    private var lastReduced = Style.plain

    init(depth: ColorDepth) {
        self.depth = depth
    }

    /// `style` with the colours that the terminal is sent.
    mutating func reduced(_ style: Style) -> Style {
        if style != lastAsked {
            lastAsked = style
            lastReduced = style.reduced(to: depth)
        }
        return lastReduced
    }

    /// True if the pen already draws like `style`.
    mutating func matches(_ style: Style) -> Bool { reduced(style) == current }

    /// Appends the shortest change to `style`: nothing, single attributes, or a reset with all attributes.
    mutating func change(to style: Style, _ output: inout [UInt8]) {
        let target = reduced(style)
        guard target != current else { return }
        defer { current = target }
        guard target != .plain else {
            output += TerminalSequences.resetStyle
            return
        }
        let changes = Self.codes(from: current, to: target)
        let full = current == .plain ? changes : [0] + Self.codes(from: .plain, to: target)
        let codes = Self.length(changes) <= Self.length(full) ? changes : full
        output += [0x1B, 0x5B]
        for (index, code) in codes.enumerated() {
            if index > 0 { output.append(0x3B) }
            output.append(decimal: code)
        }
        output.append(0x6D)
    }

    private static func length(_ codes: [Int]) -> Int {
        codes.reduce(codes.count) { $0 + ($1 < 10 ? 1 : $1 < 100 ? 2 : 3) }
    }

    private static func codes(from old: Style, to new: Style) -> [Int] {
        var codes: [Int] = []
        let removed = old.attributes.subtracting(new.attributes)
        var added = new.attributes.subtracting(old.attributes)
        if !removed.isDisjoint(with: [.bold, .dim]) {
            codes.append(22)  // resets both, so that a remaining one is switched on again
            added.formUnion(new.attributes.intersection([.bold, .dim]))
        }
        if removed.contains(.italic) { codes.append(23) }
        if removed.contains(.underline) { codes.append(24) }
        if removed.contains(.reverse) { codes.append(27) }
        if removed.contains(.strikethrough) { codes.append(29) }
        if added.contains(.bold) { codes.append(1) }
        if added.contains(.dim) { codes.append(2) }
        if added.contains(.italic) { codes.append(3) }
        if added.contains(.underline) { codes.append(4) }
        if added.contains(.reverse) { codes.append(7) }
        if added.contains(.strikethrough) { codes.append(9) }
        if old.foreground != new.foreground { codes += self.codes(for: new.foreground, base: 30) }
        if old.background != new.background { codes += self.codes(for: new.background, base: 40) }
        return codes
    }

    private static func codes(for color: Color, base: Int) -> [Int] {
        switch color {
        case .default: [base + 9]
        case .ansi(let ansi):
            [Int(ansi.rawValue) < 8 ? base + Int(ansi.rawValue) : base + 52 + Int(ansi.rawValue)]
        case .indexed(let index): [base + 8, 5, Int(index)]
        case .rgb(let red, let green, let blue): [base + 8, 2, Int(red), Int(green), Int(blue)]
        }
    }
}
