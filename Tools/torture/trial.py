"""Shared by the trials of `disks`: a daemon with two trips, the changes that it confirmed, and the expectations."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from daemon import Client, Daemon, item_id, make_trip

PROGRAM = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ""
problems: list[str] = []


def report(what: str, happened: str) -> None:
    print(f"  {what:62}{happened}", flush=True)


def expect(condition: object, what: str) -> None:
    if not condition:
        problems.append(what)
        print(f"  PROBLEM: {what}", flush=True)


@contextlib.contextmanager
def place() -> Iterator[str]:
    path = tempfile.mkdtemp(prefix="disks-")
    os.chmod(path, 0o755)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class Trip:
    """A trip with one item, whose title is the number of its last change: the last one sent, the last one confirmed."""

    def __init__(self, client: Client, slug: str, makes: bool = True):
        self.slug = slug
        self.confirmed = self.sent = 0
        if makes:
            make_trip(client, slug, [item_id(1)])

    def change(self, client: Client, note: str = "") -> str:
        """`done`, or the reason of the refusal."""
        self.sent += 1
        answer = client.call("item.update", trip=self.slug, item=item_id(1), set={"title": str(self.sent), "note": note})
        if "error" in answer:
            reason = answer["error"]["data"]["reason"]
            if reason not in ("storage_full", "storage_failed", "outcome_unknown"):
                problems.append(f"{self.slug}: {answer['error']}")
            if reason != "outcome_unknown":
                self.sent -= 1
            return reason
        self.confirmed = self.sent
        return "done"

    def check(self, client: Client, when: str) -> None:
        answer = client.call("trip.get", trip=self.slug)
        if "error" in answer:
            return expect(False, f"{when}: {self.slug}: {answer['error']['message']}")
        found = int(answer["result"]["items"][0]["title"])
        expect(self.confirmed <= found <= self.sent, f"{when}: {self.slug} is at {found}, {self.confirmed} was confirmed, {self.sent} sent")
        self.confirmed = self.sent = found


def message(client: Client, method: str, **params: object) -> str:
    answer = client.call(method, **params)
    return answer["error"]["data"]["reason"] if "error" in answer else "done"


def look_after(path: str, trips: list[Trip], when: str) -> Daemon:
    """A new daemon on the same data: it has all confirmed changes and accepts new ones."""
    daemon = Daemon(PROGRAM, path)
    client = Client(daemon.socket_path, "ann")
    for trip in trips:
        trip.check(client, when)
        expect(trip.change(client) == "done", f"{when}: {trip.slug} accepts changes")
        trip.check(client, when)
    return daemon


def check_files(path: str) -> None:
    checked = subprocess.run([PROGRAM, "check", "--data", os.path.join(path, "data")], capture_output=True, text=True)
    expect(checked.returncode == 0, f"check: {checked.stdout}")


def end(daemon: Daemon, path: str) -> None:
    daemon.stop()
    check_files(path)


def with_two_trips(path: str) -> tuple[Daemon, Client, Trip, Trip]:
    """A daemon with an open trip, and another that it has not read yet."""
    daemon = Daemon(PROGRAM, path)
    client = Client(daemon.socket_path, "ann")
    opened, closed = Trip(client, "open"), Trip(client, "closed")
    expect(closed.change(client) == "done", "a change on a disk in good order")
    daemon.stop()
    daemon = Daemon(PROGRAM, path)
    client = Client(daemon.socket_path, "ann")
    expect(opened.change(client) == "done", "a change on a disk in good order")
    return daemon, client, opened, closed


def last_words(daemon: Daemon) -> str:
    return daemon.log().strip().splitlines()[-1].split("]: ")[-1]


def fill(trip: Trip, client: Client) -> list[str]:
    reasons = []
    while not reasons or reasons[-1] == "done" and len(reasons) < 3000:
        reasons.append(trip.change(client, os.urandom(4000).hex()))
    return reasons
