"""A client of itineraryd for Python: this one file, and nothing to install. Python 3.9 or newer.

The protocol itself is in Protocol/README.md; methods, parameters and answers are called here what they are called there.
`Client` and `Trip` block; `AsyncClient` and `AsyncTrip` are the same for asyncio. Both keep a replica of each trip that
they follow, number every change so that it is made once whatever happens to the connection, and read while they write.

The four recipes of Protocol/guide.md. A viewer is told of every change; deltas are applied for it:

    def viewer(path, trip):
        with Client(path, user="val", role="viewer") as client:
            shown = client.follow(trip)
            while not shown.deleted:
                print(shown.header["name"], [item.get("title") for item in shown.items])
                shown.wait()

An editor's changes are shown at once: `shown()` lays those on their way over `items`, which are what was told. A refused
change is off the screen again:

    def editor(path, trip):
        with Client(path, user="ann") as client:
            mine = client.follow(trip)
            lunch = mine.add({"kind": "custom", "title": "Lunch"}, at_end(2))["item"]["id"]
            mine.update(lunch, note="Outside,\\nif it is dry")
            mine.add({"kind": "custom", "title": "Coffee"}, between(2, after=lunch))
            try:
                mine.move(lunch, at_end(99))
            except Refused as why:
                print(why.reason, why)
            mine.undo()
            mine.sync()
            return mine.items

A drag: while it lasts nothing moves under the user's hands, and its end tells what came meanwhile:

    def drag(path, trip, item, day):
        with Client(path, user="ann") as client:
            mine = client.follow(trip)
            with mine.drag(item) as held:
                gap = next(gap for gap in held.gaps if gap["valid"] and gap["day"] == day)
                held.hover(gap)
                return held.drop(gap)["item"]

A reconnect: what was sent and not answered is sent again with the number that it had, so nothing is done twice:

    def stay(path, trip, item, titles):
        with Client(path, user="ann") as client:
            mine = client.follow(trip)
            for title in titles:
                try:
                    mine.update(item, title=title)
                except Disconnected:
                    for change in client.reconnect():
                        print(change.method, change.error or "is made")
            return mine.sync()

With asyncio, changes need not wait for each other:

    async def gather(path, trip, titles):
        async with await AsyncClient.connect(path, user="ann") as client:
            mine = await client.follow(trip)
            await asyncio.gather(*(mine.add({"kind": "custom", "title": title}) for title in titles))
            await mine.sync()
            return mine.items
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import json
import os
import random
import selectors
import socket
import time
import uuid
from types import TracebackType
from typing import (
    Any, Callable, Deque, Dict, Generator, Iterable, Iterator, List, Mapping, Optional, Tuple, Type, TypedDict,
    TypeVar, Union, cast,
)

__all__ = [
    "AsyncClient", "AsyncDrag", "AsyncTrip", "Change", "Client", "Disconnected", "Drag", "Gap", "Item", "Placement",
    "Problem", "Refused", "Trip", "TripHeader", "User", "after", "applied", "at_end", "at_start", "before", "between",
    "default_socket", "into", "shown_order",
]

# ------------------------------------------------------------------ values

Json = Dict[str, Any]
T = TypeVar("T")


class TripHeader(TypedDict):
    id: str
    slug: str
    name: str
    startDate: str
    timeZone: str
    dayCount: int


class _Placed(TypedDict):
    id: str
    day: int
    sortOrder: float
    version: int
    modifiedAt: str
    modifiedBy: str
    kind: str


class Item(_Placed, total=False):
    """An item: which fields it has besides those of all is said by its `kind`; see Protocol/README.md, Item."""

    title: str
    gameId: str
    city: str
    venue: str
    startsAt: str
    timeZone: str
    fromCity: str
    toCity: str
    mode: str
    afterGame: str
    beforeGame: str
    icon: str
    note: str
    durationMinutes: int
    cost: Json
    time: str
    place: str
    coordinate: Json
    url: str
    reference: str
    source: Json


class Problem(TypedDict):
    kind: str
    items: List[str]
    day: int
    message: str


class User(TypedDict, total=False):
    """Somebody who follows a trip."""

    connectionId: int
    user: str
    role: str
    drag: Json
    focus: str


class _Place(TypedDict):
    day: int


class Placement(_Place, total=False):
    """Where an item is to go, said by what is around it."""

    after: str
    before: str
    at: str
    sortOrder: float


class _GapEnds(TypedDict):
    day: int
    after: Optional[str]
    before: Optional[str]
    valid: bool


class Gap(_GapEnds, total=False):
    """A place between two items, and the reason why the item may not go there."""

    reason: str


def at_start(day: int) -> Placement:
    return {"day": day, "at": "start"}


def at_end(day: int) -> Placement:
    return {"day": day, "at": "end"}


def after(day: int, item: str) -> Placement:
    return {"day": day, "after": item}


def before(day: int, item: str) -> Placement:
    return {"day": day, "before": item}


def between(day: int, *, after: Optional[str] = None, before: Optional[str] = None) -> Placement:
    """Names both neighbours where there are two; an empty day has none."""
    place: Placement = {"day": day}
    if after:
        place["after"] = after
    if before:
        place["before"] = before
    if not (after or before):
        place["at"] = "start"
    return place


def into(gap: Gap) -> Placement:
    """The placement that means a gap."""
    return between(gap["day"], after=gap["after"], before=gap["before"])


def shown_order(item: Item) -> Tuple[int, float, bool, str]:
    """The key by which items are sorted: the order in which everybody shows them."""
    return item["day"], item["sortOrder"], item["kind"] != "game", item["id"]


def applied(delta: Mapping[str, Any], items: Iterable[Item]) -> List[Item]:
    """The items that a delta makes of those before it, in shown order."""
    byID = {item["id"]: item for item in items}
    for gone in delta["removed"]:
        byID.pop(gone, None)
    byID.update((item["id"], item) for item in delta["upserts"])
    return sorted(byID.values(), key=shown_order)


def default_socket() -> str:
    """Where a daemon listens that was not told another place."""
    given = os.environ.get("ITINERARYD_SOCKET")
    if given:
        return given
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = f"{runtime}/itineraryd" if runtime else f"/tmp/itineraryd-{os.getuid()}"
    return folder + "/itineraryd.sock"


# ------------------------------------------------------------------ what goes wrong


class Refused(Exception):
    """The daemon answered with an error. `reason` is for programs, the text for people; see README.md, Errors."""

    def __init__(self, method: str, error: Mapping[str, Any]) -> None:
        self.method = method
        self.code: int = error["code"]
        self.data: Json = dict(error.get("data") or {})
        self.reason: str = self.data.get("reason", "")
        super().__init__(error["message"])


class Disconnected(ConnectionError):
    """The connection ended. `reason` is what the daemon said with its goodbye; None where it said nothing."""

    def __init__(self, reason: Optional[str] = None, detail: str = "") -> None:
        self.reason = reason
        super().__init__(detail or (f"the daemon said goodbye: {reason}" if reason else "the connection ended"))


# ------------------------------------------------------------------ lines


class Wire:
    """What goes over a connection, without the connection: requests become bytes, bytes become answers and news."""

    def __init__(self) -> None:
        self._last = 0
        self._rest: List[bytes] = []
        self.methods: Dict[int, str] = {}
        """What was asked and is not answered."""

    def request(self, method: str, params: Mapping[str, Any]) -> Tuple[int, bytes]:
        """A number for a request, and its line. Parameters that are None are left out."""
        self._last += 1
        self.methods[self._last] = method
        given = {name: value for name, value in params.items() if value is not None}
        line = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": given}
        return self._last, json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    def receive(self, data: bytes) -> Iterator[Json]:
        """The messages that some bytes complete."""
        first, *others = data.split(b"\n")
        self._rest.append(first)
        for next_part in others:
            line, self._rest = b"".join(self._rest), [next_part]
            if line.strip():
                message: Json = json.loads(line)
                yield message


# ------------------------------------------------------------------ a replica

# A request, and what is to be done with its result before anything else is read.
Step = Tuple[str, Json, Optional[Callable[[Json], None]]]
# Requests that one thing takes: each result is sent in, each refusal is thrown in. This is how both kinds of client
# share what they do.
Steps = Generator[Step, Json, T]


class Change:
    """A change of one's own that the replica does not contain yet."""

    def __init__(self, method: str, params: Json, ops: Optional[List[Json]] = None) -> None:
        self.method, self.params = method, params
        self.ops = ops
        """Of one that does not fit into one line: its operations."""
        self.seq: Optional[int] = None
        """Its number, from the moment when it is sent."""
        self.result: Optional[Json] = None
        self.error: Optional[Refused] = None

    @property
    def is_answered(self) -> bool:
        return self.result is not None or self.error is not None

    def edits(self) -> Iterator[Json]:
        """What it does, as operations of trip.apply."""
        if self.ops is not None or self.method == "trip.apply":
            yield from self.ops if self.ops is not None else self.params["ops"]
        elif self.method == "drag.drop":
            yield {"op": "move", "item": self.params["item"], "to": self.params["to"]}
        elif self.method.startswith("item."):
            yield {"op": self.method[len("item."):], **self.params}


