/// The parts of a control sequence (`CSI`): `ESC [ prefix parameters intermediates final`.
struct ControlSequence {
    /// One of `<=>?`, or nil.
    let prefix: UInt8?
    /// Parameters, each with its subparameters; nil for an omitted number. Numbers are limited to `maximumNumber`.
    let parameters: [[Int?]]
    let intermediates: [UInt8]
    let final: UInt8

    /// Large enough for every Unicode scalar and every screen.
    static let maximumNumber = 0x1F_FFFF

    /// Nil if the bytes between `ESC [` and `final` are invalid.
    init?(body: [UInt8], final: UInt8) {
        self.final = final
        var rest = body[...]
        if let first = rest.first, (0x3C...0x3F).contains(first) {
            prefix = first
            rest = rest.dropFirst()
        } else {
            prefix = nil
        }
        let end = rest.firstIndex { $0 < 0x30 } ?? rest.endIndex
        intermediates = Array(rest[end...])
        guard intermediates.allSatisfy({ (0x20...0x2F).contains($0) }) else { return nil }
        rest = rest[..<end]
        guard !rest.isEmpty else {
            parameters = []
            return
        }
        var list: [[Int?]] = []
        var group: [Int?] = []
        var number: Int?
        for byte in rest {
            switch byte {
            case 0x30...0x39:
                number = min((number ?? 0) * 10 + Int(byte - 0x30), Self.maximumNumber)
            case 0x3A, 0x3B:
                group.append(number)
                number = nil
                if byte == 0x3B {
                    list.append(group)
                    group = []
                }
            default:
                return nil
            }
        }
        group.append(number)
        list.append(group)
        parameters = list
    }

    /// A parameter's number; nil if it is missing or omitted.
    func number(_ index: Int) -> Int? {
        index < parameters.count ? parameters[index][0] : nil
    }
}
