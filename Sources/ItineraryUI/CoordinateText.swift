import TripModel

/// Points on the Earth as people write them.
enum CoordinateText {
    /// `33.755 -84.401`, north and east positive.
    static func text(of point: Coordinate) -> String { "\(point.latitude) \(point.longitude)" }

    /// Two numbers with a blank, a comma or both between them; nil for anything else.
    static func coordinate(of text: String) -> Coordinate? {
        let parts = text.split { $0 == "," || $0.isWhitespace }
        guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
            latitude.isFinite, longitude.isFinite
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}
