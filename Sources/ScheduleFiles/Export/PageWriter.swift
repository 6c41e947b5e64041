import TripModel

/// Writes a trip as one HTML page: without scripts and without anything from elsewhere, light or dark as its reader
/// likes, and a sheet a day where it is printed.
enum PageWriter {
    static func text(of trip: Trip) -> [UInt8] {
        let name = Markup.escaped(trip.header.name)
        var lines = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<meta name=\"color-scheme\" content=\"light dark\">",
            "<meta http-equiv=\"Content-Security-Policy\" "
                + "content=\"default-src 'none'; style-src 'unsafe-inline'\">",
            "<meta name=\"referrer\" content=\"no-referrer\">", "<title>\(name)</title>",
            "<style>", style, "</style>", "</head>", "<body>", "<header>", "<h1>\(name)</h1>",
            "<p>\(Markup.escaped(PlanDay.span(of: trip.header)))</p>", "</header>", "<main>",
        ]
        for day in PlanDay.days(of: trip) { lines += section(day) }
        lines += ["</main>", "</body>", "</html>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func section(_ day: PlanDay) -> [String] {
        let name = day.isInTrip ? "Day \(day.number)" : "Outside the trip"
        var lines = ["<section>", "<h2>\(name) <span>\(Markup.escaped(day.date))</span></h2>"]
        if day.items.isEmpty {
            lines.append("<p class=\"none\">Nothing planned.</p>")
        } else {
            lines.append("<ol>")
            for item in day.items { lines += entry(item) }
            lines.append("</ol>")
        }
        return lines + ["</section>"]
    }

    private static func entry(_ item: ItemWords) -> [String] {
        let title = Markup.escaped(item.title)
        let linked =
            item.url.map { "<a href=\"\(Markup.escaped($0))\" rel=\"noreferrer\">\(title)</a>" } ?? title
        var lines = ["<li>", "<time>\(item.time ?? "")</time>", "<div>", "<strong>\(linked)</strong>"]
        if !item.details.isEmpty {
            lines.append("<p>\(item.details.map(Markup.escaped).joined(separator: " · "))</p>")
        }
        if let note = item.note {
            let text = note.split(separator: "\n", omittingEmptySubsequences: false)
                .map { Markup.escaped(String($0)) }.joined(separator: "<br>")
            lines.append("<p class=\"note\">\(text)</p>")
        }
        return lines + ["</div>", "</li>"]
    }

    private static let style = """
        :root { --text: #1c1e21; --quiet: #5b6169; --line: #d9dce0; --page: #ffffff; --link: #0a58ca; }
        @media (prefers-color-scheme: dark) {
          :root { --text: #e6e8eb; --quiet: #9aa1aa; --line: #33383f; --page: #14171a; --link: #7db3ff; }
        }
        * { box-sizing: border-box; }
        body { margin: 0 auto; max-width: 44rem; padding: 2rem 1.25rem 4rem; background: var(--page);
          color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
        h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; }
        header p, h2 span, li p, .none { color: var(--quiet); }
        h2 { margin: 2.2rem 0 .6rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.15rem; }
        h2 span { margin-left: .5rem; font-weight: normal; }
        ol { margin: 0; padding: 0; list-style: none; }
        li { display: grid; grid-template-columns: 4rem 1fr; padding: .45rem 0; break-inside: avoid; }
        li time { font-variant-numeric: tabular-nums; }
        p { margin: 0; }
        a { color: var(--link); }
        @media print {
          :root { --text: #000; --quiet: #444; --line: #999; --page: #fff; --link: #000; }
          body { max-width: none; padding: 0; font-size: 11pt; }
          section { break-after: page; }
          section:last-child { break-after: auto; }
          h2 { break-after: avoid; margin-top: 0; }
          header { margin-bottom: 1.5rem; }
        }
        """
}
