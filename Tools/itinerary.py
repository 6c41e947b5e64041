"""A client of itineraryd for Python: this one file, nothing to install. Python 3.9 or newer.

`Client` and `Trip` block; `AsyncClient` and `AsyncTrip` are the same for asyncio. Methods, parameters and answers are those
of Protocol/README.md. A trip that is followed is a replica of the daemon's, kept up to date, with one's own changes
shown at once. Connections are made again by themselves: a change is made once, however often its connection was lost.

A viewer. Each state is a value: the items as the daemon sent them, and `shown`, which also has this client's pending
changes. `trip.states()` gives a state for everything that a screen shows:

    def viewer(path, trip):
        with Client(path, user="val", role="viewer") as client:
            for state in client.follow(trip).states():
                print(state.header["name"], [item.get("title", item["kind"]) for item in state.shown])

A bot. `for state in trip` gives a state for each version of the daemon only. A change that is refused makes no version,
so the bot is not called again by its own refused change:

    def bot(path, trip):
        with Client(path, user="bot") as client:
            mine = client.follow(trip)
            for state in mine:
                unnamed = [item["id"] for item in state.items if item.get("title") == "?"]
                try:
                    if unnamed:
                        mine.apply([{"op": "update", "item": item, "set": {"title": "To do"}} for item in unnamed])
                except Refused as error:
                    print(error.reason, error)

An editor:

    def editor(path, trip):
        with Client(path, user="ann") as client:
            mine = client.follow(trip)
            lunch = mine.add({"kind": "custom", "title": "Lunch"}, at_end(2))["item"]["id"]
            mine.update(lunch, note="Outside,\\nif it is dry")
            mine.add({"kind": "custom", "title": "Coffee"}, between(2, after=lunch))
            try:
                mine.move(lunch, at_end(99))
            except Refused as error:
                print(error.reason, error)
            mine.undo()
            mine.sync()
            return mine.items

A drag. While it lasts, nothing else in the trip moves; its end brings the other changes:

    def drag(path, trip, item, day):
        with Client(path, user="ann") as client:
            mine = client.follow(trip)
            with mine.drag(item) as held:
                gap = next(gap for gap in held.gaps if gap["valid"] and gap["day"] == day)
                held.hover(gap)
                return held.drop(gap)["item"]

With asyncio, several tasks use one trip:

    async def gather(path, trip, titles):
        async with AsyncClient(path, user="ann") as client:
            mine = await client.follow(trip)
            wanted = len(mine.items) + len(titles)

            async def show():
                async for state in mine:
                    if len(state.items) == wanted:
                        return [item.get("title") for item in state.items]

            showing = asyncio.ensure_future(show())
            await asyncio.gather(*(mine.add({"kind": "custom", "title": title}) for title in titles))
            return await showing

What a call may raise, all of it an `ItineraryError`:

- `Refused`: the daemon refused the request; nothing was changed. Its subclasses are `NotFound`, `Conflict` and
  `VersionConflict`, `NotAllowed` and `AccessDenied`, and `StorageError`. Of these only `OutcomeUnknown` leaves open whether a change was
  made: it is still shown, and is repeated after the next connection. `reason` and `data` are those of Protocol/README.md.
- `Timeout`: no answer within `Client.timeout` seconds. Not `sent`: the request was withdrawn and will not be made. `sent`:
  it may have been made. A change is then still shown and delivered: its `change` has the result or error later.
- `Disconnected`: the connection was lost under a request that cannot be repeated safely (`trip.delete`, a drag, `call` of
  a method that changes something); or the first connection failed; or the client was closed.
- `TooLong`: the request does not fit into a line. Nothing was recorded or sent.

A value that is no JSON (a `datetime`, a NaN) is a TypeError or ValueError, an unknown name of a field a TypeError, and
nothing was recorded. A cancelled task or a KeyboardInterrupt withdraws a change that was not sent; one that was sent is
still shown and delivered. The logger "itinerary" reports lost connections, repeats and late refusals.
"""

from __future__ import annotations

import asyncio
import bisect
import collections
import contextlib
import enum
import fcntl
import functools
import itertools
import json
import logging
import math
import os
import random
import selectors
import socket
import sys
import time
import uuid
from dataclasses import dataclass
from typing import (
    Any, AsyncIterator, Awaitable, Callable, Deque, Dict, Generator, Generic, Iterable, Iterator, List, Mapping, Optional,
    Sequence, Tuple, Type, TypedDict, TypeVar, Union, cast,
)

__all__ = [
    "AccessDenied", "AsyncClient", "AsyncDrag", "AsyncTrip", "Change", "Client", "Conflict", "Disconnected", "Drag", "Gap",
    "Item", "ItineraryError", "NotAllowed", "NotFound", "OutcomeUnknown", "Placement", "Problem", "Refused", "Request",
    "State", "StorageError", "Timeout", "TooLong", "Trip", "TripHeader", "User", "VersionConflict", "after", "at_end",
    "at_start", "before", "between", "default_socket", "into", "shown_order",
]

_log = logging.getLogger("itinerary")
_log.addHandler(logging.NullHandler())

# ------------------------------------------------------------------ values

Json = Dict[str, Any]
Answer = TypeVar("Answer")


class _HeaderParts(TypedDict):
    id: str
    slug: str
    name: str
    startDate: str
    timeZone: str
    dayCount: int


class _TodoParts(TypedDict):
    id: str
    text: str


class Todo(_TodoParts, total=False):
    """A thing to do, without a day."""

    done: bool
    doneBy: str
    item: Dict[str, Any]


class TripHeader(_HeaderParts, total=False):
    """A trip without its items."""

    rates: str
    acceptedProblems: List[str]
    todo: List[Todo]


class _Placed(TypedDict):
    id: str
    day: int
    sortOrder: float
    version: int
    modifiedAt: str
    modifiedBy: str
    kind: str


# `for` is a word of Python.
_Shared = TypedDict("_Shared", {"for": str}, total=False)


class Item(_Placed, _Shared, total=False):
    """An item. Its `kind` decides which further fields it has; see Protocol/README.md, Item."""

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
    arrivalTimeZone: str
    icon: str
    note: str
    durationMinutes: int
    cost: Json
    paidBy: str
    who: str
    time: str
    lateNight: bool
    endTime: str
    nights: int
    place: str
    coordinate: Json
    attending: bool
    cancelled: bool
    url: str
    reference: str
    source: Json
    said: Json


_FIELDS = frozenset(Item.__annotations__) - frozenset(_Placed.__annotations__)


class _ProblemParts(TypedDict):
    kind: str
    items: List[str]
    day: int
    message: str


class Problem(_ProblemParts, total=False):
    """A problem of the trip. `key` is absent from daemons older than 1.2."""

    key: str
    hint: bool
    accepted: bool
    after: str
    before: str


class User(TypedDict, total=False):
    """A connection that follows a trip."""

    connectionId: int
    user: str
    role: str
    drag: Json
    focus: str
    focusDay: int


class _Place(TypedDict):
    day: int


class Placement(_Place, total=False):
    """A position, given by its neighbours."""

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
    """A position between two items, and the reason if the dragged item may not go there."""

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
    """Between two neighbours, or beside one, or with none at the start of the day.

    With `after` alone the item goes directly after that item, even if another one follows. With `before` alone it goes
    directly before that item. With both it goes directly after the first, or directly before the second if the first is gone.
    """
    place: Placement = {"day": day}
    if after:
        place["after"] = after
    if before:
        place["before"] = before
    if not (after or before):
        place["at"] = "start"
    return place


def into(gap: Gap) -> Placement:
    """The placement for a gap."""
    return between(gap["day"], after=gap["after"], before=gap["before"])


def shown_order(item: Item) -> Tuple[int, float, bool, str]:
    """The sort key of items: the order in which every client shows them."""
    return item["day"], item["sortOrder"], item["kind"] != "game", item["id"]


@dataclass(frozen=True)
class State:
    """A trip at one moment."""

    header: TripHeader
    epoch: str
    version: int
    items: Sequence[Item]
    """The items that the daemon has sent, in shown order."""
    shown: Sequence[Item]
    """The same with this client's pending changes applied, for a screen."""
    problems: Sequence[Problem]
    presence: Sequence[User]
    connected: bool
    """False while the connection is lost; the state may then be old."""
    deleted: bool


