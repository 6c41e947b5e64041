import ScheduleFiles
import TestSupport
import Testing
import TripModel

/// Bookings as programs extract them from mails and tickets.
@Suite struct BookingTests {
    private static let text = """
        [{"@type":"FlightReservation","reservationNumber":"ABC123",
          "reservedTicket":{"@type":"Ticket","ticketedSeat":{"@type":"Seat","seatNumber":"12A"}},
          "reservationFor":{"@type":"Flight","flightNumber":"716","airline":{"@type":"Airline","iataCode":"LH"},
           "departureAirport":{"@type":"Airport","iataCode":"FRA","name":"Frankfurt"},"departureTerminal":"1",
           "departureTime":{"@type":"QDateTime","@value":"2027-04-03T17:00:00+02:00","timezone":"Europe/Berlin"},
           "arrivalAirport":{"@type":"Airport","iataCode":"HND","name":"Haneda",
            "address":{"addressLocality":"Tokyo"}},
           "arrivalTime":{"@type":"QDateTime","@value":"2027-04-04T11:00:00+09:00","timezone":"Asia/Tokyo"}}},
         {"@type":"LodgingReservation","reservationNumber":"H9","checkinTime":"2027-04-04T15:00:00",
          "checkoutTime":"2027-04-07T11:00:00","reservationFor":{"@type":"LodgingBusiness","name":"Hotel Gracery",
           "address":{"streetAddress":"1-19-1 Kabukicho","addressLocality":"Tokyo"}}},
         {"@type":"TrainReservation","reservationFor":{"@type":"TrainTrip","trainNumber":"Hikari 505",
           "departureStation":{"name":"Tokyo"},"departureTime":"2027-04-07T09:33:00+09:00",
           "arrivalStation":{"name":"Kyoto"},"arrivalTime":"2027-04-07T12:10:00+09:00"}},
         {"@type":"EventReservation","reservationFor":{"@type":"Event","name":"Tigers v Giants",
           "startDate":"2027-04-08T18:00:00+09:00","endDate":"2027-04-08T21:00:00+09:00",
           "location":{"name":"Koshien","address":{"addressLocality":"Nishinomiya"}}}},
         {"@type":"EventReservation","reservationFor":{"@type":"Event","name":"Cinema",
           "startDate":"2027-04-09T20:15:00"}},
         {"@type":"BusReservation","reservationStatus":"http://schema.org/ReservationCancelled",
          "reservationFor":{"departureTime":"2027-04-08T10:00:00+09:00"}}]
        """

