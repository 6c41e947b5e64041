"""A good client in a process of its own: it pings and changes its trip at a steady pace, and measures how long that takes."""

import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from typing import NamedTuple

from daemon import Client, item_id, make_trip

TRIP = "good"
# Seconds between two requests; every fifth is a change.
PACE = 0.01
CHANGE_EVERY = 5


class Measured(NamedTuple):
    """Seconds: of pings, of changes, and by how much the process itself came too late to begin them."""

    pings: list[float]
    changes: list[float]
    late: list[float]
    acknowledged: int


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


class GoodClient:
    """The process and the commands that start and end a measurement."""

    def __init__(self, path: str, core: int | None):
        self.pipe, end = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=serve, args=(path, core, end), daemon=True)
        self.process.start()
        self.is_real_time: bool = self.pipe.recv()

    def begin(self, seconds: float) -> None:
        self.pipe.send(seconds)

    def result(self) -> Measured:
        return self.pipe.recv()

    def measure(self, seconds: float) -> Measured:
        self.begin(seconds)
        return self.result()

    def end(self) -> None:
        self.pipe.send(None)
        self.process.join()


def serve(path: str, core: int | None, pipe: Connection) -> None:
    is_real_time = True
    try:
        # The crowd's driver uses the same core; its CPU time must not be measured.
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except OSError:
        is_real_time = False
    if core is not None:
        os.sched_setaffinity(0, {core})
    client = Client(path, "good")
    make_trip(client, TRIP, [item_id(1)])
    client.result("trip.subscribe", trip=TRIP, mode="delta")
    pipe.send(is_real_time)
    number = 0
    while (seconds := pipe.recv()) is not None:
        pings, changes, late = [], [], []
        due = time.monotonic()
        end = due + seconds
        count = 0
        while due < end:
            time.sleep(max(0, due - time.monotonic()))
            began = time.monotonic()
            late.append(began - due)
            if count % CHANGE_EVERY == 0:
                client.result("item.update", trip=TRIP, item=item_id(1), set={"title": str(number + 1)}, seq=number + 1)
                number += 1
                changes.append(time.monotonic() - began)
            else:
                client.result("ping")
                pings.append(time.monotonic() - began)
            count += 1
            # If a request takes longer than the pace, the requests that were due in that time are left out.
            due = max(due + PACE, time.monotonic())
        pipe.send(Measured(pings, changes, late, number))