def _named_socket() -> str | None:
    """The socket that the running daemon of the default data directory has named; None if there is none."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    if sys.platform == "darwin":
        state = os.path.expanduser("~/Library/Application Support")
    try:
        with open(f"{state}/itineraryd/lock", encoding="utf-8") as file:
            lines = file.read().splitlines()
            os.kill(int(lines[0]), 0)
            # Only the lock proves that this process still is the daemon.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return next((line for line in lines[1:] if line.startswith("/")), None)
    except (OSError, ValueError, IndexError):
        pass
    return None


def default_socket() -> str:
    """The socket of the user's daemon, as `itinerary-client` finds it."""
    given = os.environ.get("ITINERARYD_SOCKET") or _named_socket()
    if given:
        return given
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = f"{runtime}/itineraryd" if runtime else f"/tmp/itineraryd-{os.getuid()}"
    return folder + "/itineraryd.sock"


# ------------------------------------------------------------------ errors


class ItineraryError(Exception):
    """An error of this module. The text is for people."""


class Refused(ItineraryError):
    """The daemon answered with an error. Programs read `reason`; see Protocol/README.md, Errors."""

    def __init__(self, method: str, error: Mapping[str, Any]) -> None:
        self.method = method
        self.code: int = error["code"]
        self.data: Json = dict(error.get("data") or {})
        self.reason: str = self.data.get("reason", "")
        super().__init__(error["message"])


class NotFound(Refused):
    """No such trip, item, drag or batch."""


class Conflict(Refused):
    """The trip is not as the request expects: it was changed, the item is being dragged, or the id is in use."""


class VersionConflict(Conflict):
    """`if_version` or `if_item_version` is not the present version."""


class NotAllowed(Refused):
    """This connection does not have the required access."""


class AccessDenied(NotAllowed):
    """This account has no access. The client is closed."""


class StorageError(Refused):
    """The daemon's disk failed. Nothing was changed."""


class OutcomeUnknown(StorageError):
    """The disk failed while the change was written. It is repeated after the next connection."""


_CLASSES_BY_CODE: Dict[int, Type[Refused]] = {
    -32010: NotFound, -32012: Conflict, -32014: StorageError, -32015: NotAllowed,
}
_CLASSES_BY_REASON: Dict[str, Type[Refused]] = {
    "version_conflict": VersionConflict, "access_denied": AccessDenied, "outcome_unknown": OutcomeUnknown,
}


def _refusal(method: str, error: Mapping[str, Any]) -> Refused:
    reason = (error.get("data") or {}).get("reason", "")
    return _CLASSES_BY_REASON.get(reason, _CLASSES_BY_CODE.get(error["code"], Refused))(method, error)


class Disconnected(ItineraryError, ConnectionError):
    """The connection ended before a request was answered.

    `sent` says whether the daemon may have carried it out. `reason` is that of the daemon's `goodbye`, if there was one.
    """

    def __init__(self, message: str, *, reason: Optional[str] = None, sent: bool = False) -> None:
        self.reason, self.sent = reason, sent
        super().__init__(message)


class Timeout(ItineraryError, TimeoutError):
    """No answer in time. `sent`: whether the request may still be executed. `change`: the change, if it is one."""

    def __init__(self, request: Request, seconds: Optional[float]) -> None:
        self.sent = request.is_sent
        self.change: Optional[Change] = request if isinstance(request, Change) else None
        outcome = "it may have been made" if self.sent else "it was not sent"
        super().__init__(f"{request.method}: no answer within {seconds} s; {outcome}")


class TooLong(ItineraryError, ValueError):
    """The request is longer than the daemon's longest line. Nothing was sent."""


# ------------------------------------------------------------------ requests


def _check(value: Any, depth: int) -> None:
    """Raises for values that strict JSON cannot express or that the daemon would not parse."""
    if depth > 32:
        raise ValueError("a value is nested too deeply, or contains itself")
    if isinstance(value, dict):
        for name, part in value.items():
            if not isinstance(name, str):
                raise TypeError(f"the name of a field must be text, not {name!r}")
            _check(part, depth + 1)
    elif isinstance(value, (list, tuple)):
        for part in value:
            _check(part, depth + 1)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not (math.isfinite(value) if isinstance(value, float) else -2**1023 < value < 2**1023):
            raise ValueError(f"{value!r} is no number of JSON")
    elif value is not None and not isinstance(value, (str, bool)):
        raise TypeError(f"{value!r} is no JSON")


def _encoded(value: Any, depth: int = 2) -> bytes:
    _check(value, depth)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _extended(text: bytes, more: Json) -> bytes:
    """The text of an object, with further fields."""
    return _encoded(more) if text == b"{}" else text[:-1] + b"," + _encoded(more)[1:]


# Bytes of a line besides its parameters: the envelope, the longest method and number, `seq`, and the id of a
# batch.
_ENVELOPE = 512

# Requests that may be executed twice. Others are not repeated, except changes with a `seq`.
_REPEATABLE = frozenset([
    "ping", "rpc.discover", "daemon.stats", "trip.list", "trip.get", "trip.sync", "trip.history", "trip.trash",
    "item.trash", "item.gaps", "session.focus",
])


class Request:
    """A request. Once it is answered it has a `result` or an `error`."""

    def __init__(self, method: str, params: Json, trip: Optional[Replica] = None) -> None:
        self.method = method
        self.result: Optional[Json] = None
        self.error: Optional[Exception] = None
        self._trip = trip
        given = {name: value for name, value in params.items() if value is not None}
        self._text = _encoded(given)
        self._is_repeatable = (
            method in _REPEATABLE or bool(given.get("dryRun")) or (method == "trip.create" and "id" in given))
        self._number: Optional[int] = None
        self._ticket = 0
        self._is_abandoned = False
        self._wake: Callable[[], None] = lambda: None

    @property
    def is_answered(self) -> bool:
        return self.result is not None or self.error is not None

    @property
    def is_sent(self) -> bool:
        return self._number is not None

    def _finish(self, result: Optional[Json], error: Optional[Exception]) -> None:
        self.result, self.error = result, error
        self._wake()

    def _take(self, result: Optional[Json], error: Optional[Refused]) -> None:
        """Takes the answer, before the next line is read."""
        self._finish(result, error)

    def _lose(self, core: _Core, error: Disconnected) -> None:
        """The connection was lost before the answer came."""
        if self._is_repeatable:
            self._number = None
            core.lane(self).appendleft(self)
        else:
            self._finish(None, Disconnected(str(error), reason=error.reason, sent=True))

    def _outcome(self) -> Json:
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


class _Step(Request):
    """A request of an internal procedure. If the connection is lost, the procedure starts again."""

    def __init__(self, method: str, text: bytes, then: Callable[[Optional[Json], Optional[Refused]], None]) -> None:
        super().__init__(method, {})
        self._text, self._then = text, then

    def _take(self, result: Optional[Json], error: Optional[Refused]) -> None:
        self._then(result, error)

    def _lose(self, core: _Core, error: Disconnected) -> None:
        pass


class _Focus(Request):
    """The place of the cursor. The last one that was accepted is sent again after a reconnect."""

    def __init__(self, trip: Replica, place: Json) -> None:
        super().__init__("session.focus", {"trip": trip.id, **place}, trip)

    def _take(self, result: Optional[Json], error: Optional[Refused]) -> None:
        if error is None:
            cast(Replica, self._trip)._focus = self._text
        self._finish(result, error)


class Change(Request):
    """A change with a `seq`, which is repeated until it is answered."""

    def __init__(
        self, trip: Replica, method: str, params: Json, *, moves: Optional[str] = None, pieces: Sequence[bytes] = (),
        counts: Sequence[int] = (),
    ) -> None:
        super().__init__(method, params if pieces else {"trip": trip.id, **params}, trip)
        self.seq: Optional[int] = None
        """Its number, assigned when it is sent first."""
        self._pieces, self._counts = pieces, counts
        self._times_sent = 0
        # Parsed again from the text, because the caller may change its own objects later.
        params = json.loads(self._text)
        self._edits: List[Json] = []
        if pieces:
            self._edits = [op for piece in pieces for op in json.loads(piece)]
        elif method == "trip.apply":
            self._edits = params["ops"]
        elif moves is not None:
            self._edits = [{"op": "move", "item": moves, "to": params["to"]}]
        elif method.startswith("item."):
            self._edits = [{"op": method[len("item."):], **params}]

    @property
    def is_sent(self) -> bool:
        return self.seq is not None

    def _take(self, result: Optional[Json], error: Optional[Refused]) -> None:
        cast(Replica, self._trip)._answered(self, result, error)

    def _lose(self, core: _Core, error: Disconnected) -> None:
        self._number = None
        if cast(Replica, self._trip).deleted:
            cast(Replica, self._trip)._answered(self, None, _gone(self.method))


