"""What a machine does to a daemon besides its disk: its clock is set, and it sleeps. Trials of `disks`."""

import os
import shutil
import signal
import subprocess
import time

from daemon import Client, Daemon, item_id
from mounts import Impossible
from trial import PROGRAM, Trip, check_files, expect, message, place, report

YEAR = 365 * 86400
# The kernel does not allow a clock beyond these.
YEARS = (10, -20, -56, 100, 200, 0)

# Adds the offset in a file to the wall clock only.
SHIFT = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    static int file = -1;
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (clock != CLOCK_REALTIME) return result;
    if (file < 0) file = open(getenv("CLOCK_SHIFT"), O_RDONLY | O_CLOEXEC);
    char text[32] = {0};
    if (pread(file, text, sizeof text - 1, 0) > 0) time->tv_sec += atoll(text);
    return result;
}
"""


def clock() -> None:
    """The clock of the machine is set by years, forth and back, while the daemon runs and while it does not."""
    with place() as path:
        source, library, shift = (os.path.join(path, name) for name in ("shift.c", "shift.so", "shift"))
        with open(source, "w") as file:
            file.write(SHIFT)
        compiler = shutil.which("clang") or shutil.which("cc")
        if not compiler or subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source]).returncode:
            raise Impossible("there is no C compiler to make a clock that can be set")

        def put(years: int) -> None:
            # Written in place, because the daemon has it open.
            with open(shift, "r+" if os.path.exists(shift) else "w") as file:
                file.write(str(years * YEAR).ljust(20))

        def start() -> tuple[Daemon, Client]:
            daemon = Daemon(PROGRAM, path, environment={"LD_PRELOAD": library, "CLOCK_SHIFT": shift})
            return daemon, Client(daemon.socket_path, "ann")

        put(0)
        daemon, client = start()
        trip = Trip(client, "t")
        seen: list[str] = []
        for when in ("while it runs", "while it does not"):
            for years in YEARS:
                if when == "while it does not":
                    client.close()
                    daemon.kill() if years % 20 else daemon.stop()
                    put(years)
                    daemon, client = start()
                    trip.check(client, f"{years} years")
                drag = client.result("drag.begin", trip="t", item=item_id(1))["drag"]
                began = time.monotonic()
                put(years)
                expect(message(client, "drag.hover", drag=drag, over={"day": 2, "at": "end"}) == "done",
                       f"{when}, {years} years: a drag goes on")
                expect(message(client, "drag.cancel", drag=drag) == "done", f"{when}, {years} years: it ends")
                expect(trip.change(client) == "done", f"{when}, {years} years: a change")
                expect(time.monotonic() - began < 5, f"{when}, {years} years: it is done at once")
                trip.check(client, f"{when}, {years} years")
                changes = client.result("trip.history", trip="t", limit=1)
                at = changes.get("changes", changes.get("entries"))[0]["at"]
                seen.append(f"{years:+}: {at[:10]}")
            report(f"the clock is set {when}", ", ".join(seen))
            seen = []
        put(100)
        client.result("drag.begin", trip="t", item=item_id(1))
        put(-50)
        began = time.monotonic()
        ended = next((m for m in waited(client, 20) if m.get("method") == "drag.ended"), None)
        report("a drag without hovers, the clock set back by 150 years",
             f"expired after {time.monotonic() - began:.0f} s" if ended else "continues")
        expect(ended and 13 < time.monotonic() - began < 18, "leases use the monotonic clock")
        used = cpu(daemon)
        time.sleep(3)
        expect(cpu(daemon) - used < 0.1, "setting the clock causes no load")
        expect(message(client, "trip.undo", trip="t") == "done", "undo uses the order, not the time")
        client.close()
        daemon.stop()
        check_files(path)
        report("in the end", "every change is there, history and undo keep the order of the changes")


def waited(client: Client, seconds: float) -> list[dict[str, object]]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if messages := client.lines(0.5):
            return messages
    return []


def cpu(daemon: Daemon) -> float:
    with open(f"/proc/{daemon.pid()}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sleep() -> None:
    """The daemon is stopped for seventy seconds, to imitate a suspended machine."""
    with place() as path:
        daemon = Daemon(PROGRAM, path)
        client, other = Client(daemon.socket_path, "ann"), Client(daemon.socket_path, "bob")
        trip = Trip(client, "t")
        other.result("trip.subscribe", trip="t")
        drag = client.result("drag.begin", trip="t", item=item_id(1))["drag"]
        batch = other.result("batch.open", trip="t")["batch"]
        os.kill(daemon.pid(), signal.SIGSTOP)
        asked = [other.send("trip.update", trip="t", name=f"n{number}") for number in range(100)]
        time.sleep(70)
        os.kill(daemon.pid(), signal.SIGCONT)
        began = time.monotonic()
        answered: set[int] = set()
        while len(answered) < len(asked) and time.monotonic() - began < 30:
            answered |= {message["id"] for message in other.lines(1) if message.get("id") in asked and "result" in message}
        report("a hundred changes sent while it was stopped", f"{len(answered)} done {time.monotonic() - began:.2f} s after it woke")
        expect(len(answered) == len(asked), "all changes sent while it was stopped are made")
        report("a drag begun before", message(client, "drag.hover", drag=drag, over={"day": 2, "at": "end"}))
        report("a batch begun before", message(other, "batch.drop", batch=batch))
        expect(trip.change(client) == "done", "the daemon continues")
        client.close()
        other.close()
        daemon.stop()
        check_files(path)