class Replica:
    """What has been told of a trip, and one's own changes that it does not contain yet. Read it; do not change it."""

    def __init__(self, trip: str, limits: Mapping[str, int], defer: bool, seq: int) -> None:
        self.reference = trip
        self.header: TripHeader = {"id": "", "slug": "", "name": "", "startDate": "", "timeZone": "", "dayCount": 0}
        self.epoch = ""
        self.version = 0
        self.items: List[Item] = []
        """In shown order, as told."""
        self.problems: List[Problem] = []
        self.presence: List[User] = []
        self.deleted = False
        self.pending: List[Change] = []
        self.seq = seq
        """The last number that was given to a change."""
        self.news = 0
        """How often something was told: a newer state, other people, the trip's end."""
        self.ended_drags: Dict[str, str] = {}
        """Drags of one's own that ended by themselves, and why."""
        self._limits, self._defer = limits, defer
        self._joined: Callable[[], None] = lambda: None

    @property
    def id(self) -> str:
        """The trip's id, which stays when its slug changes."""
        return self.header["id"]

    def __getitem__(self, item: str) -> Item:
        """The item with an id."""
        for found in self.items:
            if found["id"] == item:
                return found
        raise KeyError(item)

    def shown(self) -> List[Item]:
        """What a screen shows: the items as told, and the changes on their way laid over them."""
        items = list(self.items)
        for change in self.pending:
            for edit in change.edits():
                _lay(edit, items)
        return items

    # Being told

    def told(self, method: str, params: Json) -> None:
        """Takes a notification about this trip."""
        if method == "trip.snapshot":
            self._take_snapshot(params)
        elif method == "trip.delta":
            self._take_delta(params)
        elif method == "trip.presence":
            self.presence = params["users"]
        elif method == "trip.deleted":
            self.deleted = True
        else:
            return
        self.news += 1

    def _take_snapshot(self, snapshot: Json) -> None:
        self.header, self.epoch, self.version = snapshot["trip"], snapshot["epoch"], snapshot["version"]
        self.items, self.problems = snapshot["items"], snapshot["problems"]
        self._settle()

    def _take_delta(self, delta: Json) -> None:
        if (delta["epoch"], delta["from"]) != (self.epoch, self.version):
            raise ValueError(f"a delta from {delta['from']} does not fit version {self.version}")
        self.header = delta.get("header", self.header)
        self.problems = delta.get("problems", self.problems)
        self.items, self.version = applied(delta, self.items), delta["version"]
        self._settle()

    def _settle(self) -> None:
        """Drops what the replica contains by now."""
        self.pending = [
            change for change in self.pending if change.result is None or change.result["version"] > self.version
        ]

    def _subscribed(self, answer: Json) -> None:
        self.presence = answer["presence"]
        if "snapshot" in answer:
            self._take_snapshot(answer["snapshot"])
        elif "delta" in answer:
            self._take_delta(answer["delta"])
        self.news += 1
        self._joined()

    # What it asks

    def _subscribe(self) -> Steps[None]:
        params: Json = {"trip": self.id or self.reference, "mode": "delta"}
        if self.id:
            params["since"] = {"epoch": self.epoch, "version": self.version}
        if not self._defer:
            params["deferWhileDragging"] = False
        yield "trip.subscribe", params, self._subscribed

    def _change(self, change: Change) -> Steps[Json]:
        self.pending.append(change)
        return (yield from self._deliver(change))

    def _deliver(self, change: Change) -> Steps[Json]:
        method, params = change.method, {"trip": self.id, **change.params}
        try:
            if change.ops is not None:
                method, params = "batch.commit", {"batch": (yield from self._bring(change.ops)), **change.params}
            elif method == "drag.drop":
                del params["item"]
            if change.seq is None:
                self.seq += 1
                change.seq = self.seq
            params["seq"] = change.seq

            def answered(result: Json) -> None:
                change.result = result
                self._settle()

            return (yield method, params, answered)
        except Refused as error:
            # What is in doubt stays: it is sent again once the daemon has been restarted.
            if error.reason != "outcome_unknown":
                change.error = error
                self.pending = [other for other in self.pending if other is not change]
            raise

    def _bring(self, ops: List[Json]) -> Steps[str]:
        """Brings operations in several lines."""
        batch: str = (yield "batch.open", {"trip": self.id}, None)["batch"]
        first = 0
        for piece in self._pieces(ops):
            try:
                yield "batch.add", {"batch": batch, "ops": piece}, None
            except Refused as error:
                if "opIndex" in error.data:  # it counts from the line's first operation
                    error.data["opIndex"] += first
                with contextlib.suppress(Refused):
                    yield "batch.drop", {"batch": batch}, None
                raise error
            first += len(piece)
        return batch

    def _pieces(self, ops: List[Json]) -> Iterator[List[Json]]:
        """Operations as many lines take them."""
        piece: List[Json] = []
        size = 0
        for op in ops:
            more = _size(op)
            if piece and (len(piece) == self._limits["ops"] or size + more > self._limits["lineBytes"] - 4096):
                yield piece
                piece, size = [], 0
            piece.append(op)
            size += more
        yield piece

    def _apply(self, ops: Iterable[Json], **options: Any) -> Change:
        given = [_with_id(op) for op in ops]
        params = {name: value for name, value in options.items() if value is not None}
        fits = len(given) <= self._limits["ops"] and sum(map(_size, given)) <= self._limits["lineBytes"] - 4096
        if fits:
            return Change("trip.apply", {"ops": given, **params})
        return Change("batch.commit", params, given)

    def _resume(self) -> Steps[List[Change]]:
        """Subscribes again, and sends what was not answered."""
        epoch, again = self.epoch, [change for change in self.pending if not change.is_answered]
        try:
            yield from self._subscribe()
        except Refused as error:
            self.deleted = True
            self.news += 1
            self.pending = []
            for change in again:
                change.error = error
            return again
        if self.epoch != epoch:
            # A restored backup: what was answered may be unmade, and is not to be sent again unasked.
            self.pending = list(again)
        for change in sorted(again, key=lambda change: (change.seq is None, change.seq or 0)):
            with contextlib.suppress(Refused):
                yield from self._deliver(change)
        return again