def _gone(method: str) -> Refused:
    return _refusal(method, {"code": -32010, "message": "the trip was deleted", "data": {"reason": "trip_not_found"}})


# ------------------------------------------------------------------ a replica


class _Items:
    """Items by id and in shown order."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self.by_id = {item["id"]: item for item in items}
        self.in_order = sorted(self.by_id.values(), key=shown_order)
        self._keys = [shown_order(item) for item in self.in_order]

    def apply(self, removed: Sequence[str], upserts: Sequence[Item]) -> None:
        """Removes and replaces items. A few are found by binary search, many are sorted with the others."""
        if len(removed) + len(upserts) > 16 + len(self.by_id) // 16:
            for id in removed:
                self.by_id.pop(id, None)
            self.by_id.update((item["id"], item) for item in upserts)
            self.__init__(self.by_id.values())  # type: ignore[misc]
            return
        for id in itertools.chain(removed, (item["id"] for item in upserts)):
            old = self.by_id.pop(id, None)
            if old:
                index = bisect.bisect_left(self._keys, shown_order(old))
                del self._keys[index], self.in_order[index]
        for item in upserts:
            key = shown_order(item)
            index = bisect.bisect_left(self._keys, key)
            self._keys.insert(index, key)
            self.in_order.insert(index, item)
            self.by_id[item["id"]] = item


# A procedure of several requests: it yields a method and its parameters, and receives the result or the
# refusal.
_Script = Generator[Tuple[str, bytes], Json, None]
_Delivery = Generator[Tuple[str, bytes], Json, Json]

# A repeated request may arrive before the daemon has noticed the end of the old connection, whose drag still
# holds an item.
_PERHAPS_TOO_EARLY = frozenset(["item_held", "drag_not_found"])


class Replica:
    """The daemon's state of a trip, and this client's changes that it does not contain yet. Read only."""

    def __init__(self, reference: str, defer: bool, seq: int) -> None:
        self.header: TripHeader = {"id": "", "slug": "", "name": "", "startDate": "", "timeZone": "", "dayCount": 0}
        self.epoch = ""
        self.version = 0
        self.problems: List[Problem] = []
        self.presence: List[User] = []
        self.connected = False
        """Whether changes by others arrive now."""
        self.deleted = False
        self.error: Optional[Refused] = None
        """The reason why the trip could not be followed again after a reconnect; it is retried."""
        self.seq = seq
        """The last number that was given to a change."""
        self.news = 0
        """A counter that rises with every change of the content, the shown items, presence or the connection."""
        self._reference, self._defer = reference, defer
        self._items = _Items()
        self._shown: Optional[List[Item]] = None
        self._focus = b""
        # A change is waiting in the lane, or sent and not answered, or applied and not received in a state.
        self._lane: Deque[Request] = collections.deque()
        self._sent: Dict[int, Change] = {}
        self._made: List[Change] = []
        self._joining = Request("trip.subscribe", {"trip": reference})
        self._script: Optional[_Script] = None
        self._retries = 0
        self._retry_at: Optional[float] = None
        self._needs_snapshot = True
        self._watchers: List[Callable[[], None]] = []

    # Reading

    @property
    def id(self) -> str:
        """The trip's id. Unlike its slug it never changes."""
        return self.header["id"]

    @property
    def items(self) -> Sequence[Item]:
        """The items that the daemon has sent, in shown order."""
        return self._items.in_order

    def __getitem__(self, item: str) -> Item:
        """The item with an id."""
        return self._items.by_id[item]

    @property
    def pending(self) -> List[Change]:
        """This client's changes that the replica does not contain yet."""
        waiting = [request for request in self._lane if isinstance(request, Change)]
        return [*self._made, *self._sent.values(), *waiting]

    def shown(self) -> Sequence[Item]:
        """The items for a screen: those that the daemon has sent, with the pending changes applied."""
        if self._shown is None:
            overlay = _Overlay(self._items)
            for change in self.pending:
                for edit in change._edits:
                    overlay.apply(edit)
            self._shown = overlay.items
        return self._shown

    def state(self) -> State:
        return State(
            self.header, self.epoch, self.version, tuple(self.items), tuple(self.shown()), self.problems, self.presence,
            self.connected, self.deleted)

    def _told_content(self) -> Tuple[str, int, bool]:
        return self.epoch, self.version, self.deleted

    def _bump(self) -> None:
        self.news += 1
        self._shown = None
        for wake in self._watchers:
            wake()

    # Notifications

    def _told(self, method: str, params: Json) -> None:
        if method == "trip.snapshot":
            self._take_snapshot(params)
        elif method == "trip.delta":
            self._take_delta(params)
        elif method == "trip.presence":
            self.presence = params["users"]
        else:
            return
        self._bump()

    def _take_snapshot(self, snapshot: Json) -> None:
        self._items = _Items(snapshot["items"])
        self.header, self.epoch, self.version = snapshot["trip"], snapshot["epoch"], snapshot["version"]
        self.problems = snapshot["problems"]
        self._needs_snapshot = False
        self._made = [change for change in self._made if cast(Json, change.result)["version"] > self.version]

    def _take_delta(self, delta: Json) -> None:
        if (delta["epoch"], delta["from"]) != (self.epoch, self.version):
            raise ValueError(f"a delta from {delta['from']} does not fit version {self.version}")
        self._items.apply(delta["removed"], delta["upserts"])
        self.header, self.version = delta.get("header", self.header), delta["version"]
        self.problems = delta.get("problems", self.problems)
        self._made = [change for change in self._made if cast(Json, change.result)["version"] > self.version]

    # Procedures

    def _resume(self) -> _Script:
        """Subscribes, then repeats unanswered changes one after the other. Newer changes wait."""
        params: Json = {"trip": self.id or self._reference, "mode": "delta"}
        if not self._needs_snapshot:
            params["since"] = {"epoch": self.epoch, "version": self.version}
        if not self._defer:
            params["deferWhileDragging"] = False
        try:
            answer = yield "trip.subscribe", _encoded(params)
        except NotFound as error:
            return self._end(error)
        if "snapshot" in answer:
            self._take_snapshot(answer["snapshot"])
        elif "delta" in answer:
            self._take_delta(answer["delta"])
        # The subscription contains every change that was answered before it. After a restored backup (another
        # epoch) they may be lost; they are not applied again automatically.
        self._made = []
        self.presence, self.connected, self.error = answer["presence"], True, None
        self._bump()
        for change in list(self._sent.values()):
            _log.info("repeating %s with seq %s", change.method, change.seq)
            try:
                result = yield from self._deliver(change)
            except Refused as error:
                is_early = error.reason in _PERHAPS_TOO_EARLY and change._times_sent < 5
                # A disk failure is that of the repeated request: the first one may have been applied.
                if is_early or isinstance(error, StorageError):
                    raise
                self._answered(change, None, error)
            else:
                self._answered(change, result, None)
        self._retries = 0
        if self._focus:
            with contextlib.suppress(Refused):
                yield "session.focus", self._focus

    def _bring(self, change: Change) -> _Script:
        """Delivers a change that needs several lines."""
        try:
            result = yield from self._deliver(change)
        except Refused as error:
            self._answered(change, None, error)
        else:
            if change.seq is not None:
                self._answered(change, result, None)

    def _deliver(self, change: Change) -> _Delivery:
        if not change._pieces:
            self._register(change)
            return (yield change.method, _extended(change._text, {"seq": change.seq}))
        batch = {"batch": (yield "batch.open", _encoded({"trip": self.id}))["batch"]}
        first = 0
        for piece, count in zip(change._pieces, change._counts):
            try:
                yield "batch.add", _encoded(batch)[:-1] + b',"ops":' + piece + b"}"
            except Refused as error:
                if "opIndex" in error.data:  # it counts from the line's first operation
                    error.data["opIndex"] += first
                with contextlib.suppress(Refused):
                    yield "batch.drop", _encoded(batch)
                raise error
            if change._is_abandoned:
                return (yield "batch.drop", _encoded(batch))
            first += count
        self._register(change)
        return (yield "batch.commit", _extended(change._text, {**batch, "seq": change.seq}))

    def _register(self, change: Change) -> None:
        """Gives a change its number, before it is sent."""
        if change.seq is None:
            self.seq += 1
            change.seq = self.seq
        change._times_sent += 1
        self._sent[change.seq] = change
        if self._lane and self._lane[0] is change:
            self._lane.popleft()

    def _answered(self, change: Change, result: Optional[Json], error: Optional[Refused]) -> None:
        if isinstance(error, OutcomeUnknown):
            return change._finish(None, error)  # still pending: it is repeated after the next connection
        if change.seq is not None:
            self._sent.pop(change.seq, None)
        if self._lane and self._lane[0] is change:
            self._lane.popleft()
        if error:
            level = logging.WARNING if change._is_abandoned else logging.INFO
            _log.log(level, "%s with seq %s was refused: %s", change.method, change.seq, error)
        change._finish(result, error)
        if result is None or result["version"] <= self.version:
            self._bump()
        else:
            self._made.append(change)

    def _end(self, error: Refused) -> None:
        """The trip was deleted, or is not visible to this account any more."""
        self.deleted, self.connected = True, False
        given = [self._joining, *self._sent.values(), *self._lane]
        self._sent, self._made = {}, []
        self._lane.clear()
        for request in given:
            request._finish(None, error)
        self._bump()


