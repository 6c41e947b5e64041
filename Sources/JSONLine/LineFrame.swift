/// The result of framing.
package enum LineFrame: Sendable, Equatable {
    /// A line that is not blank, without its newline.
    case line([UInt8])
    /// A line longer than the limit; its content is dropped.
    case tooLong
}