def _size(op: Json) -> int:
    return len(json.dumps(op, ensure_ascii=False, separators=(",", ":")).encode()) + 1


def _with_id(op: Json) -> Json:
    """An operation whose new item has an id, so that it cannot be added twice."""
    if op.get("op") == "add" and "id" not in op["item"]:
        return {**op, "item": {"id": str(uuid.uuid4()), **op["item"]}}
    return op


def _lay(edit: Json, items: List[Item]) -> None:
    """Shows an operation in a list in shown order, as well as it can be known before the daemon has done it."""
    kind = edit.get("op")
    known = edit["item"]["id"] if kind == "add" else edit.get("item")
    index = next((place for place, item in enumerate(items) if item["id"] == known), None)
    item: Json
    if kind == "add":
        item = {"day": 1, "sortOrder": 0, "version": 0, "modifiedAt": "", "modifiedBy": "", **edit["item"]}
        to = edit.get("to") or (at_end(1) if item["kind"] == "custom" else None)
    elif index is None:
        return
    elif kind == "update":
        item = {**items[index], **edit["set"]}
        items[index] = cast(Item, {name: value for name, value in item.items() if value is not None})
        return
    else:
        item, to = dict(items[index]), edit.get("to")
    if kind == "remove" or to is not None:
        if index is not None:
            del items[index]
        if kind == "remove" or to is None:
            return
        spot = _spot(to, items)
        items.insert(spot, cast(Item, {**item, "day": to["day"]}))


