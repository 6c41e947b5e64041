extension DaemonAddress {
    /// Another machine, whose daemon is reached by a program such as ssh.
    public struct Host: Hashable, Sendable {
        /// The account there; nil for the program's default.
        public let user: String?
        /// The machine's name or address.
        public let name: String
        /// The port; nil for the program's default.
        public let port: Int?

        /// The reason why a text is not a valid host.
        public struct Mistake: Error, Equatable, Sendable, CustomStringConvertible {
            /// The mistake and its correction.
            public let description: String
        }

        /// Parses `ssh://[USER@]HOST[:PORT]`.
        ///
        /// - Throws: `Mistake` for anything else, and for names that a program could mistake for an option.
        public init(_ text: String) throws(Mistake) {
            let scheme = "ssh://"
            guard text.hasPrefix(scheme) else {
                throw Mistake(description: "a host is like ssh://ann@example.org:22, not \(Self.shown(text))")
            }
            var rest = text.dropFirst(scheme.count)
            var user: String?
            if let sign = rest.firstIndex(of: "@") {
                user = try Self.checked(rest[..<sign], "user")
                rest = rest[rest.index(after: sign)...]
            }
            self.user = user
            var port: Int?
            // An IPv6 address contains colons and is in brackets.
            let end = rest.hasPrefix("[") ? rest.firstIndex(of: "]") ?? rest.startIndex : rest.startIndex
            if let sign = rest[end...].firstIndex(of: ":") {
                let digits = rest[rest.index(after: sign)...]
                guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
                    (1...65_535).contains(number)
                else {
                    throw Mistake(
                        description: "a port is a number from 1 to 65535, not \(Self.shown(digits))")
                }
                port = number
                rest = rest[..<sign]
            }
            self.port = port
            let name = try Self.checked(rest, "host")
            guard name.hasPrefix("[") == name.hasSuffix("]") else {
                throw Mistake(description: "the host \(name) has an unmatched bracket")
            }
            // ssh expects such an address without brackets.
            self.name = name.hasPrefix("[") ? try Self.checked(name.dropFirst().dropLast(), "host") : name
        }

        private static func checked(_ part: Substring, _ what: String) throws(Mistake) -> String {
            guard !part.isEmpty else { throw Mistake(description: "the \(what) is missing in the host") }
            guard part.first != "-", part.utf8.allSatisfy(isAllowed) else {
                throw Mistake(
                    description:
                        "the \(what) \(shown(part)) is refused: letters, digits and . - _ : [ ] % are allowed, and it does not begin with -"
                )
            }
            return String(part)
        }

        private static func isAllowed(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ".-_:[]%".utf8.contains(byte)
            }
        }

        private static func shown(_ text: some StringProtocol) -> String {
            "“"
                + text.unicodeScalars.prefix(80).map { $0.isASCII && $0.value < 32 ? "?" : String($0) }
                .joined()
                + "”"
        }
    }
}

extension DaemonAddress.Host: CustomStringConvertible {
    /// `ann@example.org`
    public var description: String { user.map { "\($0)@\(name)" } ?? name }

    /// The arguments of the program: the host, and the command to run there.
    package var arguments: [String] {
        (port.map { ["-p", "\($0)"] } ?? []) + [description, "itineraryd", "dial-stdio"]
    }
}
