/// The embedded OpenRPC document, `Protocol/openrpc.json`.
enum ProtocolDocument {
    /// The document on one line, without white space between its tokens.
    static let line: [UInt8] = {
        var line: [UInt8] = []
        line.reserveCapacity(PackageResources.openrpc_json.count)
        var isInString = false
        var isEscaped = false
        for byte in PackageResources.openrpc_json {
            // Outside strings, all JSON bytes up to a space are white space.
            if !isInString, byte <= UInt8(ascii: " ") { continue }
            line.append(byte)
            if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        }
        return line
    }()
}
