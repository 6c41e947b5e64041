extension [UInt8] {
    /// Appends a number that is not negative in decimal digits.
    mutating func append(decimal value: Int) {
        if value >= 10 { append(decimal: value / 10) }
        append(0x30 + UInt8(value % 10))
    }
}
