import ScheduleFiles
import Testing
import TripModel

@Suite struct AddressTests {
    private typealias S = CalendarSamples

    /// An address, and the city that it names.
    private static let addresses: [(text: String, city: String?)] = [
        // Germany, Austria, Switzerland
        ("SO36, Oranienstr. 190, 10999 Berlin, Germany", "Berlin"),
        ("Deutsches Museum, Museumsinsel 1, 80538 München, Deutschland", "München"),
        ("Allianz Arena\nWerner-Heisenberg-Allee 25\n80939 München\nGermany", "München"),
        ("Elbphilharmonie, Platz der Deutschen Einheit 4, D-20457 Hamburg", "Hamburg"),
        ("Gasometer, Guglgasse 6, 1110 Wien, Österreich", "Wien"),
        ("Hallenstadion, Wallisellenstrasse 45, CH-8050 Zürich, Schweiz", "Zürich"),
        ("Kaserne, Klybeckstrasse 1b, Basel", "Basel"),
        // United Kingdom, Ireland
        ("Old Trafford, Sir Matt Busby Way, Manchester M16 0RA, UK", "Manchester"),
        ("O2 Academy, 211 Stockwell Road, London, SW9 9SL, United Kingdom", "London"),
        ("Corn Exchange, Wheeler Street, Cambridge", "Cambridge"),
        ("The Apex, Charter Square, Bury St Edmunds, England", "Bury St Edmunds"),
        ("Whelan's, 25 Wexford Street, Dublin 2, D02 H527, Ireland", "Dublin"),
        ("Olympia Theatre, 72 Dame St, Dublin", "Dublin"),
        // France, Belgium, Luxembourg, Monaco
        ("Accor Arena, 8 Bd de Bercy, 75012 Paris, France", "Paris"),
        ("Le Transbordeur, 3 Boulevard Stalingrad, 69100 Villeurbanne CEDEX", "Villeurbanne"),
        ("Ancienne Belgique, Boulevard Anspach 110, 1000 Bruxelles, Belgique", "Bruxelles"),
        ("Philharmonie, 1 Place de l'Europe, 1499 Luxembourg, Luxembourg", "Luxembourg"),
        ("Stade Louis II, 7 Avenue des Castelans, Monaco", "Monaco"),
        // Netherlands, Denmark, Sweden, Norway, Finland
        ("Paradiso, Weteringschans 6-8, 1017 SG Amsterdam, Netherlands", "Amsterdam"),
        ("Vega, Enghavevej 40, 1674 København V, Danmark", "København V"),
        ("Avicii Arena, Globentorget 2, 121 77 Johanneshov, Sverige", "Johanneshov"),
        ("Rockefeller, Torggata 16, 0181 Oslo, Norge", "Oslo"),
        ("Tavastia, Urho Kekkosen katu 4, 00100 Helsinki, Suomi", "Helsinki"),
        // Spain, Portugal, Italy
        ("Camp Nou, Carrer d'Arístides Maillol, 12, 08028 Barcelona, España", "Barcelona"),
        ("Bernabéu, Av. de Concha Espina, 1, 28036 Madrid, Spain", "Madrid"),
        ("Coliseu, R. de Passos Manuel 137, 4000-385 Porto, Portugal", "Porto"),
        ("San Siro, Piazzale Angelo Moratti, 20151 Milano MI, Italia", "Milano"),
        ("Teatro Regio, Piazza Castello 215, Torino, Italy", "Torino"),
        // Poland, Czechia, Hungary, Greece, Turkey
        ("Stodoła, Stefana Batorego 10, 02-591 Warszawa, Polska", "Warszawa"),
        ("Lucerna, Štěpánská 61, 110 00 Praha 1, Česko", "Praha"),
        ("Aréna, Stefánia út 2, 1143 Budapest, Magyarország", "Budapest"),
        ("OAKA, Spyrou Loui, Athens 151 23, Greece", "Athens"),
        ("Zorlu PSM, Levazım, Koru Sokağı No:2, 34340 Beşiktaş/İstanbul, Türkiye", "İstanbul"),
        // United States, Canada, Mexico
        ("Madison Square Garden, 4 Pennsylvania Plaza, New York, NY 10001, USA", "New York"),
        ("Levi's Stadium, 4900 Marie P DeBartolo Way, Santa Clara, California, United States", "Santa Clara"),
        ("Enterprise Center, 1401 Clark Ave, St. Louis, MO 63103", "St. Louis"),
        ("Red Rocks, 18300 W Alameda Pkwy, Morrison CO 80465, USA", "Morrison"),
        ("Scotiabank Arena, 40 Bay St., Toronto, ON M5J 2X2, Canada", "Toronto"),
        ("Foro Sol, Viad. Río de la Piedad, 08400 Ciudad de México, CDMX, Mexico", "Ciudad de México"),
        // Brazil, Argentina
        ("Allianz Parque, Av. Francisco Matarazzo, 1705, São Paulo - SP, 05001-200, Brazil", "São Paulo"),
        ("Movistar Arena, Humboldt 450, C1414 Buenos Aires, Argentina", "Buenos Aires"),
        // Japan, Korea, India, Singapore, the Gulf
        ("Tokyo Dome, 1-3-61 Koraku, Bunkyo City, Tokyo 112-0004, Japan", "Tokyo"),
        ("World Cup Stadium, 240 World Cup-ro, Mapo-gu, Seoul, South Korea", "Seoul"),
        ("Wankhede Stadium, D Road, Churchgate, Mumbai, Maharashtra 400020, India", "Mumbai"),
        ("National Stadium, 1 Stadium Drive, Singapore 397629", "Singapore"),
        ("Coca-Cola Arena - City Walk - Dubai - United Arab Emirates", "Dubai"),
        // Australia, New Zealand
        ("Opera House, Bennelong Point, Sydney NSW 2000, Australia", "Sydney"),
        ("Sky Stadium, 105 Waterloo Quay, Wellington 6011, New Zealand", "Wellington"),
        // No city can be told from these.
        ("Wembley Stadium", nil),
        ("Club, Hauptstraße 5", nil),
        ("Club, 12 Main Street", nil),
        ("Gate 1, Germany", nil),
        ("Convention Center, Room 1234", nil),
        ("https://maps.example/?q=1,2", nil),
        ("Museumsinsel 1, 80538", nil),
        // Two parts, and parts without a street.
        ("Stade de France, Saint-Denis", "Saint-Denis"),
        ("Estadio Azteca, Mexico City, Mexico", "Mexico City"),
        ("Arena, https://maps.example/?q=1,2, Rome", "Rome"),
        ("Театр, ул. Лужники, 24, Москва, Россия, 119048", "Москва"),
    ]

