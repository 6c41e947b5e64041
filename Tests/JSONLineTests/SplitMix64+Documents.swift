import TestSupport

/// Random documents; equal seeds give equal ones.
extension SplitMix64 {
    /// A value of any kind and length, with up to `depth` nested containers.
    mutating func document(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &self) {
        case 0: return ["null", "true", "false"].randomElement(using: &self) ?? "null"
        case 1: return "\(Int.random(in: -1000...1000, using: &self))"
        case 2: return "\(finiteDouble())"
        case 3, 4: return string()
        case 5, 6:
            let members = (0..<Int.random(in: 0..<6, using: &self)).map { index in
                "\"k\(index)\\u0041é\"\(space()):\(space())\(document(depth: depth - 1))"
            }
            return "{\(space())\(members.joined(separator: "\(space()),\(space())"))\(space())}"
        default:
            let elements = (0..<Int.random(in: 0..<6, using: &self)).map { _ in document(depth: depth - 1) }
            return "[\(space())\(elements.joined(separator: "\(space()),\(space())"))\(space())]"
        }
    }

    /// Any finite double, uniform in its bit patterns.
    mutating func finiteDouble() -> Double {
        while true {
            let double = Double(bitPattern: next())
            if double.isFinite { return double }
        }
    }

    /// A random scalar; ASCII and those that need escapes are more frequent.
    mutating func scalar() -> Unicode.Scalar {
        let bound: UInt32 =
            [0x20, 0x80, 0x80, 0x800, 0x1_0000, 0x11_0000].randomElement(using: &self) ?? 0x80
        while true {
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<bound, using: &self)) { return scalar }
        }
    }

    private mutating func string() -> String {
        let pieces = ["a", "Ωβ", "🏟️", #"\""#, #"\\"#, #"\n"#, #"\u00e9"#, #"\ud83c\udfdf"#, " ", "12345678"]
        let text = (0..<Int.random(in: 0..<8, using: &self)).map { _ in
            pieces.randomElement(using: &self) ?? ""
        }
        return "\"\(text.joined())\""
    }

    private mutating func space() -> String {
        ["", "", "", " ", "\t", "\r\n  "].randomElement(using: &self) ?? ""
    }
}