def _spot(to: Mapping[str, Any], items: List[Item]) -> int:
    """The index that a placement means."""
    for place, item in enumerate(items):
        if item["day"] == to["day"]:
            if item["id"] == to.get("after"):
                return place + 1
            if item["id"] == to.get("before") and "after" not in to:
                return place
            if to.get("at") == "start" or item["sortOrder"] > to.get("sortOrder", float("inf")):
                return place
        elif item["day"] > to["day"]:
            return place
    return len(items)


class _Followed:
    """The replicas of a connection."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.trips: Dict[str, Replica] = {}
        self.taking: Dict[int, Callable[[Json], None]] = {}
        self.goodbye: Optional[str] = None
        self.other: Deque[Tuple[str, Json]] = collections.deque(maxlen=1000)
        self.error = ""

    def joins(self, replica: Replica) -> None:
        """Tells a replica from then on."""

        def joined() -> None:
            self.trips[replica.id] = replica

        replica._joined = joined

    def receive(self, data: bytes) -> List[Json]:
        """Tells the replicas what came, in order, and returns the answers."""
        answers = []
        for message in self.wire.receive(data):
            method, params = message.get("method"), message.get("params", {})
            if method is None:
                number = message["id"]
                take = self.taking.pop(number, None)
                if take and "result" in message:
                    take(message["result"])
                if number is None:
                    self.error = message["error"]["message"]
                else:
                    answers.append(message)
            elif method == "goodbye":
                self.goodbye = params["reason"]
            else:
                self._tell(method, params)
        return answers

    def _tell(self, method: str, params: Json) -> None:
        if method == "drag.ended":
            for replica in self.trips.values():
                replica.ended_drags[params["drag"]] = params["reason"]
            return
        trip = params.get("trip")
        id = trip["id"] if isinstance(trip, dict) else trip
        if id in self.trips:
            self.trips[id].told(method, params)
            if method == "trip.deleted":
                del self.trips[id]
        else:
            self.other.append((method, params))

    def left(self) -> Disconnected:
        return Disconnected(self.goodbye, self.error)


def _greeting(
    user: Optional[str], client_id: str, person: Optional[str], role: Optional[str], program: str
) -> Json:
    return {
        "protocol": {"major": 1, "minor": 1}, "client": {"name": program, "version": "1"}, "user": user,
        "clientId": client_id, "person": person, "role": role,
    }


# ------------------------------------------------------------------ blocking


class Client:
    """A connection whose calls block. Not for several threads at once.

    `client_id` names this client for its retries. Give one only if you also keep the number of each trip's last
    change (`Trip.seq`, which `follow` takes). `person` is for undo: programs that share it undo each other's changes.
    `timeout` is how many seconds an answer may take (`TimeoutError`); a call that was given up is answered later, and
    nobody is told.
    """

    def __init__(
        self, path: Optional[str] = None, *, user: Optional[str] = None, role: Optional[str] = None,
        client_id: Optional[str] = None, person: Optional[str] = None, program: str = "itinerary.py",
        timeout: Optional[float] = None,
    ) -> None:
        self.path, self.timeout = path or default_socket(), timeout
        self._hello = _greeting(user, client_id or str(uuid.uuid4()), person, role, program)
        self._trips: List[Trip] = []
        self._connect()

    def _connect(self) -> None:
        self._followed = _Followed()
        self._answers: Dict[int, Json] = {}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._selector = selectors.DefaultSelector()
        try:
            self._socket.connect(self.path)
            self._socket.setblocking(False)
            self._selector.register(self._socket, selectors.EVENT_READ)
            self.welcome = self.call("hello", **self._hello)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._selector.close()
        self._socket.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    # Requests

    def call(self, method: str, **params: Any) -> Json:
        """The answer to a request. Raises `Refused` and `Disconnected`."""
        return self.wait_for(self.send(method, **params))

    def send(self, method: str, **params: Any) -> int:
        """Sends a request and does not wait. Its number is for `wait_for`."""
        return self._send((method, params, None))

    def wait_for(self, number: int) -> Json:
        """The answer to a request that was sent."""
        end = None if self.timeout is None else time.monotonic() + self.timeout
        while number not in self._answers:
            if not self._read(end):
                raise TimeoutError(f"no answer within {self.timeout} s")
        answer = self._answers.pop(number)
        method = self._followed.wire.methods.pop(number)
        if "error" in answer:
            raise Refused(method, answer["error"])
        result: Json = answer["result"]
        return result

    def _send(self, step: Step) -> int:
        method, params, take = step
        number, line = self._followed.wire.request(method, params)
        if take:
            self._followed.taking[number] = take
        rest = memoryview(line)
        try:
            self._selector.modify(self._socket, selectors.EVENT_READ | selectors.EVENT_WRITE)
            while rest:
                for _, events in self._selector.select():
                    # Who only writes stands still with a daemon that waits to be read.
                    if events & selectors.EVENT_READ:
                        self._take()
                    if events & selectors.EVENT_WRITE:
                        with contextlib.suppress(BlockingIOError):
                            rest = rest[self._socket.send(rest):]
            self._selector.modify(self._socket, selectors.EVENT_READ)
        except (KeyError, ValueError, OSError) as error:  # closed before, or now
            raise error if isinstance(error, Disconnected) else self._followed.left() from error
        return number

    def _read(self, end: Optional[float]) -> bool:
        """Waits for more; false where the time is over."""
        left = None if end is None else max(0.0, end - time.monotonic())
        try:
            if not self._selector.select(left):
                return False
        except (KeyError, ValueError, OSError) as error:
            raise self._followed.left() from error
        self._take()
        return True

    def _take(self) -> None:
        try:
            data = self._socket.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            raise self._followed.left()
        for answer in self._followed.receive(data):
            self._answers[answer["id"]] = answer

    def _run(self, steps: Steps[T]) -> T:
        try:
            step = next(steps)
            while True:
                try:
                    result = self.wait_for(self._send(step))
                except Refused as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    # Trips

    def create(self, name: str, start_date: str, days: int, time_zone: str, **more: Any) -> TripHeader:
        """Makes a trip. The id is made here, so that the request can be repeated: give `id` to do so yourself."""
        more.setdefault("id", str(uuid.uuid4()))
        snapshot = self.call("trip.create", name=name, startDate=start_date, dayCount=days, timeZone=time_zone, **more)
        header: TripHeader = snapshot["trip"]
        return header

    def follow(self, trip: str, *, defer: bool = True, seq: int = 0) -> Trip:
        """Subscribes to a trip, by its id or slug; once a trip is enough.

        `seq` is the number of this client's last change to it, 0 for a new client. Without `defer` the trip is also
        told while one drags in it.
        """
        followed = Trip(self, trip, self.welcome["limits"], defer, seq)
        self._followed.joins(followed)
        self._run(followed._subscribe())
        self._trips.append(followed)
        return followed

    def reconnect(self, patience: float = 60) -> List[Change]:
        """Connects again, with growing pauses for so many seconds, and goes on with all trips.

        Returns the changes that were sent and not answered: they were sent again, and have a result or an error now.
        """
        self.close()
        end, pause = time.monotonic() + patience, 0.05
        while True:
            try:
                self._connect()
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(pause * random.uniform(0.5, 1))
                pause = min(2 * pause, 5)
        again: List[Change] = []
        for trip in [trip for trip in self._trips if not trip.deleted]:
            self._followed.joins(trip)
            again += self._run(trip._resume())
        return again


class Trip(Replica):
    """A trip that is followed. What changes it waits for the answer, and raises `Refused` and `Disconnected`.

    Each takes `ifVersion`, `ifItemVersion` and `dryRun` where Protocol/README.md has them, and returns the answer.
    """

    def __init__(self, client: Client, trip: str, limits: Mapping[str, int], defer: bool, seq: int) -> None:
        super().__init__(trip, limits, defer, seq)
        self._client = client
        self._seen = 0

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until something is told that was not waited for before; false where the time is over."""
        end = None if timeout is None else time.monotonic() + timeout
        while self._seen == self.news:
            if not self._client._read(end):
                return False
        self._seen = self.news
        return True

    def sync(self) -> int:
        """Waits until everything up to now has been told; returns the version."""
        version: int = self._client.call("trip.sync", trip=self.id)["version"]
        return version

    def change(self, method: str, **params: Any) -> Json:
        """Makes a change by any method that takes a `seq`."""
        if params.get("dryRun"):
            return self._client.call(method, trip=self.id, **params)
        return self._client._run(self._change(Change(method, params)))

    def add(self, item: Json, to: Optional[Placement] = None, **options: Any) -> Json:
        return self.change("item.add", item={"id": str(uuid.uuid4()), **item}, **_given(to), **options)

    def move(self, item: str, to: Placement, **options: Any) -> Json:
        return self.change("item.move", item=item, to=to, **options)

    def update(self, item: str, **fields: Any) -> Json:
        """Gives fields new values; None clears one."""
        return self.change("item.update", item=item, set=fields)

    def remove(self, item: str, **options: Any) -> Json:
        return self.change("item.remove", item=item, **options)

    def rename(self, name: str, **options: Any) -> Json:
        return self.change("trip.update", name=name, **options)

    def apply(self, ops: Iterable[Json], ifVersion: Optional[int] = None) -> Json:
        """Does many operations as one change, in as many lines as they need."""
        return self._client._run(self._change(self._apply(ops, ifVersion=ifVersion)))

    def undo(self, **options: Any) -> Json:
        return self.change("trip.undo", **options)

    def redo(self, **options: Any) -> Json:
        return self.change("trip.redo", **options)

    def history(self, **params: Any) -> List[Json]:
        entries: List[Json] = self._client.call("trip.history", trip=self.id, **params)["entries"]
        return entries

    def focus(self, item: Optional[str]) -> None:
        """Tells the others where the cursor is."""
        self._client.call("session.focus", trip=self.id, item=item)

    def drag(self, item: str) -> Drag:
        """Takes an item in hand. As a context, a drag that was not dropped is cancelled at the end."""
        return Drag(self, item, self._client.call("drag.begin", trip=self.id, item=item))


