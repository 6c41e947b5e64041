/// What a user, or a test, chooses about the editor.
package struct EditorOptions: Sendable {
    /// Whether only ASCII is drawn, but for what people wrote themselves.
    package var ascii: Bool
    /// Whether nothing changes on the screen by time alone.
    package var reduceMotion: Bool
    /// The source of new items' ids.
    package var generator: any RandomNumberGenerator & Sendable

    /// Makes options.
    package init(
        ascii: Bool = false, reduceMotion: Bool = false,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.ascii = ascii
        self.reduceMotion = reduceMotion
        self.generator = generator
    }
}