def _with_id(op: Json) -> Json:
    """An operation whose new item has an id, so that it cannot be added twice."""
    if op.get("op") == "add" and "id" not in op["item"]:
        return {**op, "item": {"id": str(uuid.uuid4()), **op["item"]}}
    return op


class _Overlay:
    """Items in shown order with operations applied, as far as their effect is known before the daemon's answer.

    An operation that the daemon will refuse changes nothing.
    """

    def __init__(self, items: _Items) -> None:
        self.items, self._by_id = list(items.in_order), dict(items.by_id)

    def apply(self, edit: Json) -> None:
        with contextlib.suppress(AttributeError, LookupError, TypeError):  # it has not the form of an operation
            kind = edit["op"]
            if kind == "add":
                item = {"day": 1, "sortOrder": 0, "version": 0, "modifiedAt": "", "modifiedBy": "", **edit["item"]}
                default = at_end(1) if item["kind"] == "custom" else None
                self._place(cast(Item, item), edit.get("to") or default)
            elif kind == "move":
                self._place(self._by_id[edit["item"]], edit["to"])
            elif kind == "update":
                old = self._by_id[edit["item"]]
                fields = {name: value for name, value in edit["set"].items() if name in _FIELDS}
                new = {name: value for name, value in {**old, **fields}.items() if value is not None}
                self.items[self._index(old)] = self._by_id[old["id"]] = cast(Item, new)
            elif kind == "remove":
                del self.items[self._index(self._by_id[edit["item"]])], self._by_id[edit["item"]]

    def _place(self, item: Item, to: Optional[Mapping[str, Any]]) -> None:
        target = None if to is None else self._target(to, item["id"])
        if to is None or target is None:
            return
        old = self._by_id.get(item["id"])
        if old is not None:
            index = self._index(old)
            del self.items[index]
            target -= index < target
        new = cast(Item, {**item, "day": to["day"]})
        self.items.insert(target, new)
        self._by_id[item["id"]] = new

    def _target(self, to: Mapping[str, Any], id: str) -> Optional[int]:
        """The index for a placement; None if its anchors are not on that day."""
        day: int = to["day"]
        for side, below in (("after", 1), ("before", 0)):
            anchor = self._by_id.get(to.get(side, ""))
            if anchor and anchor["day"] == day and anchor["id"] != id:
                return self._index(anchor) + below
        if "after" in to or "before" in to:
            return None
        first, end = self._first(day), self._first(day + 1)
        if to.get("at") == "start":
            return first
        if "sortOrder" not in to:
            return end
        return next((index for index in range(first, end) if self.items[index]["sortOrder"] > to["sortOrder"]), end)

    def _first(self, day: int) -> int:
        """The index of the first item on this day or a later one."""
        low, high = 0, len(self.items)
        while low < high:
            middle = (low + high) // 2
            if self.items[middle]["day"] < day:
                low = middle + 1
            else:
                high = middle
        return low

    def _index(self, item: Item) -> int:
        return next(
            index for index in range(self._first(item["day"]), len(self.items)) if self.items[index] is item)


# ------------------------------------------------------------------ the core


class _Phase(enum.Enum):
    OFFLINE = enum.auto()
    """Without a connection; the next attempt is due at `wake_at`."""
    GREETING = enum.auto()
    LIVE = enum.auto()
    ENDED = enum.auto()


_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 1.0
_GREETING_SECONDS = 10
_OUTPUT_BYTES = 1 << 18


