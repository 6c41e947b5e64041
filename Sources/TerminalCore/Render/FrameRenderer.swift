/// Computes the bytes that change a terminal from one frame to the next.
///
/// After each call the terminal has a plain pen and the frame's cursor position, so a call depends only on
/// its two frames. The result is meant for a single write.
package struct FrameRenderer: Hashable, Sendable {
    /// Colours beyond this depth are replaced by the nearest available ones.
    package var colorDepth: ColorDepth
    /// Whether the terminal supports mode 2026.
    package var synchronizesUpdates: Bool

    /// A renderer that has drawn nothing yet.
    package init(colorDepth: ColorDepth = .ansi16, synchronizesUpdates: Bool = false) {
        self.colorDepth = colorDepth
        self.synchronizesUpdates = synchronizesUpdates
    }

    /// The bytes that change a screen from `previous` to `next`; empty if they look the same.
    ///
    /// Without a previous frame, or with one of another size, the screen is cleared and drawn completely.
    package func bytes(for next: Frame, over previous: Frame?) -> [UInt8] {
        let known = previous.flatMap { $0.width == next.width && $0.height == next.height ? $0 : nil }
        var painter = FramePainter(
            next: next, previous: known, colorDepth: colorDepth, synchronizesUpdates: synchronizesUpdates)
        return painter.paint()
    }
}
