/// The reason why bytes are not one valid JSON value, with its position.
package struct JSONSyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    package let reason: Reason

    /// The offset of the offending byte from 0. It equals the number of bytes if something is missing at the
    /// end. For ill-formed UTF-8 and a lone surrogate it is the start of the sequence or escape.
    package let offset: Int

    /// Creates an error; `offset` counts bytes from 0.
    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// One line for the user.
    package var description: String { "\(reason) at byte \(offset)" }
}

extension JSONSyntaxError {
    /// All reasons for refusing a document.
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

        /// The reason in words, without the position.
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
            case .trailingBytes: "there is text after the value"
            case .controlByte: "a control byte must be written as an escape"
            case .invalidUTF8: "the bytes are not valid UTF-8"
            case .invalidEscape: "the escape is not valid"
            case .loneSurrogate: "half of a surrogate pair is missing"
            case .duplicateKey: "the object has this key twice"
            case .invalidLiteral: "only true, false and null may be written without quotes"
            case .invalidNumber: "this is not a JSON number"
            case .leadingZero: "a number must not begin with an extra zero"
            case .numberOutOfRange: "the number is too large for a double"
            case .tooDeep: "arrays and objects are nested too deep"
            case .tooLong: "the document is 4 GiB long or longer"
            }
        }
    }
}
