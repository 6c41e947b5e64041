"""Neighbours of all kinds on connections of one thread: who pipelines, stops, dies, is rude, or simply uses the daemon."""

import errno
import json
import random
import selectors
import socket
import time
from collections.abc import Iterator

WINDOW = 32
ANSWER = b'"2.0","id":'
ERROR = b'"error":{"code"'


def line(method: str, number: int = 1, **params: object) -> bytes:
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(request, separators=(",", ":")).encode() + b"\n"


def hello(name: str) -> bytes:
    return line("hello", protocol={"major": 1, "minor": 1}, client={"name": "crowd", "version": "1"}, user=name)


class Crowd:
    """All neighbours, the selector that serves them, and their counts and problems for the report."""

    def __init__(self, path: str, seed: int):
        self.path = path
        self.random = random.Random(seed)
        self.selector = selectors.DefaultSelector()
        self.neighbours: list[Neighbour] = []
        self.counts: dict[str, int] = {}
        self.problems: list[str] = []
        self.buffer = bytearray(1 << 20)

    def count(self, what: str, by: int = 1) -> None:
        self.counts[what] = self.counts.get(what, 0) + by

    def run(self, seconds: float) -> None:
        """Serves them for `seconds`: data is read at once, and every 20 ms each neighbour gets a tick."""
        end = time.monotonic() + seconds
        next_tick = 0.0
        while (now := time.monotonic()) < end:
            for key, events in self.selector.select(0.01):
                key.data.ready(events)
            if now >= next_tick:
                next_tick = now + 0.02
                for neighbour in self.neighbours:
                    neighbour.tick(now)

    def finish(self, seconds: float) -> None:
        """Stops new requests, and waits for the pending answers."""
        end = time.monotonic() + seconds
        for neighbour in self.neighbours:
            neighbour.is_done = True
        while time.monotonic() < end and any(neighbour.is_waited_for for neighbour in self.neighbours):
            for key, events in self.selector.select(0.05):
                key.data.ready(events)

    def leave(self) -> None:
        for neighbour in self.neighbours:
            neighbour.close()


