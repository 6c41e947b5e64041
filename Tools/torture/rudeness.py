"""What costs a daemon most: requests within all limits whose work is as large as they allow, and lines that are none."""

import itertools
from collections.abc import Iterator

from neighbours import line

Burst = tuple[str, bytes, int]
UNKNOWN = "00000005-0000-4000-8000-000000000005"


def customs(count: int, days: int) -> list[object]:
    return [{"item": {"kind": "custom", "title": "x"}, "to": {"day": 1 + n % days, "at": "end"}} for n in range(count)]


def travels(count: int) -> list[object]:
    return [{"item": {"kind": "travel", "fromCity": "A", "toCity": "B"}} for _ in range(count)]


def games(count: int, one_minute: bool = False, zones: bool = False) -> list[object]:
    names = ["America/New_York", "America/Los_Angeles", "Europe/Berlin", "Asia/Tokyo"]
    made: list[object] = []
    for number in range(count):
        day, minute = (1, 0) if one_minute else (1 + number % 28, number % 60)
        game = {"kind": "game", "gameId": f"g{count - number:05}", "title": "x",
                "startsAt": f"2026-03-{day:02}T12:{minute:02}:00Z"}
        made.append({"item": {**game, "timeZone": names[number % 4]} if zones else game})
    return made


def create(slug: str, items: list[object]) -> bytes:
    return line("trip.create", name=slug, slug=slug, startDate="2026-01-01", timeZone="UTC", dayCount=366, items=items)


def delete(slug: str) -> bytes:
    return line("trip.delete", trip=slug)


class Rudeness:
    """The bursts of requests by kind; what is the same for several is made once."""

    def __init__(self) -> None:
        self.made: dict[str, bytes] = {}

    def creation(self, what: str, slug: str, items: list[object]) -> bytes:
        if what not in self.made:
            self.made[what] = create("@slug@", items)
        return self.made[what].replace(b"@slug@", slug.encode())

    def bursts(self, number: int) -> Iterator[Burst]:
        """Without end, of the kind that a number stands for: what it is, the bytes, and how many answers it gets."""
        slug = f"rude-{number}"
        kinds = [self.large_creations, self.many_additions, self.shrinking, self.refusals, self.one_minute, self.dates,
                 self.placed_travels, self.reads]
        return kinds[number % len(kinds)](slug)

    def large_creations(self, slug: str) -> Iterator[Burst]:
        # Trips of an earlier run are deleted first.
        yield "deletion", delete(slug), 1
        while True:
            yield "creation of 10,000", self.creation("customs", slug, customs(10_000, 366)), 1
            yield "deletion", delete(slug), 1

    def many_additions(self, slug: str) -> Iterator[Burst]:
        yield "deletion", delete(slug), 1
        adds = [{"op": "add", "item": {"kind": "custom", "title": "x"}, "to": {"day": 1 + n % 366, "at": "end"}}
                for n in range(128)]
        while True:
            yield "creation of a trip", create(slug, []), 1
            yield "10,000 additions", line("trip.apply", trip=slug, ops=adds) * 78, 78
            yield "deletion", delete(slug), 1

    def shrinking(self, slug: str) -> Iterator[Burst]:
        yield "deletion", delete(slug), 1
        yield "creation of 10,000", self.creation("customs", slug, customs(9_972, 366)), 1
        while True:
            yield "366 days to 1", line("trip.update", trip=slug, dayCount=1), 1
            yield "its undo", line("trip.undo", trip=slug), 1

    def refusals(self, slug: str) -> Iterator[Burst]:
        yield "deletion", delete(slug), 1
        yield "creation of 10,000", self.creation("customs", slug, customs(9_972, 366)), 1
        refused = line("trip.apply", trip=slug, ops=[{"op": "trip", "dayCount": 1}, {"op": "remove", "item": UNKNOWN}])
        while True:
            yield "ten refused changes", refused * 10, 10

    def one_minute(self, slug: str) -> Iterator[Burst]:
        yield "deletion", delete(slug), 1
        while True:
            yield "8,500 games of one minute", self.creation("minute", slug, games(8_500, one_minute=True)), 1
            yield "deletion", delete(slug), 1
            yield "7,000 games with zones", self.creation("zones", slug, games(7_000, zones=True)), 1
            yield "deletion", delete(slug), 1

    def dates(self, slug: str) -> Iterator[Burst]:
        yield "deletion", delete(slug), 1
        yield "4,000 games", self.creation("games", slug, games(4_000)), 1
        ops = [{"op": "trip", "startDate": f"2026-01-{2 + n % 20:02}"} for n in range(12)]
        for turn in itertools.count():
            other = {"op": "trip", "startDate": f"2026-02-{1 + turn % 20:02}"}
            yield "thirteen dates of 4,000 games", line("trip.apply", trip=slug, ops=[*ops, other]), 1
            yield "128 dates", line("trip.apply", trip=slug, ops=(ops * 11)[:128]), 1

    def placed_travels(self, slug: str) -> Iterator[Burst]:
        yield "deletion", delete(slug), 1
        while True:
            yield "4,000 travels", self.creation("travels", slug, travels(4_000)), 1
            yield "deletion", delete(slug), 1

    def reads(self, slug: str) -> Iterator[Burst]:
        yield "deletion", delete(slug), 1
        yield "creation of 10,000", self.creation("customs", slug, customs(10_000, 366)), 1
        bad = [b"{\n", b"[[[[" * 20 + b"\n", b'{"a":' + b"9" * 5000 + b"e999}\n", b"\xff\xfe\n", b'"\\ud800"\n']
        while True:
            yield "twenty reads of 10,000", line("trip.get", trip=slug) * 20, 20
            yield "twenty lists", line("trip.list") * 20, 20
            yield "fifty schemas", line("rpc.discover") * 50, 50
            yield "histories", line("trip.history", trip=slug, limit=500) * 20, 20
            yield "bad lines", b"".join(bad) * 2 + line("ping"), 11
            yield "a line too long", b"[" + b"1," * (1 << 19) + b"1]\n" + line("ping"), 2
            yield "a flood of pings", line("ping") * 5000, 5000