    @Test func `flights, trains, lodging and events become travel, custom items and games`() throws {
        let bytes = Array(Self.text.utf8)
        #expect(FileFormat(content: bytes) == .json)
        let file = try ScheduleFile(bytes, .json)
        var trip = CalendarSamples.frame("Asia/Tokyo", from: "2027-04-01", days: 10).emptyTrip(named: "Japan")
        var random = SplitMix64(seed: 1)
        func plan() throws -> ImportPlan {
            try ImportPlan(
                importing: file, into: trip, ImportOptions(source: "mails"), using: &random)
        }
        let first = try plan()
        #expect(first.report.imported == 5 && first.report.isComplete, "\(first.report.lines)")
        _ = try trip.apply(first.edits, by: Author(name: "Ann", at: Timestamp(milliseconds: 0)))
        let items = trip.items
        #expect(
            items.map(\.content.title) == [
                "Frankfurt → Tokyo", "Hotel Gracery", "Tokyo → Kyoto", "Tigers v Giants", "Cinema",
            ])
        #expect(items.map(\.position.day) == [3, 4, 7, 8, 9])
        let flight = items[0].content
        #expect(flight[.time] == ClockTime("17:00").map(FieldValue.time))
        #expect(flight[.durationMinutes] == .minutes(11 * 60))
        #expect(flight[.reference] == .text("ABC123, seat 12A") && flight[.mode] == .text("plane"))
        #expect(flight[.note] == .text("LH 716\nFrankfurt, terminal 1 → Haneda"))
        #expect(
            flight[.timeZone] == .text("Europe/Berlin") && flight[.arrivalTimeZone] == .text("Asia/Tokyo"))
        let frame = try #require(try file.newTripFrame(ImportOptions(source: "mails")))
        #expect(frame == CalendarSamples.frame("Asia/Tokyo", from: "2027-04-03", days: 7))
        let arrival = try #require(TripClocks(trip).arrival(of: items[0]))
        #expect(arrival.time == ClockTime("11:00") && arrival.dayOffset == 1 && arrival.zone == "Asia/Tokyo")
        let hotel = items[1].content
        #expect(hotel[.place] == .text("1-19-1 Kabukicho, Tokyo"))
        #expect(hotel[.nights] == .nights(3) && hotel[.time] == ClockTime("15:00").map(FieldValue.time))
        #expect(hotel[.endTime] == ClockTime("11:00").map(FieldValue.time) && hotel[.note] == nil)
        #expect(items[3].isGame && items[3].content[.durationMinutes] == .minutes(180))
        // A time of no known zone is one on the trip's clock.
        #expect(items[4].isGame && items[4].position == Position(day: 9, sortOrder: 100 + 20 * 60 + 15))
        #expect(try plan().report.unchanged == 5)
    }

    @Test func `a time with only an offset keeps its instant in any zone of the trip`() throws {
        func flight(_ number: String, _ departure: String, _ arrival: String) -> String {
            #"{"@type":"FlightReservation","reservationNumber":"\#(number)","reservationFor":{"flightNumber":"\#(number)","#
                + #""departureAirport":{"name":"Chicago"},"departureTime":"\#(departure)","#
                + #""arrivalAirport":{"name":"Mumbai"},"arrivalTime":"\#(arrival)"}}"#
        }
        let event =
            #"{"@type":"EventReservation","reservationFor":{"name":"Concert","startDate":"2026-06-13T20:00:00-05:00"}}"#
        let text =
            "["
            + [
                flight("a", "2026-06-12T10:00:00-05:00", "2026-06-13T11:30:00+05:30"),
                flight("b", "2026-06-14T10:00:00Z", "2026-06-14T21:00:00+02:00"), event,
            ].joined(separator: ",") + "]"
        let file = try ScheduleFile(Array(text.utf8), .json)
        func imported(_ zone: String) throws -> Trip {
            var trip = CalendarSamples.frame(zone, from: "2026-06-10", days: 6).emptyTrip(named: "T")
            var random = SplitMix64(seed: 1)
            for isRepeated in [false, true] {
                let plan = try ImportPlan(
                    importing: file, into: trip, ImportOptions(source: "mails"), using: &random)
                #expect(isRepeated ? plan.edits.isEmpty : plan.report.imported == 3)
                _ = try trip.apply(plan.edits, by: Author(name: "Ann", at: Timestamp(milliseconds: 0)))
            }
            return trip
        }
        for zone in ["Europe/Berlin", "America/Chicago"] {
            let trip = try imported(zone)
            let clocks = TripClocks(trip)
            let (first, concert, second) = (trip.items[0], trip.items[1], trip.items[2])
            let start = try #require(OffsetDateTime("2026-06-12T10:00:00-05:00"))
            #expect(clocks.start(of: first).map { Int64($0) * 60 } == start.secondsSince1970)
            #expect(first.content[.durationMinutes] == .minutes(15 * 60))
            #expect(clocks.arrivalText(of: first) == "→ 11:30 +1")
            #expect(first.content[.arrivalTimeZone] == .text("Asia/Kolkata"))
            #expect(
                first.content[.timeZone] == .text(zone == "America/Chicago" ? zone : "Etc/GMT+5"),
                "a zone of the trip is better known than an offset")
            #expect(concert.position == Position(day: 4, sortOrder: 100 + 20 * 60), "as the ticket says")
            #expect(clocks.start(of: second) == 20_618 * 1440 + 600)
            #expect(clocks.arrivalText(of: second) == "→ 21:00")
        }
        #expect(
            TripClocks(try imported("Europe/Berlin")).zoneText(of: try imported("Europe/Berlin").items[0])
                == "UTC−5 → Kolkata time")
    }

    @Test func `travellers of one booking share an item, and two times of one booking are two items`() throws
    {
        func flight(_ date: String, seat: String) -> String {
            #"{"@type":"TrainReservation","reservationNumber":"N","reservedTicket":{"ticketedSeat":{"seatNumber":"\#(seat)"}},"#
                + #""reservationFor":{"trainNumber":"ICE 1","departureTime":"\#(date)T08:00:00"}}"#
        }
        let text =
            "["
            + [
                flight("2027-04-03", seat: "1"), flight("2027-04-03", seat: "2"),
                flight("2027-04-05", seat: "3"), flight("2027-04-05", seat: "3"),
            ].joined(separator: ",") + "]"
        guard case .bookings(let file) = try ScheduleFile(Array(text.utf8), .json) else {
            Issue.record("it is read as something else")
            return
        }
        #expect(file.entries.entries.map { $0.text(.reference) } == ["N, seat 1, seat 2", "N, seat 3"])
    }

    private func entries(_ json: String) throws -> FileEntries {
        try CalendarSamples.entries(Array(json.utf8), format: .json)
    }

    @Test func `a reservation may book several things, and a hotel may have dates under other names`() throws
    {
        let hotel = try entries(
            """
            {"@type":"LodgingReservation","checkinDate":"2027-03-02T15:00:00+03:00","checkoutDate":"2027-03-05",
             "reservationFor":{"@type":["Hotel","Hostel"],"name":"Seaview","address":"1 Main St, Hamburg, Germany"}}
            """)
        #expect(CalendarSamples.starts(hotel) == ["2027-03-02"] && hotel.entries[0][.nights] == .nights(3))
        #expect(hotel.entries[0].words(.city) == "Hamburg", "and never the name of the hotel")
        let flights = try entries(
            """
            [{"@type":"FlightReservation","reservationNumber":"X","reservationFor":[
              {"@type":"Flight","flightNumber":"1","departureTime":"2027-03-02T10:00:00"},
              {"@type":"Flight","flightNumber":"2","departureTime":"2027-03-02T14:00:00"}]}]
            """)
        #expect(flights.entries.map { $0.words(.note) ?? "" } == ["1", "2"] && flights.skipped == [])
    }

    @Test func `events of pages on the web are read, and cancelled ones are named`() throws {
        let found = try entries(
            """
            {"@context":"https://schema.org","@graph":[
             {"@type":"MusicEvent","@id":"https://a.example/1","name":"Graph &amp; Show","startDate":"2027-03-02T20:00:00+01:00",
              "description":"<p>Doors 19:00</p>",
              "location":[{"@type":"VirtualLocation","url":"https://a.example/live"},
               {"@type":"MusicVenue","name":"Club","address":"1 Main St, Hamburg"}]},
             {"@type":"SportsEvent","name":"Off","startDate":"2027-03-03","eventStatus":"https://schema.org/EventCancelled"},
             {"@type":"WebPage"}]}
            """)
        let show = try #require(found.entries.first)
        #expect(found.entries.count == 1 && show.kind == .game && show.words(.title) == "Graph & Show")
        #expect(
            show.words(.venue) == "Club" && show.words(.city) == "Hamburg"
                && show.words(.note) == "Doors 19:00")
        #expect(
            found.cancelled.count == 1 && found.notes.contains { $0.text.contains("neither a reservation") })
    }

    @Test func `travel that arrives before it departs has no duration, which is said`() throws {
        let found = try entries(
            """
            {"@type":"TrainReservation","reservationFor":{"trainNumber":"9","departureTime":"2027-03-02T10:00:00+01:00",
             "arrivalTime":"2027-03-02T09:00:00+01:00"}}
            """)
        #expect(found.entries.count == 1 && found.entries[0][.durationMinutes] == nil)
        #expect(found.notes.contains { $0.text.contains("arrives before it departs") })
    }

    @Test func `other JSON is not a booking`() {
        for text in ["[]", #"[{"@type":"Person"}]"#, #"{"format":"itineraryd/1"}"#] {
            #expect(throws: FileError.self) { try ScheduleFile(Array(text.utf8), .json) }
        }
    }
}
