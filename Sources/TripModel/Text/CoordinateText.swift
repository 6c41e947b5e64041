/// Text forms of coordinates.
package enum CoordinateText {
    /// `33.755 -84.401`; north and east are positive.
    package static func text(of point: Coordinate) -> String {
        "\(DecimalText.text(of: point.latitude)) \(DecimalText.text(of: point.longitude))"
    }

    /// Two numbers separated by blanks, commas or semicolons; nil for other text.
    package static func coordinate(of text: String) -> Coordinate? {
        let parts = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
        guard parts.count == 2, let latitude = DecimalText.number(of: parts[0]),
            let longitude = DecimalText.number(of: parts[1])
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
