import TripModel

/// Writes the places of a trip as GPX 1.1: a waypoint for each item with a coordinate, and a route through
/// them in shown order.
enum GPXWriter {
    static func text(of trip: Trip) -> [UInt8] {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<gpx version=\"1.1\" creator=\"itineraryd\" xmlns=\"http://www.topografix.com/GPX/1/1\">",
            "  <metadata><name>\(Markup.escaped(trip.header.name))</name></metadata>",
        ]
        let points = trip.items.compactMap { item -> (attributes: String, item: Item)? in
            guard case .coordinate(let place)? = item.content[.coordinate] else { return nil }
            let latitude = DecimalText.text(of: place.latitude)
            return ("lat=\"\(latitude)\" lon=\"\(DecimalText.text(of: place.longitude))\"", item)
        }
        let clocks = TripClocks(trip)
        for point in points {
            lines.append("  <wpt \(point.attributes)>")
            lines += content(of: point.item, trip, clocks).map { "    \($0)" }
            lines.append("  </wpt>")
        }
        if !points.isEmpty {
            lines += ["  <rte>", "    <name>\(Markup.escaped(trip.header.name))</name>"]
            for point in points {
                let name = Markup.escaped(point.item.content.title)
                lines.append("    <rtept \(point.attributes)><name>\(name)</name></rtept>")
            }
            lines.append("  </rte>")
        }
        return Array((lines + ["</gpx>", ""]).joined(separator: "\n").utf8)
    }

    /// The children of a waypoint, in the order of the schema.
    private static func content(of item: Item, _ trip: Trip, _ clocks: TripClocks) -> [String] {
        let words = ItemWords(item, clocks)
        var lines: [String] = []
        if case .game(let game) = item.content, let start = CalendarText.utc(game.startsAt.secondsSince1970) {
            let digits = Array(start)
            func part(_ range: Range<Int>) -> String { String(digits[range]) }
            let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
            lines.append("<time>\(date)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z</time>")
        }
        lines.append("<name>\(Markup.escaped(item.content.title))</name>")
        let date = trip.header.date(ofDay: item.position.day).map(PlanDay.long)
        let description = ["Day \(item.position.day)", date, words.time].compactMap(\.self) + words.details
        lines.append("<desc>\(Markup.escaped(description.joined(separator: " · ")))</desc>")
        if let url = words.url { lines.append("<link href=\"\(Markup.escaped(url))\"/>") }
        lines.append("<type>\(item.content.kind.rawValue)</type>")
        return lines
    }
}

/// Escapes for HTML and XML.
enum Markup {
    /// Text with markup escaped, also for attributes in quotes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in TextRule.visible(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // These two are not allowed in XML.
            case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
