/// Refusals of the daemon in the words of somebody at a command line, who sees neither the request nor its fields.
enum RefusalText {
    /// `root is dragging Hotel` of `root is dragging it`, `the title must not be empty` of `item.title: it must not be
    /// empty`; anything else as it is.
    ///
    /// - Parameter title: of the item that the request was about.
    static func sentence(_ message: String, about title: String?) -> String {
        for prefix in ["item.", "set."] where message.hasPrefix(prefix) {
            let parts = message.dropFirst(prefix.count).split(separator: ": ", maxSplits: 1)
            guard parts.count == 2 else { return message }
            return parts[1].hasPrefix("it ")
                ? "the \(parts[0]) \(parts[1].dropFirst(3))" : "\(parts[0]): \(parts[1])"
        }
        guard let title, !title.isEmpty else { return message }
        let visible = PlainText.visible(title)
        if message.hasPrefix("it ") { return visible + message.dropFirst(2) }
        if message.hasSuffix(" is dragging it") { return message.dropLast(2) + visible }
        return message
    }
}
