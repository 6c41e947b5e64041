import TripModel

/// A line being written.
struct Prompt: Sendable {
    /// What is done with it.
    enum Purpose: Sendable {
        /// It names a new item, which goes to a place.
        case add(at: Spot)
        /// It is looked for, from a row on, which stood at a place in the list.
        case search(origin: Outline.Row, row: Int)
        /// It is looked at whether it can be a title.
        case title
    }

    let purpose: Purpose
    var line: LineEditor

    /// What stands before the line.
    var label: String {
        switch purpose {
        case .add, .title: "New item:"
        case .search: "Search:"
        }
    }

    var isSearch: Bool {
        if case .search = purpose { true } else { false }
    }

    /// Why the text cannot be a title; nil if it can.
    func objection(to title: String) -> String? {
        do throws(Rejection) {
            try TextRule.line(.textBytes).check(title, field: "title")
            return nil
        } catch {
            switch error {
            case .limitExceeded(.combiningMarks, _): return "There are too many marks on one character."
            case .limitExceeded: return "The title is too long."
            default: return "The title has a character that may not be shown."
            }
        }
    }
}