class _Core:
    """The client without a socket: the driver passes in what happened, then writes `output` and wakes it at `wake_at`."""

    def __init__(self, hello: Json, clock: Callable[[], float] = time.monotonic) -> None:
        self._hello = _encoded({name: value for name, value in hello.items() if value is not None})
        self._clock = clock
        self.phase = _Phase.OFFLINE
        self.ended: Optional[Exception] = None
        self.greeted = Request("hello", {})
        self.welcome: Json = {}
        self.limits: Dict[str, int] = {}
        self.output = bytearray()
        self.trips: List[Replica] = []
        self.by_id: Dict[str, Replica] = {}
        self.drags: Dict[str, _Held[Any]] = {}
        self._lane: Deque[Request] = collections.deque()
        self._in_flight: Dict[int, Request] = {}
        self._numbers, self._tickets = itertools.count(1), itertools.count()
        self._rest: List[bytes] = []
        self._goodbye: Optional[str] = None
        self._pause = _FIRST_PAUSE
        self._due = clock()

    # The connection

    @property
    def is_open(self) -> bool:
        """Whether the driver should be connected."""
        return self.phase in (_Phase.GREETING, _Phase.LIVE)

    @property
    def wake_at(self) -> Optional[float]:
        """When `tick` is due; while offline, when to connect."""
        if self.phase is _Phase.LIVE:
            return min((trip._retry_at for trip in self.trips if trip._retry_at is not None), default=None)
        return None if self.phase is _Phase.ENDED else self._due

    def opened(self) -> None:
        if self.phase is _Phase.OFFLINE:
            self.phase, self._due = _Phase.GREETING, self._clock() + _GREETING_SECONDS
            self._put(_Step("hello", self._hello, self._welcomed))

    def _welcomed(self, result: Optional[Json], error: Optional[Refused]) -> None:
        if result is None:
            assert error is not None
            if not self.greeted.is_answered or error.reason == "unsupported_protocol":
                return self.end(error)
            return self.lost(str(error))
        self.welcome, self.limits = result, result["limits"]
        self.phase = _Phase.LIVE
        _log.info("connected as %s", result["user"])
        self.greeted._finish(result, None)
        for trip in list(self.trips):
            self._resume(trip)

    def tick(self) -> None:
        now = self._clock()
        if self.phase is _Phase.GREETING and self._due <= now:
            self.lost("the daemon does not answer")
        for trip in self.trips:
            if trip._retry_at is not None and trip._retry_at <= now and self.phase is _Phase.LIVE:
                self._resume(trip)

    def failed(self, error: OSError) -> None:
        """The attempt to connect failed."""
        if not self.greeted.is_answered:
            failure = Disconnected(f"there is no connection to the daemon: {error}")
            failure.__cause__ = error
            return self.end(failure)
        self._retry()

    def lost(self, detail: str = "the connection ended", *, is_consistent: bool = True) -> None:
        """The connection ended or must be closed. If replicas may be inconsistent, they request a snapshot."""
        if not self.is_open:
            return
        if self._goodbye:
            detail = f"the daemon closed the connection: {self._goodbye}"
        error = Disconnected(detail, reason=self._goodbye)
        if not self.greeted.is_answered:
            return self.end(error)
        _log.warning("%s; connecting again", detail)
        lost, self._in_flight = self._in_flight, {}
        self._disconnect()
        self._retry()
        for request in reversed(list(lost.values())):
            request._lose(self, error)
        for trip in self.trips:
            trip._script, trip._retry_at = None, None
            trip.connected = False
            trip._needs_snapshot = trip._needs_snapshot or not is_consistent
            trip._bump()

    def interrupted(self) -> None:
        """An exception such as KeyboardInterrupt interrupted a transfer of bytes."""
        self.lost("the client was interrupted", is_consistent=False)

    def _disconnect(self) -> None:
        self.output.clear()
        self._rest, self._goodbye = [], None
        for held in self.drags.values():
            held.ended = "disconnected"
        self.drags.clear()

    def _retry(self) -> None:
        self.phase, self._due = _Phase.OFFLINE, self._clock() + self._pause * random.uniform(0.5, 1)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def end(self, error: Exception) -> None:
        """Closes the client. Unanswered requests get the error."""
        if self.phase is _Phase.ENDED:
            return
        self.phase, self.ended = _Phase.ENDED, error
        self._disconnect()
        given = [self.greeted, *self._in_flight.values(), *self._lane]
        for trip in self.trips:
            given += [trip._joining, *trip._sent.values(), *trip._lane]
        self._in_flight = {}
        for request in given:
            if not request.is_answered:
                is_unknown = isinstance(error, Disconnected) and request.is_sent
                request._finish(None, Disconnected(str(error), sent=True) if is_unknown else error)
        for trip in self.trips:
            trip._script, trip.connected = None, False
            trip._bump()

    # Requests

    def lane(self, request: Request) -> Deque[Request]:
        return self._lane if request._trip is None else request._trip._lane

    def submit(self, request: Request) -> None:
        """Records a request, and sends it as soon as possible."""
        if self.ended:
            raise self.ended
        trip = request._trip
        if trip is not None and trip.deleted:
            raise _gone(request.method)
        if len(request._text) > self.limits["lineBytes"] - _ENVELOPE:
            advice = ". Create the trip without items and apply() them" if request.method == "trip.create" else ""
            raise TooLong(
                f"{request.method} takes {len(request._text)} bytes; a line may have {self.limits['lineBytes']}{advice}")
        request._ticket = next(self._tickets)
        self.lane(request).append(request)
        if isinstance(request, Change) and trip is not None:
            trip._bump()
        self._pump()

    def follow(self, trip: Replica) -> None:
        """Subscribes to a trip; `trip._joining` is answered with its id."""
        if self.ended:
            raise self.ended
        self.trips.append(trip)
        if self.phase is _Phase.LIVE:
            self._resume(trip)

    def abandon(self, request: Request) -> None:
        """The caller no longer waits for a request. It is dropped if it was not sent."""
        if request.is_answered:
            return
        for trip in self.trips:
            if trip._joining is request:
                trip._script = None
                self.trips.remove(trip)
                break
        request._is_abandoned = True
        if not request.is_sent:
            with contextlib.suppress(ValueError):
                self.lane(request).remove(request)
            if isinstance(request, Change):
                cast(Replica, request._trip)._bump()

    def _pump(self) -> None:
        """Sends requests in order. Those of a trip that is being resumed wait."""
        window = min(256, self.limits.get("requestsInFlight", 256))
        while self.phase is _Phase.LIVE and len(self._in_flight) < window and len(self.output) < _OUTPUT_BYTES:
            open_lanes = [self._lane] if self._lane else []
            open_lanes += [trip._lane for trip in self.trips if trip._lane and trip.connected and trip._script is None]
            if not open_lanes:
                return
            lane = min(open_lanes, key=lambda lane: lane[0]._ticket)
            request = lane[0]
            trip = request._trip
            if not isinstance(request, Change) or trip is None:
                lane.popleft()
                self._put(request)
            elif request._pieces:
                self._run(trip, trip._bring(request))
            else:
                trip._register(request)
                self._put(request, _extended(request._text, {"seq": request.seq}))

    def _put(self, request: Request, text: Optional[bytes] = None) -> None:
        number = next(self._numbers)
        request._number, self._in_flight[number] = number, request
        self.output += b'{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}\n' % (
            number, request.method.encode(), request._text if text is None else text)

    # Procedures of trips

    def _resume(self, trip: Replica) -> None:
        trip._retry_at, trip.connected = None, False
        self._run(trip, trip._resume())

    def _run(self, trip: Replica, script: _Script) -> None:
        trip._script = script
        self._advance(trip, script, None, None)

    def _advance(self, trip: Replica, script: _Script, result: Optional[Json], error: Optional[Refused]) -> None:
        if trip._script is not script:
            return
        try:
            method, text = script.throw(error) if error else script.send(cast(Json, result))
        except StopIteration:
            trip._script = None
            self._resumed(trip)
        except Refused as refusal:
            trip._script = None
            self._postpone(trip, refusal)
        else:
            self._put(_Step(method, text, functools.partial(self._advance, trip, script)))

    def _resumed(self, trip: Replica) -> None:
        self._pause = _FIRST_PAUSE
        known = self.by_id.get(trip.id)
        if trip.deleted:
            self._forget(trip)
        elif known is not None and known is not trip and known in self.trips:
            # It was followed already; the new subscription has replaced the old one.
            known._take_snapshot({
                "trip": trip.header, "epoch": trip.epoch, "version": trip.version, "items": trip.items,
                "problems": trip.problems})
            known.presence, known._defer = trip.presence, trip._defer
            known._bump()
            self.trips.remove(trip)
        else:
            self.by_id[trip.id] = trip
        if not trip._joining.is_answered:
            trip._joining._finish({"id": trip.id}, None)

    def _postpone(self, trip: Replica, error: Refused) -> None:
        """A trip cannot be followed, or a repeat cannot be decided, at the moment."""
        if not trip._joining.is_answered:
            self.trips.remove(trip)
            return trip._joining._finish(None, error)
        _log.warning("trip %s: %s; trying again", trip.header["slug"], error)
        trip.error, trip.connected = error, False
        trip._retry_at = self._clock() + min(_LONGEST_PAUSE, _FIRST_PAUSE * 2**trip._retries)
        trip._retries = min(trip._retries + 1, 10)
        trip._bump()

    def _forget(self, trip: Replica) -> None:
        if trip in self.trips:
            self.trips.remove(trip)
        if self.by_id.get(trip.id) is trip:
            del self.by_id[trip.id]

    # Received lines

    def received(self, data: bytes) -> None:
        try:
            first, *others = data.split(b"\n")
            self._rest.append(first)
            for beginning in others:
                line, self._rest = b"".join(self._rest), [beginning]
                if line.strip():
                    self._take(json.loads(line))
                if not self.is_open:
                    return
        except (AttributeError, LookupError, TypeError, ValueError) as error:  # a message that breaks the protocol
            _log.exception("unexpected message")
            self.lost(f"unexpected message: {error!r}", is_consistent=False)
        else:
            self._pump()

    def _take(self, message: Json) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method is None:
            self._take_answer(message)
        elif method == "goodbye":
            self._goodbye = params["reason"]
        elif method == "drag.ended":
            held = self.drags.pop(params["drag"], None)
            if held:
                held.ended = params["reason"]
        else:
            trip = params.get("trip")
            replica = self.by_id.get(trip["id"] if isinstance(trip, dict) else trip)
            if replica is not None and method == "trip.deleted":
                self._delete(replica)
            elif replica is not None:
                replica._told(method, params)

    def _delete(self, trip: Replica) -> None:
        # The daemon answers requests sent before; the answer to a change came before this notification.
        self._forget(trip)
        trip._script = None
        in_flight = {seq: change for seq, change in trip._sent.items() if change._number in self._in_flight}
        trip._sent = {seq: change for seq, change in trip._sent.items() if seq not in in_flight}
        trip._end(_gone("trip.subscribe"))
        trip._sent = in_flight

    def _take_answer(self, message: Json) -> None:
        number = message["id"]
        if number is None:
            error = _refusal("", message["error"])
            if isinstance(error, AccessDenied):
                return self.end(error)
            # The daemon could not read a line. With several in flight it is unknown which. After a reconnect
            # changes are repeated one by one.
            if len(self._in_flight) != 1:
                return self.lost(str(error))
            number = next(iter(self._in_flight))
        request = self._in_flight.pop(number)
        request._take(
            message.get("result"), _refusal(request.method, message["error"]) if "error" in message else None)
        # `hello` and a subscription may succeed again and again before the connection fails.
        if not isinstance(request, _Step):
            self._pause = _FIRST_PAUSE


def _greeting(
    user: Optional[str], client_id: Optional[str], person: Optional[str], role: Optional[str], program: str
) -> Json:
    return {
        "protocol": {"major": 1, "minor": 3}, "client": {"name": program, "version": "1"}, "user": user,
        "clientId": client_id or str(uuid.uuid4()), "person": person, "role": role,
    }


