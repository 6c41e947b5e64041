import TripModel

/// A title being written.
struct Prompt: Sendable {
    /// What is done with it.
    enum Purpose: Equatable, Sendable {
        /// It names a new item below the cursor.
        case add
        /// It is the new title of an item.
        case rename(ItemID)
    }

    let purpose: Purpose
    var line: LineEditor

    /// What stands before the line.
    var label: String {
        switch purpose {
        case .add: "New item:"
        case .rename: "Title:"
        }
    }

    /// The title as it would be kept; nil if there is none.
    var title: String? {
        let trimmed = line.text.drop { $0 == " " }
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(trimmed[...last])
    }

    /// Why the title cannot be taken; nil if it can.
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
