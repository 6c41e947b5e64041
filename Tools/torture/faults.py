#!/usr/bin/env python3
"""Lets the system fail under the unmodified daemon, with strace and a small file system, and looks what people see.

    faults.py PROGRAM

Needs Linux and strace; the full disk needs the right to mount, the moved clock a C compiler (clang comes with Swift).
What cannot be tried is said. Exit status 0 if everything that was tried went as it should, else 1.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time

from daemon import Client, Daemon, item_id, make_trip

PROGRAM = sys.argv[1]
CHANGE = {"trip": "t", "item": item_id(1)}
# The syncs for reserving the names of two new trips.
NAME_SYNCS = 2
problems = []


def expect(condition, what):
    if not condition:
        problems.append(what)
        print(f"    PROBLEM: {what}")


@contextlib.contextmanager
def place():
    path = tempfile.mkdtemp(prefix="faults-")
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def strace(*injections):
    options = [word for injection in injections for word in ("-e", f"inject={injection}")]
    calls = ",".join(injection.split(":")[0] for injection in injections)
    return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}", *options]


def change(client, title, trip="t"):
    return client.reason("item.update", **{**CHANGE, "trip": trip}, set={"title": title})


def made(path):
    """A directory with the trips `t` and `other`, made by a daemon in good order."""
    daemon = Daemon(PROGRAM, path)
    client = Client(daemon.socket_path, "ann")
    make_both(client)
    client.close()
    daemon.stop()


def make_both(client):
    make_trip(client, "t", [item_id(1)])
    make_trip(client, "other", [item_id(1)])


def title(client, trip="t"):
    return client.result("trip.get", trip=trip)["items"][0]["title"]


def failing_sync(error, when):
    """The n-th fdatasync of the writer fails: unknown for what was in flight, then read-only, all else goes on."""
    print(f"fdatasync {when} fails with {error}")
    with place() as path:
        # Opening a journal also syncs it, but trips that are created here are not opened. Their names are
        # synced first.
        daemon = Daemon(PROGRAM, path, strace(f"fdatasync:error={error}:when={when + NAME_SYNCS}"))
        client = Client(daemon.socket_path, "ann")
        make_both(client)
        last, reasons = "0", []
        for number in range(1, 12):
            reason = change(client, str(number))
            reasons.append(reason)
            if reason is None:
                last = str(number)
        expect("outcome_unknown" in reasons, f"the failure is reported: {reasons}")
        if "outcome_unknown" in reasons:
            after = reasons[reasons.index("outcome_unknown") + 1:]
            expect(all(reason == "storage_failed" for reason in after), f"read-only from then on: {reasons}")
        expect(title(client) == last, "only confirmed changes are shown")
        expect(change(client, "yes", "other") is None, "other trips go on")
        expect("the stored changes are unknown" in daemon.log(), "the log says so")
        daemon.kill()
        unknown = str(int(last) + 1)
        daemon = Daemon(PROGRAM, path)
        client = Client(daemon.socket_path, "ann")
        expect(title(client) in (last, unknown), f"after a restart it is {last} or {unknown}: {title(client)}")
        expect(change(client, "again") is None, "after a restart it takes changes")
        expect(title(client, "other") == "yes", "the other trip kept its change")
        daemon.stop()


def interrupted():
    """Calls that a signal interrupts are no failures."""
    print("calls are interrupted")
    with place() as path:
        made(path)
        # Only calls that the program loader does not use; it would fail.
        calls = ("fdatasync", "fsync", "write", "rename", "epoll_pwait", "epoll_wait", "accept4", "sendto")
        injections = [f"{call}:error=EINTR:when=2+5" for call in calls]
        daemon = Daemon(PROGRAM, path, strace(*injections))
        client = Client(daemon.socket_path, "ann")
        for number in range(20):
            expect(change(client, str(number)) is None, f"change {number} is taken")
        expect(title(client) == "19", "and is there")
        make_trip(client, "new")
        Client(daemon.socket_path, "bob").close()
        daemon.stop()


def no_descriptors():
    """Without free descriptors no client is accepted, the connected ones continue, and later all are accepted again."""
    print("accept fails with EMFILE")
    with place() as path:
        made(path)
        daemon = Daemon(PROGRAM, path, strace("accept4:error=EMFILE:when=3..6"))
        client = Client(daemon.socket_path, "ann")
        began = time.monotonic()
        others = [Client(daemon.socket_path, f"user-{number}") for number in range(4)]
        expect(change(client, "meanwhile") is None, "a connected client continues")
        expect(len(others) == 4 and time.monotonic() - began < 30, "the others come in later")
        expect("cannot accept" in daemon.log(), "the log says so")
        expect(daemon.log().count("cannot accept") <= 8, "and the daemon does not spin")
        daemon.stop()


def full_disk():
    """A disk that is really full: refused, read-only, and well again when there is room."""
    print("the disk is full")
    with place() as path:
        data = os.path.join(path, "data")
        os.mkdir(data, 0o700)
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k,mode=700", "tmpfs", data],
                               capture_output=True)
        if mount.returncode != 0:
            print("    not tried: mounting is not allowed")
            return
        try:
            made(path)
            ballast = os.path.join(data, "ballast")
            with open(ballast, "wb") as file:
                file.write(b"x" * 300_000)
            daemon = Daemon(PROGRAM, path)
            client = Client(daemon.socket_path, "ann")
            note, last, reason = "n" * 4000, "0", None
            for number in range(1, 200):
                reason = client.reason("item.update", **CHANGE, set={"title": str(number), "note": note})
                if reason:
                    break
                last = str(number)
            expect(reason == "storage_full", f"the change is refused: {reason}")
            expect(title(client) == last, "the change is rolled back, and reads continue")
            os.unlink(ballast)
            expect(change(client, "room") is None, "it recovers by itself")
            daemon.kill()
            daemon = Daemon(PROGRAM, path)
            expect(title(Client(daemon.socket_path, "ann")) == "room", "all that was answered is there")
            daemon.stop()
            check = subprocess.run([PROGRAM, "check", "--data", data], capture_output=True, text=True)
            expect(check.returncode == 0, check.stdout)
        finally:
            subprocess.run(["umount", data], check=False)


CLOCK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
static long count;
int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (clock == CLOCK_REALTIME) time->tv_sec += (count++ % 3 - 1) * 86400 * 400;
    return result;
}
"""