def _connection(path: str) -> socket.socket:
    """A non-blocking connection. A local one succeeds or fails at once."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.setblocking(False)
        connection.connect(path)
    except BaseException:
        connection.close()
        raise
    return connection


# ------------------------------------------------------------------ shared by blocking and asyncio


class _Calls(Replica, Generic[Answer]):
    """The operations on a trip.

    `if_version` and `if_item_version` make a change only if the trip or the item has that version, else it is a
    `VersionConflict`. A `dry_run` is answered as the change would be and changes nothing.
    """

    def __init__(self, client: Union[Client, AsyncClient], reference: str, defer: bool, seq: int) -> None:
        super().__init__(reference, defer, seq)
        self._core = client._core

    def _ask(self, request: Request) -> Answer:
        raise NotImplementedError

    def change(self, method: str, /, **params: Any) -> Answer:
        """Sends a change by any method with a `seq`; for the parameters see Protocol/README.md."""
        if params.get("dryRun"):
            return self._ask(Request(method, {"trip": self.id, **params}, self))
        return self._ask(Change(self, method, params))

    def add(
        self, item: Mapping[str, Any], to: Optional[Placement] = None, *, if_version: Optional[int] = None,
        dry_run: bool = False,
    ) -> Answer:
        """Adds an item. Without an `id` it gets a new one."""
        _check_fields(set(item) - {"id", "kind"})
        return self.change(
            "item.add", item={"id": str(uuid.uuid4()), **item}, to=to, **_options(if_version, None, dry_run))

    def move(
        self, item: str, to: Placement, *, if_version: Optional[int] = None, if_item_version: Optional[int] = None,
        dry_run: bool = False,
    ) -> Answer:
        return self.change("item.move", item=item, to=to, **_options(if_version, if_item_version, dry_run))

    def update(
        self, item: str, /, *, if_version: Optional[int] = None, if_item_version: Optional[int] = None,
        dry_run: bool = False, **fields: Any,
    ) -> Answer:
        """Sets fields, with the names of `Item`. None clears one."""
        _check_fields(fields)
        return self.change("item.update", item=item, set=fields, **_options(if_version, if_item_version, dry_run))

    def remove(
        self, item: str, *, if_version: Optional[int] = None, if_item_version: Optional[int] = None, dry_run: bool = False
    ) -> Answer:
        return self.change("item.remove", item=item, **_options(if_version, if_item_version, dry_run))

    def rename(self, name: str, *, if_version: Optional[int] = None, dry_run: bool = False) -> Answer:
        return self.change("trip.update", name=name, **_options(if_version, None, dry_run))

    def accept(self, problem: str, accepted: bool = True, *, if_version: Optional[int] = None) -> Answer:
        """Accepts the problem with this key as intended, or revokes that."""
        return self.change("trip.accept", problem=problem, accepted=accepted, **_options(if_version, None, False))

    def todo(
        self, entry: Optional[str] = None, *, text: Optional[str] = None, done: Optional[bool] = None,
        item: Optional[Dict[str, Any]] = None, removed: bool = False
    ) -> Answer:
        """Changes the thing to do or the idea with this id, or adds one with a text or with the fields of an item."""
        change = {"id": entry, "text": text, "done": done, "item": item, "removed": removed or None}
        return self.change("trip.todo", todo={name: value for name, value in change.items() if value is not None})

    def apply(self, ops: Iterable[Json], *, if_version: Optional[int] = None) -> Answer:
        """Applies many operations as one change, sent in as many lines as necessary: all of them, or none.

        An operation is a dictionary. `set` takes the fields of `Item`; None clears one. An `add` without an `id` gets a
        new one. A later operation may name an item that an earlier one adds.

            trip.apply([
                {"op": "add", "item": {"id": zoo, "kind": "custom", "title": "Zoo"}, "to": at_end(2)},
                {"op": "move", "item": museum, "to": after(2, zoo)},
                {"op": "update", "item": picnic, "set": {"title": "Lunch", "note": None}},
                {"op": "remove", "item": walk},
                {"op": "trip", "name": "Spring", "dayCount": 6},
            ])
        """
        given = [_encoded(_with_id(op), 4) for op in ops]
        room = self._core.limits["lineBytes"] - 2 * _ENVELOPE
        pieces: List[List[bytes]] = [[]]
        size = 0
        for op in given:
            if len(op) > room:
                raise TooLong(f"an operation takes {len(op)} bytes; a line may have {self._core.limits['lineBytes']}")
            size += len(op) + 1
            if pieces[-1] and (len(pieces[-1]) == self._core.limits["ops"] or size > room):
                pieces.append([])
                size = len(op) + 1
            pieces[-1].append(op)
        options = _options(if_version, None, False)
        if len(pieces) == 1:
            return self._ask(Change(self, "trip.apply", {"ops": [json.loads(op) for op in given], **options}))
        texts = [b"[" + b",".join(piece) + b"]" for piece in pieces]
        return self._ask(Change(self, "batch.commit", options, pieces=texts, counts=[len(piece) for piece in pieces]))

    def undo(self, *, if_version: Optional[int] = None, dry_run: bool = False) -> Answer:
        return self.change("trip.undo", **_options(if_version, None, dry_run))

    def redo(self, *, if_version: Optional[int] = None, dry_run: bool = False) -> Answer:
        return self.change("trip.redo", **_options(if_version, None, dry_run))

    def focus(self, item: Optional[str] = None, *, day: Optional[int] = None) -> Answer:
        """Shows the item or the day at this user's cursor to the others, also after a reconnect."""
        return self._ask(_Focus(self, {"item": item, "day": day}))


def _options(if_version: Optional[int], if_item_version: Optional[int], dry_run: bool) -> Json:
    options = {"ifVersion": if_version, "ifItemVersion": if_item_version, "dryRun": dry_run or None}
    return {name: value for name, value in options.items() if value is not None}


def _check_fields(names: Iterable[str]) -> None:
    unknown = sorted(set(names) - _FIELDS)
    if unknown:
        raise TypeError(f"an item has no field {', '.join(map(repr, unknown))}; change() takes what this module does not know")


class _Held(Generic[Answer]):
    """A dragged item. Hover at least every `lease` seconds, also if nothing moves."""

    def __init__(self, trip: _Calls[Answer], item: str) -> None:
        self.item = item
        self.name = ""
        self.lease = 0.0
        """Seconds after which a drag without a hover ends."""
        self.gaps: List[Gap] = []
        """Every gap of the trip, and whether the item may go there."""
        self.barriers: List[str] = []
        """The games that restrict it."""
        self.ended: Optional[str] = None
        """The reason for the end of the drag: dropped, cancelled, disconnected, or a reason of `drag.ended`."""
        self._trip = trip

    def hover(self, over: Union[Gap, Placement, None] = None) -> Answer:
        """Shows the others where the item is being dragged."""
        place = None if over is None else _placement(over)
        return self._trip._ask(Request("drag.hover", {"drag": self.name, "over": place}, self._trip))

    def drop(self, to: Union[Gap, Placement]) -> Answer:
        """Drops the item. The drag ends even if the drop is refused."""
        change = Change(self._trip, "drag.drop", {"drag": self.name, "to": _placement(to)}, moves=self.item)
        self._over("dropped")
        return self._trip._ask(change)

    def cancel(self) -> Answer:
        self._over("cancelled")
        return self._trip._ask(Request("drag.cancel", {"drag": self.name}, self._trip))

    def _over(self, reason: str) -> None:
        self.ended = self.ended or reason
        self._trip._core.drags.pop(self.name, None)


class _Begin(Request):
    def __init__(self, held: _Held[Any]) -> None:
        super().__init__("drag.begin", {"trip": held._trip.id, "item": held.item}, held._trip)
        self._held = held

    def _take(self, result: Optional[Json], error: Optional[Refused]) -> None:
        if result is not None:
            self._held.name, self._held.lease = result["drag"], result["leaseMilliseconds"] / 1000
            self._held.gaps, self._held.barriers = result["gaps"], result["barriers"]
            core = self._held._trip._core
            core.drags[self._held.name] = self._held
            if self._is_abandoned:
                core.submit(Request("drag.cancel", {"drag": self._held.name}, self._trip))
        self._finish(result, error)


def _placement(to: Union[Gap, Placement]) -> Placement:
    return into(cast(Gap, to)) if "valid" in to else to


def _history(trip: Replica, before: Optional[int], since: Union[int, str, None], limit: Optional[int]) -> Request:
    return Request("trip.history", {"trip": trip.id, "before": before, "since": since, "limit": limit}, trip)