def _given(to: Optional[Placement]) -> Json:
    return {} if to is None else {"to": to}


class _Held:
    """An item in hand."""

    def __init__(self, item: str, begun: Json) -> None:
        self.item = item
        self.name: str = begun["drag"]
        self.lease: float = begun["leaseMilliseconds"] / 1000
        """Seconds that it lasts without a hover."""
        self.gaps: List[Gap] = begun["gaps"]
        """Every place of the trip, and whether the item may go there; they fit the replica."""
        self.barriers: List[str] = begun["barriers"]
        """The games that bind it."""
        self.is_over = False


def _placement(to: Union[Gap, Placement, Mapping[str, Any]]) -> Mapping[str, Any]:
    return into(cast(Gap, to)) if "valid" in to else to


class Drag(_Held):
    """An item in hand. Hover at least every `lease` seconds, also where nothing moves."""

    def __init__(self, trip: Trip, item: str, begun: Json) -> None:
        super().__init__(item, begun)
        self._trip = trip

    def hover(self, over: Union[Gap, Placement, None] = None) -> None:
        """Shows the others where the item is held."""
        self._trip._client.call("drag.hover", drag=self.name, over=None if over is None else _placement(over))

    def drop(self, to: Union[Gap, Placement]) -> Json:
        """Puts it down. The drag is over, whatever the verdict."""
        self.is_over = True
        return self._trip.change("drag.drop", item=self.item, drag=self.name, to=_placement(to))

    def cancel(self) -> None:
        self.is_over = True
        self._trip._client.call("drag.cancel", drag=self.name)

    def __enter__(self) -> Drag:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if not self.is_over:
            # One that ended by itself, or with its connection, is over all the same.
            with contextlib.suppress(Refused, Disconnected):
                self.cancel()