class Neighbour:
    """A connection that reconnects when it is lost."""

    kind = "neighbour"
    reads = True

    def __init__(self, crowd: Crowd, number: int):
        self.crowd, self.number = crowd, number
        self.socket: socket.socket | None = None
        self.out = bytearray()
        self.tail = b""
        self.next_try = time.monotonic() + crowd.random.uniform(0, 2)
        self.answers = 0
        self.is_done = False
        crowd.neighbours.append(self)

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.number}"

    @property
    def is_waited_for(self) -> bool:
        return False

    def open(self) -> None:
        connection = socket.socket(socket.AF_UNIX)
        connection.setblocking(False)
        try:
            connection.connect(self.crowd.path)
        except OSError:
            connection.close()
            self.crowd.count("connects refused")
            self.next_try = time.monotonic() + 0.1
            return
        self.socket, self.out, self.tail, self.answers = connection, bytearray(), b"", 0
        self.crowd.count(f"{self.kind}: connections")
        if self.reads:
            self.crowd.selector.register(connection, selectors.EVENT_READ, self)
        self.send(hello(self.name))
        self.opened()

    def close(self) -> None:
        if self.socket:
            if self.reads:
                self.crowd.selector.unregister(self.socket)
            self.socket.close()
            self.socket = None

    def lost(self) -> None:
        """The connection has ended, probably by the daemon."""
        self.crowd.count(f"{self.kind}: ended by the daemon")
        self.close()
        self.next_try = time.monotonic() + self.crowd.random.uniform(0.1, 1)

    def send(self, data: bytes) -> None:
        self.out += data
        self.flush()

    def flush(self) -> None:
        if not self.socket:
            return
        had = bool(self.out)
        try:
            while self.out:
                del self.out[: self.socket.send(memoryview(self.out)[: 1 << 18])]
        except BlockingIOError:
            pass
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ECONNRESET):
                raise
            return self.lost()
        if had and self.reads:
            writes = selectors.EVENT_WRITE if self.out else 0
            self.crowd.selector.modify(self.socket, selectors.EVENT_READ | writes, self)

    def ready(self, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            self.flush()
        if not self.socket or not events & selectors.EVENT_READ:
            return
        try:
            count = self.socket.recv_into(self.crowd.buffer)
        except BlockingIOError:
            return
        except OSError:
            return self.lost()
        if count == 0:
            return self.lost()
        self.take(self.tail + self.crowd.buffer[:count])

    def take(self, data: bytes) -> None:
        """Counts the answers; those of one connection come in the order of its requests."""
        self.tail = data[-len(ANSWER) + 1 :]
        self.answers += data.count(ANSWER)
        if errors := data.count(ERROR):
            self.crowd.count(f"{self.kind}: errors", errors)
        self.answered()

    def tick(self, now: float) -> None:
        if not self.socket:
            if not self.is_done and now >= self.next_try:
                self.open()
            return
        self.idle(now)

    def opened(self) -> None: ...

    def answered(self) -> None: ...

    def idle(self, now: float) -> None: ...


class Ordinary(Neighbour):
    """Watches a trip with some others and changes something every two seconds; nothing of it may be lost."""

    kind = "ordinary"

    def __init__(self, crowd: Crowd, number: int, trip: str, item: str):
        super().__init__(crowd, number)
        self.trip, self.item = trip, item
        self.sent = self.acknowledged = 0
        self.rest = b""
        self.due = 0.0
        self.sent_at = 0.0
        self.times: list[float] = []

    @property
    def is_waited_for(self) -> bool:
        return self.socket is not None and self.acknowledged < self.sent

    def opened(self) -> None:
        self.rest = b""
        self.send(line("trip.subscribe", trip=self.trip, mode="delta"))

    def lost(self) -> None:
        self.crowd.problems.append(f"{self.name} was thrown out")
        super().lost()

    def idle(self, now: float) -> None:
        if self.is_done or now < self.due or self.acknowledged < self.sent:
            return
        self.due = now + self.crowd.random.uniform(1, 3)
        self.sent += 1
        self.sent_at = time.monotonic()
        self.send(line("item.update", 1000 + self.sent, trip=self.trip, item=self.item, set={"title": str(self.sent)}))

    def take(self, data: bytes) -> None:
        *whole, self.rest = (self.rest + data).split(b"\n")
        for text in whole:
            message = json.loads(text)
            if "error" in message:
                self.crowd.problems.append(f"{self.name}: {message['error']}")
            if (number := message.get("id", 0) - 1000) > 0:
                self.acknowledged = number
                self.times.append(time.monotonic() - self.sent_at)

class Pipelining(Neighbour):
    """Keeps many changes in flight, all the time."""

    kind = "pipelining"

    def __init__(self, crowd: Crowd, number: int, trip: str, item: str):
        super().__init__(crowd, number)
        self.trip, self.item = trip, item
        self.sent = self.acknowledged = 0
        start = line("item.update", trip=trip, item=item, set={"title": "@"}).split(b"@")
        self.before, self.behind = start[0], start[1]
        self.first = self.base = 0

    @property
    def is_waited_for(self) -> bool:
        return self.socket is not None and self.acknowledged < self.sent

    def opened(self) -> None:
        # The first line is the answer to hello, and perhaps the next that of the subscription. Changes in
        # flight on a lost connection may have been applied.
        self.first, self.acknowledged = 1, self.sent
        if self.number % 2:
            self.first = 2
            self.send(line("trip.subscribe", trip=self.trip, mode="delta"))
        self.base = self.sent
        self.fill()

    def answered(self) -> None:
        self.acknowledged = self.base + max(0, self.answers - self.first)
        if self.sent - self.acknowledged <= WINDOW // 2:
            self.fill()

    def fill(self) -> None:
        if self.is_done:
            return
        numbers = range(self.sent + 1, self.acknowledged + WINDOW + 1)
        self.sent = self.acknowledged + WINDOW
        self.send(b"".join(self.before + str(number).encode() + self.behind for number in numbers))


class Stopped(Neighbour):
    """Subscribes, asks for much, and reads nothing, ever."""

    kind = "stopped"
    reads = False

    def __init__(self, crowd: Crowd, number: int, trip: str, large: str):
        super().__init__(crowd, number)
        self.trip, self.large = trip, large
        self.due = 0.0

    def opened(self) -> None:
        self.send(line("trip.subscribe", trip=self.trip, mode=("snapshot", "delta")[self.number % 2]))
        self.send(line("trip.get", trip=self.large) * (self.number % 4) + line("rpc.discover") * (self.number % 8))

    def idle(self, now: float) -> None:
        """Asks for something now and then: so it learns when the daemon has hung up."""
        if now >= self.due:
            self.due = now + 1
            self.send(line("ping"))


class Dying(Neighbour):
    """Connects, begins an operation, and disconnects in the middle of it."""

    kind = "dying"

    def __init__(self, crowd: Crowd, number: int, trip: str, item: str):
        super().__init__(crowd, number)
        self.trip, self.item = trip, item
        self.death = 0.0

    def opened(self) -> None:
        self.death = time.monotonic() + self.crowd.random.uniform(0, 0.2)
        action = self.crowd.random.randrange(6)
        if action >= 1:
            self.send(line("trip.subscribe", trip=self.trip))
        if action == 2:
            self.send(line("drag.begin", trip=self.trip, item=self.item))
        if action == 3:
            self.send(line("item.update", trip=self.trip, item=self.item, set={"note": "x" * 9000})[:5000])
        if action == 4 and self.socket:
            self.socket.shutdown(socket.SHUT_WR)
        if action == 5:
            self.send(line("trip.get", trip=self.trip) * 50)

    def idle(self, now: float) -> None:
        if now >= self.death:
            self.close()
            self.next_try = now + self.crowd.random.uniform(0, 0.1)


class Rude(Neighbour):
    """Asks for what costs a daemon most, again as soon as it is answered and after its pause."""

    kind = "rude"

    def __init__(self, crowd: Crowd, number: int, bursts: Iterator[tuple[str, bytes, int]], pause: float):
        super().__init__(crowd, number)
        self.bursts, self.pause = bursts, pause
        self.wanted = 0
        self.due = 0.0
        self.began = 0.0
        self.what = ""
        self.longest: dict[str, float] = {}

    def opened(self) -> None:
        self.wanted = 1
        self.what = ""

    def answered(self) -> None:
        if self.answers < self.wanted:
            return
        now = time.monotonic()
        if self.what:
            self.longest[self.what] = max(self.longest.get(self.what, 0), now - self.began)
            self.crowd.count("rude: bursts answered")
            self.due = now + self.pause
        self.what = ""
        self.idle(now)

    def idle(self, now: float) -> None:
        if self.is_done or self.what or self.answers < self.wanted or now < self.due:
            return
        self.what, burst, answers = next(self.bursts)
        self.began, self.wanted = now, self.wanted + answers
        self.send(burst)