def _creation(
    name: str, start_date: str, days: int, time_zone: str, *, id: Optional[str] = None, slug: Optional[str] = None,
    items: Iterable[Json] = (), dry_run: bool = False,
) -> Request:
    return Request("trip.create", {
        "id": id or str(uuid.uuid4()), "name": name, "startDate": start_date, "dayCount": days, "timeZone": time_zone,
        "slug": slug, "items": list(items) or None, "dryRun": dry_run or None})


# ------------------------------------------------------------------ blocking


class Client:
    """A client whose calls block.

    - `timeout`: seconds that a call may take, reconnects included; None for no limit. See `Timeout`.
    - `client_id` names this client for repeats. Give one only if the number of each trip's last change (`Trip.seq`, which
      `follow` takes) is kept as well. No two clients that run at the same time may share it.
    - `person` is for undo: programs that share it undo each other's changes.

    The first connection must succeed; after that the client reconnects by itself, during a call: a program that makes
    no calls gets no states. A client may move between threads, but two calls at the same time are a RuntimeError; `wait` and
    the loops over states are calls, too.
    """

    _caller: Optional[object] = None

    def __init__(
        self, path: Optional[str] = None, *, user: Optional[str] = None, role: Optional[str] = None,
        client_id: Optional[str] = None, person: Optional[str] = None, program: str = "itinerary.py",
        timeout: Optional[float] = 60,
    ) -> None:
        self.path, self.timeout = path or default_socket(), timeout
        self._core = _Core(_greeting(user, client_id, person, role, program))
        self._socket: Optional[socket.socket] = None
        self._events = 0
        self._selector = selectors.DefaultSelector()
        try:
            self.wait_for(self._core.greeted)
        except BaseException:
            self.close()
            raise

    @property
    def welcome(self) -> Json:
        """The answer to the last hello."""
        return self._core.welcome

    @property
    def connected(self) -> bool:
        return self._core.phase is _Phase.LIVE

    def close(self) -> None:
        """Closes the client. Unanswered changes are not repeated."""
        self._core.end(Disconnected("the client was closed"))
        self._adjust()
        self._selector.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Requests

    def call(self, method: str, /, **params: Any) -> Json:
        """Sends a request and returns its answer. Parameters that are None are left out."""
        return self._ask(Request(method, params))

    def send(self, method: str, /, **params: Any) -> Request:
        """Starts a request without waiting for its answer. It is sent by this call or a later one."""
        request = Request(method, params)
        with self._alone():
            self._uninterrupted(lambda: self._core.submit(request))
        return request

    def wait_for(self, request: Request) -> Json:
        """The answer to a request."""
        with self._alone():
            return self._finish(request)

    def _ask(self, request: Request) -> Json:
        with self._alone():
            self._uninterrupted(lambda: self._core.submit(request))
            return self._finish(request)

    def _finish(self, request: Request) -> Json:
        deadline = None if self.timeout is None else time.monotonic() + self.timeout
        try:
            while not request.is_answered:
                if not self._step(deadline):
                    raise Timeout(request, self.timeout)
        finally:
            self._core.abandon(request)
        return request._outcome()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        # A signal handler may raise between any two lines; a lock could then stay locked.
        call = object()
        try:
            if self.__dict__.setdefault("_caller", call) is not call:
                raise RuntimeError("another call of this client has not ended; each thread needs a client of its own")
            yield
        finally:
            if self._caller is call:
                del self._caller

    def _uninterrupted(self, part: Callable[[], None]) -> None:
        """Runs a function. If an exception, such as one of a signal handler, interrupts it, the client reconnects."""
        try:
            part()
            self._adjust()
        except ItineraryError:
            raise
        except BaseException:
            self._core.interrupted()
            raise

    def _step(self, deadline: Optional[float]) -> bool:
        """Waits until something happens; false after the timeout."""
        core = self._core
        if core.ended:
            raise core.ended
        ends = [end for end in (deadline, core.wake_at) if end is not None]
        # An exception here leaves the state unchanged.
        ready = self._selector.select(max(0.0, min(ends) - time.monotonic()) if ends else None)
        self._uninterrupted(lambda: self._continue(ready[0][1] if ready else 0))
        return bool(ready) or deadline is None or time.monotonic() < deadline

    def _continue(self, events: int) -> None:
        self._adjust()
        if events and self._socket is not None:
            return self._transfer(self._socket, events)
        if self._core.wake_at is None or self._core.wake_at > time.monotonic():
            return
        if self._core.is_open:
            return self._core.tick()
        try:
            self._socket = _connection(self.path)
        except OSError as error:
            self._core.failed(error)
        else:
            self._core.opened()

    def _transfer(self, connection: socket.socket, events: int) -> None:
        try:
            # Reading comes first: a client that only writes would deadlock with a daemon that waits to be
            # read.
            if events & selectors.EVENT_READ:
                data = connection.recv(1 << 18)
                if not data:
                    return self._core.lost()
                self._core.received(data)
            if events & selectors.EVENT_WRITE and self._core.output:
                del self._core.output[:connection.send(self._core.output[:1 << 18])]
                self._core._pump()
        except BlockingIOError:
            pass
        except OSError as error:
            self._core.lost(str(error))

    def _adjust(self) -> None:
        """Makes the socket's state match the core's."""
        if self._socket is None:
            return
        if not self._core.is_open:
            self._selector.close()
            self._socket.close()
            self._selector, self._socket, self._events = selectors.DefaultSelector(), None, 0
            return
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._core.output else 0)
        if events != self._events:
            try:
                self._selector.modify(self._socket, events)
            except KeyError:
                self._selector.register(self._socket, events)
            self._events = events

    # Trips

    def create(self, name: str, start_date: str, days: int, time_zone: str, **more: Any) -> TripHeader:
        """Creates a trip. `more` is `id`, `slug`, `items` (each `{"item": …, "to": …}`) and `dry_run`.

        It must fit into one line, else it is `TooLong`.
        """
        return cast(TripHeader, self._ask(_creation(name, start_date, days, time_zone, **more))["trip"])

    def follow(self, trip: str, *, defer: bool = True, seq: int = 0) -> Trip:
        """Subscribes to a trip by its id or slug. For a trip that is followed already, returns the same object.

        `seq` is the number of this `client_id`'s last change to it. Without `defer` the trip gets changes also during
        its own drags; the last call for a trip decides.
        """
        followed = Trip(self, trip, defer, seq)
        with self._alone():
            self._uninterrupted(lambda: self._core.follow(followed))
            id = self._finish(followed._joining)["id"]
        return cast(Trip, self._core.by_id.get(id, followed))


class Trip(_Calls[Json]):
    """A followed trip. A call that changes it waits for the answer.

    `for state in trip` is for bots: a state for each version of the daemon. `trip.states()` is for screens.
    """

    def __init__(self, client: Client, reference: str, defer: bool, seq: int) -> None:
        super().__init__(client, reference, defer, seq)
        self._client = client

    def _ask(self, request: Request) -> Json:
        return self._client._ask(request)

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until `news` rises; false after the timeout, or if the trip is deleted."""
        seen, end = self.news, None if timeout is None else time.monotonic() + timeout
        with self._client._alone():
            while self.news == seen and not self.deleted:
                if not self._client._step(end):
                    break
        return self.news != seen

    def __iter__(self) -> Iterator[State]:
        """Yields the present state, and then each newer version of the daemon, until the trip is deleted or the client closed.

        Several versions may be one state. A change of this client, refused or not, gives no state before the daemon has
        made it and sent its version.
        """
        return self._each(self._told_content)

    def states(self) -> Iterator[State]:
        """The present state, and one whenever a screen is to be drawn again: also for a change of this client that is shown or
        rolled back, for presence and for the connection. A bot that reacts to these states reacts to its own refused changes.
        """
        return self._each(lambda: self.news)

    def _each(self, key: Callable[[], object]) -> Iterator[State]:
        seen: object = None
        while True:
            if key() != seen:
                seen = key()
                yield self.state()
            elif self.deleted or isinstance(self._core.ended, Disconnected):
                return
            else:
                self.wait()

    def sync(self) -> int:
        """Waits until every change up to now has been received; returns the version."""
        return cast(int, self._ask(Request("trip.sync", {"trip": self.id}, self))["version"])

    def history(
        self, *, before: Optional[int] = None, since: Union[int, str, None] = None, limit: Optional[int] = None
    ) -> List[Json]:
        """The trip's changes, newest first."""
        return cast(List[Json], self._ask(_history(self, before, since, limit))["entries"])

    def drag(self, item: str) -> Drag:
        """Begins a drag. As a context manager it cancels a drag that was not dropped."""
        held = Drag(self, item)
        self._ask(_Begin(held))
        return held


