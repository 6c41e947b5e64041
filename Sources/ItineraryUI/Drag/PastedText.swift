import Foundation
import TerminalCore
import TripModel

/// Interprets pasted text.
package enum PastedText {
    /// Titles made from lines.
    package struct Titles: Equatable, Sendable {
        /// One for each line that is not blank.
        package fileprivate(set) var titles: [String] = []
        /// The number of lines that were truncated to the maximum length of a title.
        package fileprivate(set) var cutCount = 0

        /// The message about truncated lines; nil if there are none.
        package var cutSentence: String? {
            guard cutCount > 0 else { return nil }
            let lines = cutCount == 1 ? "1 line is longer" : "\(cutCount) lines are longer"
            return "\(lines) than a title may be (\(TripLimits.textBytes) bytes): the rest is left out."
        }
    }

    /// The title of each line, without characters that a title may not contain. Blank lines give none.
    package static func titles(in text: String) -> Titles {
        var all = Titles()
        for line in text.split(whereSeparator: \.isNewline) {
            var editor = LineEditor()
            let isWhole = editor.insert(line.unicodeScalars.map { $0 == "\t" ? " " : $0 })
            guard let title = editor.trimmed, (try? ItemField.title.check(.text(title))) != nil else {
                continue
            }
            all.titles.append(title)
            if !isWhole { all.cutCount += 1 }
        }
        return all
    }

    /// The file extensions that can be imported.
    private static let scheduleEndings = [".csv", ".ics", ".json"]

    /// The path of a schedule file, if the text is one as terminals paste dropped files: plain, quoted, with
    /// escaped spaces or as a `file:` URL.
    package static func schedulePath(in text: String) -> String? {
        guard let path = path(in: text),
            let last = path.split(separator: "/", omittingEmptySubsequences: false).last?.lowercased(),
            scheduleEndings.contains(where: { last.hasSuffix($0) && last.count > $0.count })
        else { return nil }
        // A sentence with such an ending is a title.
        return isRooted(path) || path.hasPrefix("./") || !path.contains(" ") ? path : nil
    }

    /// The name of any other dropped file, without folder and extension.
    package static func fileName(in text: String) -> String? {
        guard let path = path(in: text), isRooted(path), let last = path.split(separator: "/").last else {
            return nil
        }
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return String(last) }
        return String(last[..<dot])
    }

    private static func isRooted(_ path: String) -> Bool {
        (path.hasPrefix("/") && path.dropFirst().contains("/")) || path.hasPrefix("~/")
    }

    /// The text as a path, if possible.
    private static func path(in text: String) -> String? {
        let path = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !path.contains(where: \.isNewline) else { return nil }
        let plain = unquoted(path)
        guard plain.hasPrefix("file://") else { return plain }
        let rest = plain.dropFirst("file://".count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        return String(rest[slash...]).removingPercentEncoding ?? String(rest[slash...])
    }

    /// A word without the quotes and backslashes that a shell would remove; unchanged if a quote is not
    /// closed.
    private static func unquoted(_ text: String) -> String {
        var result = ""
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                result.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                result.append(character)
            }
        }
        return quote == nil ? result : text
    }
}

/// External input: pasted text, dropped files, copies.
extension EditorState {
    /// The maximum number of scalars that a line accepts from a paste.
    private static let pasteLimit = TripLimits.operations * TripLimits.textBytes

    mutating func paste(_ text: String) {
        guard window.isLargeEnough else { return }
        status.clear()
        motion.endSnapBack()
        switch mode {
        case .browsing: lift(pasted: text)
        case .filling(let form) where form.fields.current.field == .note:
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                .reversed().drop(while: \.isEmpty).reversed()
            write(lines.joined(separator: ItemField.lineBreakSign).unicodeScalars, tab: " ")
        case .prompting(let prompt) where prompt.isAdd && text.contains(where: \.isNewline):
            lift(pasted: prompt.line.text + text)
        case .choosing(let chooser) where text.contains(where: \.isNewline) && chooser.context == .todo:
            guard case .todo(let list) = chooser.purpose else { break }
            add(pasted: text, toTodo: list, after: chooser.line?.editor.text ?? "")
        case .prompting, .filling, .planning, .choosing, .helping:
            write(text.replacing("\n", with: " ").unicodeScalars, tab: " ")
        case .confirming, .acknowledging, .awaiting, .ended: repeatMessage()
        case .dragging(let drag): add(pasted: text, to: drag)
        }
    }

    private mutating func write(_ text: String.UnicodeScalarView, tab: Unicode.Scalar) {
        write(text.prefix(Self.pasteLimit).map { $0 == "\t" ? tab : $0 })
    }

    /// Drags a new item for each pasted line or file name; a schedule file is previewed instead.
    private mutating func lift(pasted text: String) {
        if let path = PastedText.schedulePath(in: text) {
            emit(.previewImport(path: path))
            begin(.awaiting(PendingOperation(.importPreview, "Reading \(path)…")))
            return
        }
        guard let pasted = takeTitles(in: text, besides: 0) else { return }
        lift(newItems(titled: pasted.titles))
        if let sentence = pasted.cutSentence { say(sentence) }
    }

    /// Adds pasted items to a drag, below the items in it; an item of the trip is dragged alone.
    private mutating func add(pasted text: String, to drag: Drag) {
        guard case .new(let items) = drag.load, !drag.isDropped, let board,
            PastedText.schedulePath(in: text) == nil
        else { return refuse("\(drag.title) is lifted: put it down first, then paste again.") }
        guard let pasted = takeTitles(in: text, besides: items.count) else { return }
        let more = newItems(titled: pasted.titles)
        guard var all = Drag(new: items + more, belowRow: board.cursor, of: board.outline) else { return }
        all.gap = drag.gap
        carry(all)
        say(pasted.cutSentence ?? all.liftSentence(in: board.outline.trip))
    }

    private mutating func newItems(titled titles: [String]) -> [NewItem] {
        titles.map { NewItem(id: newItemID(), content: .custom(CustomItem(title: $0))) }
    }

    /// The titles of pasted lines, all or none: nil after reporting the reason.
    ///
    /// - Parameter count: the number of new items in the drag.
    private mutating func takeTitles(in text: String, besides count: Int) -> PastedText.Titles? {
        let pasted = PastedText.titles(in: PastedText.fileName(in: text) ?? text)
        let room = TripLimits.items - count - (board?.outline.trip.items.count ?? 0)
        if pasted.titles.isEmpty {
            refuse("The pasted text has no title.")
            return nil
        }
        guard pasted.titles.count <= room else {
            refuse(
                "\(counted(pasted.titles.count, "line")) pasted, but the trip has room for \(counted(max(room, 0), "item")); nothing was added."
            )
            return nil
        }
        return pasted
    }
}
