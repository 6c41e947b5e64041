/// The OpenRPC document of the wire, `Protocol/openrpc.json`, as it was when this was built.
enum ProtocolDocument {
    /// The document as one JSON value on one line.
    ///
    /// A JSON string holds no raw newline, so dropping every newline and the indentation after it changes nothing.
    static let line: [UInt8] = {
        var line: [UInt8] = []
        line.reserveCapacity(PackageResources.openrpc_json.count)
        var isIndentation = false
        for byte in PackageResources.openrpc_json {
            if byte == UInt8(ascii: "\n") {
                isIndentation = true
            } else if byte != UInt8(ascii: " ") || !isIndentation {
                isIndentation = false
                line.append(byte)
            }
        }
        return line
    }()
}
