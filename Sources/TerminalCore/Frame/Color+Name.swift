extension Color {
    /// A colour as a person writes it: `red`, `bright-blue`, `default`, a palette number, `#rrggbb`.
    package init?(_ name: String) {
        if name == "default" {
            self = .default
            return
        }
        if name.hasPrefix("#") {
            let digits = name.utf8.dropFirst()
            guard digits.count == 6, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt32(name.dropFirst(), radix: 16)
            else { return nil }
            self = .rgb(
                red: UInt8(value >> 16), green: UInt8(value >> 8 & 0xFF), blue: UInt8(value & 0xFF))
            return
        }
        if let index = UInt8(name), name.first?.isNumber == true {
            self = AnsiColor(rawValue: index).map(Color.ansi) ?? .indexed(index)
            return
        }
        let plain = name.replacing("bright-", with: "bright")
        guard let color = AnsiColor.allCases.first(where: { "\($0)".lowercased() == plain }) else {
            return nil
        }
        self = .ansi(color)
    }
}
