import TripModel

/// A line being written.
struct Prompt: Sendable {
    /// What is done with it.
    enum Purpose: Equatable, Sendable {
        /// It names a new item below the cursor.
        case add
        /// It is looked for, from a row on.
        case search(origin: Outline.Row)
    }

    let purpose: Purpose
    var line: LineEditor

    /// What stands before the line.
    var label: String {
        switch purpose {
        case .add: "New item:"
        case .search: "Search:"
        }
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
