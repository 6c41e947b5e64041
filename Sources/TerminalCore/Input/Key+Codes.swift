extension Key {
    /// A cursor key by its final byte `A`…`D`.
    init?(arrow byte: UInt8) {
        switch byte {
        case UInt8(ascii: "A"): self = .up
        case UInt8(ascii: "B"): self = .down
        case UInt8(ascii: "C"): self = .right
        case UInt8(ascii: "D"): self = .left
        default: return nil
        }
    }

    /// A key by the final byte that `CSI` and `SS3` sequences share.
    init?(final byte: UInt8) {
        if let arrow = Key(arrow: byte) {
            self = arrow
            return
        }
        switch byte {
        case UInt8(ascii: "F"): self = .end
        case UInt8(ascii: "H"): self = .home
        case UInt8(ascii: "P")...UInt8(ascii: "S"): self = .function(Int(byte - UInt8(ascii: "P")) + 1)
        default: return nil
        }
    }

    /// A key by its number in `CSI number ~`, of the VT220 or of rxvt.
    init?(tilde code: Int) {
        switch code {
        case 1, 7: self = .home
        case 2: self = .insert
        case 3: self = .delete
        case 4, 8: self = .end
        case 5: self = .pageUp
        case 6: self = .pageDown
        // The numbers have gaps where the VT220 had gaps between groups of keys.
        case 11...15: self = .function(code - 10)
        case 17...21: self = .function(code - 11)
        case 23...26: self = .function(code - 12)
        case 28...29: self = .function(code - 13)
        case 31...34: self = .function(code - 14)
        default: return nil
        }
    }

    /// A key of the numeric keypad by the final byte of its `SS3` sequence.
    init?(keypad byte: UInt8) {
        switch byte {
        case UInt8(ascii: "M"): self = .enter
        case UInt8(ascii: "I"): self = .tab
        case UInt8(ascii: " "): self = .character(" ")
        case UInt8(ascii: "X"): self = .character("=")
        case UInt8(ascii: "j")...UInt8(ascii: "y"): self = .character(Unicode.Scalar(byte - 0x40))
        default: return nil
        }
    }
}
