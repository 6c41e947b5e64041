/// The version of the protocol: major versions are incompatible, minor ones only add.
public struct ProtocolVersion: Hashable, Sendable {
    /// Incremented by incompatible changes.
    public let major: Int
    /// Incremented by additions.
    public let minor: Int

    /// Creates a version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// The version of this implementation.
    public static let current = ProtocolVersion(major: 1, minor: 3)

    /// The version of the programs, as sent in hello and printed by `--version`.
    public static let program = "0.1.0"
}

extension ProtocolVersion: CustomStringConvertible {
    /// `1.0`
    public var description: String { "\(major).\(minor)" }
}
