import TripModel

/// Writes a trip as a self-contained HTML page without scripts. It follows the reader's light or dark setting
/// and prints a sheet per day.
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
            "<style>", style, "</style>", "</head>", "<body>", "<header>", "<h1 dir=\"auto\">\(name)</h1>",
            "<p>\(Markup.escaped(PlanDay.span(of: trip.header)))</p>", "</header>", "<main>",
        ]
        for day in PlanDay.days(of: trip) { lines += section(day) }
        for list in PlanList.all(of: trip) { lines += section(list) }
        if let costs = PlanDay.costs(of: trip) { lines.append("<p>\(Markup.escaped(costs))</p>") }
        lines += ["</main>", "</body>", "</html>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func section(_ day: PlanDay) -> [String] {
        if day.isEmpty {
            return ["<p class=\"none\">\(Markup.escaped(day.heading)): nothing planned</p>"]
        }
        var lines = ["<section>", "<h2>\(day.name) <span>\(Markup.escaped(day.date))</span></h2>"]
        lines += day.stays.map { "<p class=\"stay\">\(Markup.escaped($0))</p>" }
        if !day.items.isEmpty { lines += ["<ol>"] + day.items.flatMap(entry) + ["</ol>"] }
        return lines + ["</section>"]
    }

    private static func section(_ list: PlanList) -> [String] {
        let entries = list.entries.map { entry in
            "<li><span>\(entry.isDone ? "☑" : "☐")</span><div><strong dir=\"auto\">\(Markup.escaped(entry.task))</strong>"
                + (entry.details.isEmpty ? "" : "<p dir=\"auto\">\(Markup.escaped(entry.details))</p>")
                + "</div></li>"
        }
        return ["<section>", "<h2>\(Markup.escaped(list.heading))</h2>", "<ol>"] + entries + [
            "</ol>", "</section>",
        ]
    }

    private static func entry(_ item: ItemWords) -> [String] {
        let text = Markup.escaped(item.title)
        let title = item.isCancelled ? "<s>\(text)</s>" : text
        let linked =
            item.url.map { "<a href=\"\(Markup.escaped($0))\" rel=\"noreferrer\">\(title)</a>" } ?? title
        let time = item.time.map { "<time>\($0)</time>" } ?? "<span></span>"
        var lines = ["<li>", time, "<div>", "<strong dir=\"auto\">\(linked)</strong>"]
        if !item.details.isEmpty {
            lines.append("<p dir=\"auto\">\(item.details.map(Markup.escaped).joined(separator: " · "))</p>")
        }
        if let note = item.note {
            let text = note.split(separator: "\n", omittingEmptySubsequences: false)
                .map { Markup.escaped(String($0)) }.joined(separator: "<br>")
            lines.append("<p class=\"note\" dir=\"auto\">\(text)</p>")
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
        header p, h2 span, li p, .none, .stay { color: var(--quiet); }
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
          section:last-of-type { break-after: auto; }
          h2 { break-after: avoid; margin-top: 0; }
          header { margin-bottom: 1.5rem; }
          a::after { content: " (" attr(href) ")"; font-weight: normal; }
        }
        """
}