class Drag(_Held[Json]):
    __doc__ = _Held.__doc__

    def __enter__(self) -> Drag:
        return self

    def __exit__(self, *error: object) -> None:
        if self.ended is None:
            with contextlib.suppress(ItineraryError):
                self.cancel()


# ------------------------------------------------------------------ asyncio


class AsyncClient:
    """A client for asyncio: `async with AsyncClient(…) as client`. Its arguments are those of `Client`.

    It belongs to the event loop that connected it. `timeout` is for each call; a task that is cancelled ends its call.
    """

    def __init__(
        self, path: Optional[str] = None, *, user: Optional[str] = None, role: Optional[str] = None,
        client_id: Optional[str] = None, person: Optional[str] = None, program: str = "itinerary.py",
        timeout: Optional[float] = 60,
    ) -> None:
        self.path, self.timeout = path or default_socket(), timeout
        self._core = _Core(_greeting(user, client_id, person, role, program))
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._link: Optional[_Link] = None
        self._connecting: Optional[asyncio.Task[None]] = None
        self._timer: Optional[asyncio.TimerHandle] = None

    welcome = Client.welcome
    connected = Client.connected

    async def connect(self) -> AsyncClient:
        """Connects for the first time, or raises."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._adjust()
        try:
            await self._finish(self._core.greeted)
        except BaseException:
            self._end()
            raise
        return self

    async def __aenter__(self) -> AsyncClient:
        return await self.connect()

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the client. Unanswered changes are not repeated."""
        self._end()
        await asyncio.sleep(0)  # in which the transport closes its socket

    def _end(self) -> None:
        self._core.end(Disconnected("the client was closed"))
        self._adjust()

    # Requests

    async def call(self, method: str, /, **params: Any) -> Json:
        """Sends a request and returns its answer. Requests are sent in the order of the calls."""
        return await self._ask(Request(method, params))

    async def _ask(self, request: Request) -> Json:
        self._check_loop()
        self._core.submit(request)
        self._adjust()
        return await self._finish(request)

    def _check_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None or self._loop is not asyncio.get_running_loop():
            raise RuntimeError("this client is not connected, or belongs to another event loop")
        return self._loop

    async def _finish(self, request: Request) -> Json:
        loop = self._check_loop()
        deadline = None if self.timeout is None else loop.time() + self.timeout
        try:
            while not request.is_answered:
                if not await self._pause(deadline, functools.partial(setattr, request, "_wake")):
                    raise Timeout(request, self.timeout)
        finally:
            self._core.abandon(request)
        return request._outcome()

    async def _pause(self, deadline: Optional[float], watch: Callable[[Callable[[], None]], Any]) -> bool:
        """Waits until the function that is passed to `watch` is called; false after the timeout."""
        loop = self._check_loop()
        future: asyncio.Future[bool] = loop.create_future()

        def wake(is_in_time: bool) -> None:
            if not future.done():
                future.set_result(is_in_time)

        watch(functools.partial(wake, True))
        timer = None if deadline is None else loop.call_at(deadline, wake, False)
        try:
            return await future
        finally:
            if timer:
                timer.cancel()

    # The connection. `_adjust` follows every call of the core.

    def _adjust(self) -> None:
        loop, core = cast(asyncio.AbstractEventLoop, self._loop), self._core
        if self._link is not None:
            self._link.adjust()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if core.wake_at is not None and self._connecting is None:
            self._timer = loop.call_later(max(0.0, core.wake_at - time.monotonic()), self._wake)

    def _wake(self) -> None:
        if self._core.is_open:
            self._core.tick()
        elif self._connecting is None and self._link is None:
            self._connecting = cast(asyncio.AbstractEventLoop, self._loop).create_task(self._open())
            return
        self._adjust()

    async def _open(self) -> None:
        loop = self._check_loop()
        try:
            await loop.create_unix_connection(lambda: _Link(self), sock=_connection(self.path))
        except OSError as error:
            self._core.failed(error)
        finally:
            self._connecting = None
            self._adjust()

    # Trips

    async def create(self, name: str, start_date: str, days: int, time_zone: str, **more: Any) -> TripHeader:
        """See `Client.create`."""
        return cast(TripHeader, (await self._ask(_creation(name, start_date, days, time_zone, **more)))["trip"])

    async def follow(self, trip: str, *, defer: bool = True, seq: int = 0) -> AsyncTrip:
        """See `Client.follow`."""
        self._check_loop()
        followed = AsyncTrip(self, trip, defer, seq)
        self._core.follow(followed)
        self._adjust()
        id = (await self._finish(followed._joining))["id"]
        return cast(AsyncTrip, self._core.by_id.get(id, followed))


class _Link(asyncio.Protocol):
    """One connection of an `AsyncClient`."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._is_paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._client._link = self
        self._client._core.opened()
        self._client._adjust()

    def data_received(self, data: bytes) -> None:
        if self._client._link is self:
            self._client._core.received(data)
            self._client._adjust()

    def connection_lost(self, error: Optional[Exception]) -> None:
        if self._client._link is self:
            self._client._link = None
            self._client._core.lost(str(error or "the connection ended"))
            self._client._adjust()

    def pause_writing(self) -> None:
        self._is_paused = True

    def resume_writing(self) -> None:
        self._is_paused = False
        self._client._adjust()

    def adjust(self) -> None:
        """Makes the transport's state match the core's."""
        core = self._client._core
        if not core.is_open:
            self._client._link = None
            self._transport.abort()
        while core.output and not self._is_paused and not self._transport.is_closing():
            output = bytes(core.output)
            core.output.clear()
            self._transport.write(output)
            core._pump()


class AsyncTrip(_Calls[Awaitable[Json]]):
    """A followed trip, for asyncio. See `Trip`. Any number of tasks may change it and wait for it."""

    def __init__(self, client: AsyncClient, reference: str, defer: bool, seq: int) -> None:
        super().__init__(client, reference, defer, seq)
        self._client = client

    def _ask(self, request: Request) -> Awaitable[Json]:
        return self._client._ask(request)

    async def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until `news` rises; false after the timeout, or if the trip is deleted."""
        seen, loop = self.news, self._client._check_loop()
        end = None if timeout is None else loop.time() + timeout
        while self.news == seen and not self.deleted:
            if self._core.ended:
                raise self._core.ended
            if not await self._watch(end):
                break
        return self.news != seen

    async def _watch(self, end: Optional[float]) -> bool:
        added: List[Callable[[], None]] = []

        def watch(wake: Callable[[], None]) -> None:
            added.append(wake)
            self._watchers.append(wake)

        try:
            return await self._client._pause(end, watch)
        finally:
            for wake in added:
                self._watchers.remove(wake)

    def __aiter__(self) -> AsyncIterator[State]:
        """See `Trip.__iter__`."""
        return self._each(self._told_content)

    def states(self) -> AsyncIterator[State]:
        """See `Trip.states`."""
        return self._each(lambda: self.news)

    async def _each(self, key: Callable[[], object]) -> AsyncIterator[State]:
        seen: object = None
        while True:
            if key() != seen:
                seen = key()
                yield self.state()
            elif self.deleted or isinstance(self._core.ended, Disconnected):
                return
            else:
                await self.wait()

    async def sync(self) -> int:
        """Waits until every change up to now has been received; returns the version."""
        return cast(int, (await self._ask(Request("trip.sync", {"trip": self.id}, self)))["version"])

    async def history(
        self, *, before: Optional[int] = None, since: Union[int, str, None] = None, limit: Optional[int] = None
    ) -> List[Json]:
        """The trip's changes, newest first."""
        return cast(List[Json], (await self._ask(_history(self, before, since, limit)))["entries"])

    async def drag(self, item: str) -> AsyncDrag:
        """Begins a drag: `async with await trip.drag(item) as held`."""
        held = AsyncDrag(self, item)
        await self._ask(_Begin(held))
        return held


class AsyncDrag(_Held[Awaitable[Json]]):
    __doc__ = _Held.__doc__

    async def __aenter__(self) -> AsyncDrag:
        return self

    async def __aexit__(self, *error: object) -> None:
        if self.ended is None:
            with contextlib.suppress(ItineraryError):
                await self.cancel()
