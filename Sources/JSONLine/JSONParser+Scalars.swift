extension JSONParser {
    /// Appends an entry without children for the text from `start` to `position`.
    @inline(__always)
    private mutating func appendScalar(_ kind: JSONTape.Kind, from start: Int) {
        entries.append(
            JSONTape.Entry(
                kind: kind,
                start: UInt32(truncatingIfNeeded: start),
                end: UInt32(truncatingIfNeeded: position),
                next: UInt32(truncatingIfNeeded: entries.count + 1),
                count: 0))
    }

    mutating func scanLiteral(_ text: StaticString, _ kind: JSONTape.Kind) throws(JSONSyntaxError) {
        let start = position
        for offset in 0..<text.utf8CodeUnitCount {
            guard current == text.utf8Start[offset] else { throw unexpected(.invalidLiteral) }
            position += 1
        }
        appendScalar(kind, from: start)
    }

    // MARK: Strings

    /// Scans a string, a key or a value, from its opening quote on. An accepted string can be unescaped
    /// without a check.
    mutating func scanString() throws(JSONSyntaxError) {
        let start = position
        var kind = JSONTape.Kind.plainString
        position += 1
        while true {
            position = ByteScan.endOfPlainText(in: input, from: position)
            switch current {
            case UInt8(ascii: "\""):
                position += 1
                appendScalar(kind, from: start)
                return
            case UInt8(ascii: "\\"):
                kind = .escapedString
                try scanEscape()
            case 0x80...:
                guard let length = UTF8Sequence.length(in: input, at: position) else {
                    throw JSONSyntaxError(.invalidUTF8, at: position)
                }
                position += length
            default:
                throw unexpected(.controlByte)
            }
        }
    }

    private mutating func scanEscape() throws(JSONSyntaxError) {
        let start = position
        position += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            position += 1
            let unit = try scanHexUnit()
            if UTF16.isTrailSurrogate(unit) { throw JSONSyntaxError(.loneSurrogate, at: start) }
            if UTF16.isLeadSurrogate(unit) { try scanTrailSurrogate(of: start) }
        default:
            throw unexpected(.invalidEscape)
        }
    }

    private mutating func scanTrailSurrogate(of lead: Int) throws(JSONSyntaxError) {
        for expected in [UInt8(ascii: "\\"), UInt8(ascii: "u")] {
            guard position < input.count else { throw unexpected(.loneSurrogate) }
            guard current == expected else { throw JSONSyntaxError(.loneSurrogate, at: lead) }
            position += 1
        }
        if !UTF16.isTrailSurrogate(try scanHexUnit()) { throw JSONSyntaxError(.loneSurrogate, at: lead) }
    }

    private mutating func scanHexUnit() throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = HexDigit.value(of: current) else { throw unexpected(.invalidEscape) }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    // MARK: Numbers

    mutating func scanNumber() throws(JSONSyntaxError) {
        let start = position
        var kind = JSONTape.Kind.integer
        if current == UInt8(ascii: "-") { position += 1 }

        let integerStart = position
        try scanDigits()
        let integerDigits = position - integerStart
        if integerDigits > 1, input[integerStart] == UInt8(ascii: "0") {
            throw JSONSyntaxError(.leadingZero, at: integerStart)
        }

        if current == UInt8(ascii: ".") {
            kind = .decimal
            position += 1
            try scanDigits()
        }

        var exponent = 0
        if current | 0x20 == UInt8(ascii: "e") {
            kind = .decimal
            position += 1
            exponent = try scanExponent()
        }

        // The value is below ten to the power of this sum, so only a few numbers need to be converted for this check.
        if integerDigits + exponent > JSONNumber.safeDecimalExponent {
            let text = UnsafeBufferPointer(rebasing: input[start..<position])
            guard JSONNumber.double(text).isFinite else {
                throw JSONSyntaxError(.numberOutOfRange, at: start)
            }
        }
        appendScalar(kind, from: start)
    }

    /// At least one digit.
    private mutating func scanDigits() throws(JSONSyntaxError) {
        guard JSONNumber.isDigit(current) else { throw unexpected(.invalidNumber) }
        repeat { position += 1 } while JSONNumber.isDigit(current)
    }

    /// The exponent's value, limited so that an addition cannot overflow.
    private mutating func scanExponent() throws(JSONSyntaxError) -> Int {
        let isNegative = current == UInt8(ascii: "-")
        if isNegative || current == UInt8(ascii: "+") { position += 1 }
        let start = position
        try scanDigits()
        let magnitude = JSONNumber.saturatedValue(
            ofDigits: UnsafeBufferPointer(rebasing: input[start..<position]))
        return isNegative ? -magnitude : magnitude
    }
}
