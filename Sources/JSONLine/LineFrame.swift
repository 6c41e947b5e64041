/// What a framer gives out.
package enum LineFrame: Sendable, Equatable {
    /// A line that is not blank, without its end.
    case line([UInt8])
    /// A line was longer than the limit; none of it is given.
    case tooLong
}
