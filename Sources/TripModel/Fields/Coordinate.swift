/// A point on the Earth, in degrees of WGS 84.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north of the equator, −90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public var longitude: Double

    /// Makes a point. The bounds are checked when an item gets it.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

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
