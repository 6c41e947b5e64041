extension Trip {
    /// The people whom items name in `who`, `paidBy` and `for`, by their names in lower case. Of several spellings the
    /// first by its bytes counts.
    package var spellings: [String: String] {
        var spellings: [String: String] = [:]
        for item in items {
            for name in [ItemField.who, .paidBy, .sharedBy].flatMap({ item.content.people($0) ?? [] }) {
                let other = spellings[name.lowercased(), default: name]
                spellings[name.lowercased()] = String.precedes(name, other) ? name : other
            }
        }
        return spellings
    }

    /// The trip with only the items of one person, and those of nobody in particular.
    ///
    /// - Parameter person: a name in `who`, in any case.
    package func items(of person: String) throws(TripInconsistency) -> Trip {
        let person = person.lowercased()
        var header = header
        header.todo = header.todo.filter { $0.concerns(person) }
        return try Trip(
            header: header, version: version,
            items: items.filter { item in
                item.content.people(.who)?.contains { $0.lowercased() == person } ?? true
            })
    }
}

extension ItemContent {
    /// The different names in a field, which are separated by commas; nil if there is none. Case does not matter.
    package func people(_ field: ItemField) -> [String]? {
        guard case .text(let text)? = self[field] else { return nil }
        var names: [String] = []
        for part in text.split(separator: ",") {
            let name = String(part.drop(while: \.isWhitespace).trimmedEnd)
            if !name.isEmpty, !names.contains(where: { $0.lowercased() == name.lowercased() }) {
                names.append(name)
            }
        }
        return names.isEmpty ? nil : names
    }
}

extension Substring {
    fileprivate var trimmedEnd: Substring {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
