/// Finds elements by a name that somebody types.
package enum NameMatcher {
    /// The elements of exactly this name, else those of the name in any case, else those with a name that begins with it;
    /// none for an empty text. The first name of an element precedes its others.
    ///
    /// - Parameter names: the names of an element; every element has equally many.
    package static func matches<Element>(
        _ text: String, in elements: [Element], by names: (Element) -> [String]
    ) -> [Element] {
        guard !text.isEmpty, let first = elements.first else { return [] }
        let wanted = text.lowercased()
        let ranks = names(first).indices
        for isSame: (String) -> Bool in [{ $0 == text }, { $0.lowercased() == wanted }] {
            for rank in ranks {
                let found = elements.filter { isSame(names($0)[rank]) }
                if !found.isEmpty { return found }
            }
        }
        return elements.filter { names($0).contains { $0.lowercased().hasPrefix(wanted) } }
    }
}
