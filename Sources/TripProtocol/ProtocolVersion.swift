/// The version of the wire: another major does not talk to this one, a newer minor only adds.
public struct ProtocolVersion: Hashable, Sendable {
    /// Rises when something changes its meaning.
    public let major: Int
    /// Rises when something is added.
    public let minor: Int

    /// Makes a version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// What this code speaks.
    public static let current = ProtocolVersion(major: 1, minor: 1)

    /// The version of the programs, as told in hello and by `--version`.
    public static let program = "0.1.0"
}

extension ProtocolVersion: CustomStringConvertible {
    /// `1.0`
    public var description: String { "\(major).\(minor)" }
}