def moved_clock():
    """The wall clock leaps by a year and back at every look: times are wrong then, and nothing else."""
    print("the clock is moved")
    with place() as path:
        source, library = os.path.join(path, "clock.c"), os.path.join(path, "clock.so")
        with open(source, "w") as file:
            file.write(CLOCK)
        compiler = shutil.which("clang") or shutil.which("cc")
        if not compiler or subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source]).returncode:
            print("    not tried: there is no C compiler")
            return
        made(path)
        daemon = Daemon(PROGRAM, path, environment={"LD_PRELOAD": library})
        client = Client(daemon.socket_path, "ann")
        for number in range(1, 60):
            expect(change(client, str(number)) is None, f"change {number} is taken")
        lines = client.result("trip.history", trip="t", limit=50)
        years = {line["at"][:4] for line in lines.get("changes", lines.get("entries", []))}
        expect(len(years) > 1, f"the clock did leap: {years}")
        daemon.kill()
        daemon = Daemon(PROGRAM, path)
        client = Client(daemon.socket_path, "ann")
        expect(title(client) == "59", "everything is there after a kill")
        daemon.stop()


def main():
    if not shutil.which("strace"):
        raise SystemExit("strace is needed")
    for when in (1, 2, 5):
        failing_sync("EIO", when)
    failing_sync("ENOSPC", 3)
    interrupted()
    no_descriptors()
    full_disk()
    moved_clock()
    print(f"{len(problems)} problems")
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