# ------------------------------------------------------------------ asyncio


class AsyncClient:
    """A connection for asyncio: `await AsyncClient.connect(…)`. Its arguments are those of `Client`."""

    def __init__(self, path: Optional[str], hello: Json) -> None:
        self.path, self._hello = path or default_socket(), hello
        self.welcome: Json = {}
        self._trips: List[AsyncTrip] = []
        self._writer: Optional[asyncio.StreamWriter] = None
        self._reading: Optional[asyncio.Task[None]] = None

    @classmethod
    async def connect(
        cls, path: Optional[str] = None, *, user: Optional[str] = None, role: Optional[str] = None,
        client_id: Optional[str] = None, person: Optional[str] = None, program: str = "itinerary.py",
    ) -> AsyncClient:
        client = cls(path, _greeting(user, client_id or str(uuid.uuid4()), person, role, program))
        await client._connect()
        return client

    async def _connect(self) -> None:
        self._followed = _Followed()
        self._waiting: Dict[int, asyncio.Future[Json]] = {}
        reader, self._writer = await asyncio.open_unix_connection(self.path)
        self._reading = asyncio.ensure_future(self._read(reader))
        try:
            self.welcome = await self.call("hello", **self._hello)
        except BaseException:
            await self.close()
            raise

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            while data := await reader.read(1 << 18):
                for answer in self._followed.receive(data):
                    waiting = self._waiting.pop(answer["id"])
                    if not waiting.done():  # else whoever asked has gone
                        waiting.set_result(answer)
                self._wake()
        except OSError:
            pass  # it ended; so do all who wait
        finally:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(self._followed.left())
            self._waiting = {}
            if self._writer:
                self._writer.close()
            self._reading = None
            self._wake()

    def _wake(self) -> None:
        for trip in self._trips:
            trip._wake()

    async def close(self) -> None:
        if self._writer:
            self._writer.close()
        if self._reading:
            self._reading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reading
        self._reading = None

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def call(self, method: str, **params: Any) -> Json:
        """The answer to a request. Requests go out in the order of the calls."""
        return await self._ask((method, params, None))

    async def _ask(self, step: Step) -> Json:
        # Up to the first await nothing else runs: what is asked first is sent first.
        method, params, take = step
        if self._reading is None or self._writer is None:
            raise self._followed.left()
        number, line = self._followed.wire.request(method, params)
        if take:
            self._followed.taking[number] = take
        self._waiting[number] = answering = asyncio.get_running_loop().create_future()
        self._writer.write(line)
        with contextlib.suppress(OSError):  # then the reader ends, and says so
            await self._writer.drain()
        answer = await answering
        self._followed.wire.methods.pop(number, None)
        if "error" in answer:
            raise Refused(method, answer["error"])
        result: Json = answer["result"]
        return result

    async def _run(self, steps: Steps[T]) -> T:
        try:
            step = next(steps)
            while True:
                try:
                    result = await self._ask(step)
                except Refused as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(result)
        except StopIteration as end:
            value: T = end.value
            return value

    async def create(self, name: str, start_date: str, days: int, time_zone: str, **more: Any) -> TripHeader:
        """See `Client.create`."""
        more.setdefault("id", str(uuid.uuid4()))
        snapshot = await self.call(
            "trip.create", name=name, startDate=start_date, dayCount=days, timeZone=time_zone, **more)
        header: TripHeader = snapshot["trip"]
        return header

    async def follow(self, trip: str, *, defer: bool = True, seq: int = 0) -> AsyncTrip:
        """See `Client.follow`."""
        followed = AsyncTrip(self, trip, self.welcome["limits"], defer, seq)
        self._followed.joins(followed)
        await self._run(followed._subscribe())
        self._trips.append(followed)
        return followed

    async def reconnect(self, patience: float = 60) -> List[Change]:
        """See `Client.reconnect`."""
        await self.close()
        end, pause = time.monotonic() + patience, 0.05
        while True:
            try:
                await self._connect()
                break
            except OSError:
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(pause * random.uniform(0.5, 1))
                pause = min(2 * pause, 5)
        again: List[Change] = []
        for trip in [trip for trip in self._trips if not trip.deleted]:
            self._followed.joins(trip)
            again += await self._run(trip._resume())
        return again


