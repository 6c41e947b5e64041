import TripModel

/// What a schedule's file would change.
package struct ImportPreview: Equatable, Sendable {
    /// What the file is called.
    package let name: String
    /// What it would do, a line each.
    package let lines: [String]
    /// All its edits, in batches that each fit into one request.
    package let batches: [[Edit]]

    /// Makes a preview.
    package init(name: String, lines: [String], batches: [[Edit]]) {
        self.name = name
        self.lines = lines
        self.batches = batches
    }
}
