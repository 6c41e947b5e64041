/// Why bytes are not one JSON value as RFC 8259 has it (and as this wire narrows it), and where.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package let reason: Reason

    /// The offending byte, counted from 0 at the first byte given. It equals the number of bytes when something is
    /// missing at the end. For ill-formed UTF-8 and for a lone surrogate it is where the sequence or escape begins.
    package let offset: Int

    /// Makes an error; `offset` counts bytes from 0.
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// One line for a person.
    package var description: String { "\(reason) at byte \(offset)" }
}

extension JSONSyntaxError {
    /// Everything a document can be refused for.
    package enum Reason: Sendable, Equatable, CaseIterable, CustomStringConvertible {
        case emptyInput
        case byteOrderMark
        case unexpectedEnd
        case valueExpected
        case keyExpected
        case colonExpected
        case commaOrEndExpected
        case trailingComma
        case trailingBytes
        case controlByte
        case invalidUTF8
        case invalidEscape
        case loneSurrogate
        case duplicateKey
        case invalidLiteral
        case invalidNumber
        case leadingZero
        case numberOutOfRange
        case tooDeep
        case tooLong

        /// The reason in plain words, without the place.
        package var description: String {
            switch self {
            case .emptyInput: "there is no value"
            case .byteOrderMark: "a byte-order mark is not allowed"
            case .unexpectedEnd: "the value ends too early"
            case .valueExpected: "a value was expected"
            case .keyExpected: "a key in double quotes was expected"
            case .colonExpected: "a colon was expected after the key"
            case .commaOrEndExpected: "a comma or the closing bracket was expected"
            case .trailingComma: "a comma after the last element is not allowed"
            case .trailingBytes: "there is something after the value"
            case .controlByte: "a control byte must be written as an escape"
            case .invalidUTF8: "the bytes are not valid UTF-8"
            case .invalidEscape: "there is no such escape"
            case .loneSurrogate: "half of a surrogate pair stands alone"
            case .duplicateKey: "the object has this key twice"
            case .invalidLiteral: "only true, false and null may stand without quotes"
            case .invalidNumber: "this is not a JSON number"
            case .leadingZero: "a number must not begin with a needless zero"
            case .numberOutOfRange: "the number is too large for a double"
            case .tooDeep: "arrays and objects are nested too deep"
            case .tooLong: "the document is 4 GiB long or longer"
            }
        }
    }
}
