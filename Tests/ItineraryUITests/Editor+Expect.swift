import Testing

extension Editor {
    /// Compares the whole screen, as text, with the expected one.
    func expectScreen(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let actual = lines
        let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(actual.count == wanted.count, sourceLocation: sourceLocation)
        for (row, (line, want)) in zip(actual, wanted).enumerated() {
            #expect(line == want, "row \(row)", sourceLocation: sourceLocation)
        }
    }
}