    private func entry(_ location: String) throws -> FileEntry {
        let escaped = location.replacing(",", with: "\\,").replacing("\n", with: "\\n")
        return try #require(
            S.entries(S.event("DTSTART:20260611T190000Z", "LOCATION:\(escaped)")).entries.first)
    }

    @Test func `the city of an address is its town, and never a street, a postcode, a region or a country`()
        throws
    {
        for (text, city) in Self.addresses { #expect(try entry(text).words(.city) == city, "\(text)") }
    }

    @Test func `the venue is the first part, and an address on the web is a link`() throws {
        let arena = try entry("Allianz Arena\nWerner-Heisenberg-Allee 25\n80939 München")
        #expect(arena.words(.venue) == "Allianz Arena")
        let link = try entry("https://maps.example/?q=1,2")
        #expect(link.words(.venue) == nil && link.words(.url) == "https://maps.example/?q=1,2")
    }

    @Test func `a street beside the venue is kept in the note, and nothing else is added to it`() throws {
        let text = "SO36, Oranienstr. 190, 10999 Berlin, Germany"
        #expect(try entry(text).words(.note) == text)
        #expect(try entry("Estadio Azteca, Mexico City, Mexico").words(.note) == nil)
        #expect(try entry("Arena, Athens 151 23").words(.note) == nil)
    }
}
