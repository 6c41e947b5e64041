/// Turns the difference of two frames into the bytes that make a terminal show the second one.
///
/// Between calls the terminal is left with a plain pen and the cursor where the frame says; so a call depends
/// on its two frames only. The result is meant for one write.
package struct FrameRenderer: Hashable, Sendable {
    /// Colours beyond this depth are sent as the nearest it has.
    package var colorDepth: ColorDepth
    /// Whether the terminal said that it knows mode 2026.
    package var synchronizesUpdates: Bool

    /// A renderer that has drawn nothing yet.
    package init(colorDepth: ColorDepth = .ansi16, synchronizesUpdates: Bool = false) {
        self.colorDepth = colorDepth
        self.synchronizesUpdates = synchronizesUpdates
    }

    /// The bytes that turn a screen showing `previous` into one showing `next`; none if they look the same.
    ///
    /// Without a previous frame, or with one of another size, everything is cleared and drawn.
    package func bytes(for next: Frame, over previous: Frame?) -> [UInt8] {
        let known = previous.flatMap { $0.width == next.width && $0.height == next.height ? $0 : nil }
        var painter = FramePainter(
            next: next, previous: known, colorDepth: colorDepth, synchronizesUpdates: synchronizesUpdates)
        return painter.paint()
    }
}
