/// `1 day`, `3 days`.
package func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}

/// The text with its first letter as a capital.
package func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
}