class AsyncTrip(Replica):
    """A trip that is followed, for asyncio. See `Trip`."""

    def __init__(self, client: AsyncClient, trip: str, limits: Mapping[str, int], defer: bool, seq: int) -> None:
        super().__init__(trip, limits, defer, seq)
        self._client = client
        self._seen = 0
        self._told = asyncio.Event()

    def _wake(self) -> None:
        self._told.set()

    async def wait(self) -> None:
        """Waits until something is told that was not waited for before. Raises `Disconnected`."""
        while self._seen == self.news:
            if self._client._reading is None:
                raise self._client._followed.left()
            self._told.clear()
            await self._told.wait()
        self._seen = self.news

    async def sync(self) -> int:
        """Waits until everything up to now has been told; returns the version."""
        version: int = (await self._client.call("trip.sync", trip=self.id))["version"]
        return version

    async def change(self, method: str, **params: Any) -> Json:
        """Makes a change by any method that takes a `seq`."""
        if params.get("dryRun"):
            return await self._client.call(method, trip=self.id, **params)
        return await self._client._run(self._change(Change(method, params)))

    async def add(self, item: Json, to: Optional[Placement] = None, **options: Any) -> Json:
        return await self.change("item.add", item={"id": str(uuid.uuid4()), **item}, **_given(to), **options)

    async def move(self, item: str, to: Placement, **options: Any) -> Json:
        return await self.change("item.move", item=item, to=to, **options)

    async def update(self, item: str, **fields: Any) -> Json:
        """Gives fields new values; None clears one."""
        return await self.change("item.update", item=item, set=fields)

    async def remove(self, item: str, **options: Any) -> Json:
        return await self.change("item.remove", item=item, **options)

    async def rename(self, name: str, **options: Any) -> Json:
        return await self.change("trip.update", name=name, **options)

    async def apply(self, ops: Iterable[Json], ifVersion: Optional[int] = None) -> Json:
        """Does many operations as one change, in as many lines as they need."""
        return await self._client._run(self._change(self._apply(ops, ifVersion=ifVersion)))

    async def undo(self, **options: Any) -> Json:
        return await self.change("trip.undo", **options)

    async def redo(self, **options: Any) -> Json:
        return await self.change("trip.redo", **options)

    async def history(self, **params: Any) -> List[Json]:
        entries: List[Json] = (await self._client.call("trip.history", trip=self.id, **params))["entries"]
        return entries

    async def focus(self, item: Optional[str]) -> None:
        """Tells the others where the cursor is."""
        await self._client.call("session.focus", trip=self.id, item=item)

    async def drag(self, item: str) -> AsyncDrag:
        """Takes an item in hand: `async with await trip.drag(item) as held`."""
        return AsyncDrag(self, item, await self._client.call("drag.begin", trip=self.id, item=item))


class AsyncDrag(_Held):
    """An item in hand, for asyncio. See `Drag`."""

    def __init__(self, trip: AsyncTrip, item: str, begun: Json) -> None:
        super().__init__(item, begun)
        self._trip = trip

    async def hover(self, over: Union[Gap, Placement, None] = None) -> None:
        """Shows the others where the item is held."""
        await self._trip._client.call("drag.hover", drag=self.name, over=None if over is None else _placement(over))

    async def drop(self, to: Union[Gap, Placement]) -> Json:
        """Puts it down. The drag is over, whatever the verdict."""
        self.is_over = True
        return await self._trip.change("drag.drop", item=self.item, drag=self.name, to=_placement(to))

    async def cancel(self) -> None:
        self.is_over = True
        await self._trip._client.call("drag.cancel", drag=self.name)

    async def __aenter__(self) -> AsyncDrag:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if not self.is_over:
            with contextlib.suppress(Refused, Disconnected):
                await self.cancel()
