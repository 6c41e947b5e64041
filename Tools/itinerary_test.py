#!/usr/bin/env python3
"""itinerary_test.py ITINERARYD: tests itinerary.py, its examples too, with a daemon that is started and killed here."""

import asyncio
import contextlib
import datetime
import io
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "torture")]
sys.dont_write_bytecode = True

import itinerary  # noqa: E402
from badproxy import BadProxy  # noqa: E402
from itinerary import (  # noqa: E402
    AccessDenied, AsyncClient, Client, Disconnected, NotFound, OutcomeUnknown, Refused, Timeout, TooLong, VersionConflict,
    after, at_end, at_start, between,
)

DAEMON = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else os.environ.get("ITINERARYD", "")


def hear_signals():
    """Unblocks signals that the daemon needs, in case the test runner has blocked them."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


class Daemon:
    """A daemon with one trip: games on days 1 and 3, and A, B, C on day 2."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="itinerary-")
        self.path = os.path.join(self.root, "s")
        self.data = ["--data", os.path.join(self.root, "data")]
        self.start()
        with Client(self.path) as client:
            items = [
                {"item": {"kind": "game", "gameId": city, "title": city, "city": city, "startsAt": start}}
                for city, start in [("Rome", "2026-06-11T18:00:00Z"), ("Oslo", "2026-06-13T12:00:00Z")]
            ] + [{"item": {"kind": "custom", "title": title}, "to": at_end(2)} for title in "ABC"]
            self.trip = client.create("Test", "2026-06-11", 5, "UTC", items=items)["id"]
            made = client.call("trip.get", trip=self.trip)["items"]
            self.items = {item["title"]: item["id"] for item in made}

    def start(self):
        self.process = subprocess.Popen(
            [DAEMON, "serve", "--socket", self.path, *self.data], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, preexec_fn=hear_signals)
        while "serving at" not in (line := self.process.stderr.readline()):
            if not line:
                raise RuntimeError("the daemon does not start")

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(timeout=60)
        self.process.stderr.close()

    def restore(self, change):
        """Puts back a backup from before a change."""
        backup = os.path.join(self.root, "backup.jsonl")
        quiet = {"stdout": subprocess.DEVNULL, "check": True}
        subprocess.run([DAEMON, "export", self.trip, "--out", backup, *self.data], **quiet)
        change()
        self.kill(signal.SIGTERM)
        subprocess.run([DAEMON, "restore", backup, "--replace", *self.data], **quiet)
        self.start()

    @contextlib.contextmanager
    def stopped(self):
        """Stops the daemon's process for a while."""
        self.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED)  # the signal takes effect later than it is sent
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.kill()
        shutil.rmtree(self.root)


class Gate:
    """Passes lines between clients and a daemon, and interferes.

    `forth` and `back` are called with each message. They return None to pass it on, CUT to end the connection in its place,
    a message to pass on instead, or for `forth` (ANSWER, message) to answer in the daemon's place.
    """

    CUT, ANSWER = object(), object()

    def __init__(self, path, to):
        self.path, self.to = path, to
        self.forth = self.back = lambda message: None
        self.connections = 0
        self.methods = []  # of the requests that came, on any connection
        self.since = []  # the versions with which trips were subscribed to
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near = self.listener.accept()[0]
            except OSError:
                return
            self.connections += 1
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self.to)
            except OSError:
                near.close()
                continue
            asked = {}  # methods by id
            for one, other, way in ((near, far, self.pass_forth), (far, near, self.pass_back)):
                threading.Thread(target=self.pass_on, args=(one, other, way, asked), daemon=True).start()

    def pass_on(self, one, other, way, asked):
        with one, contextlib.suppress(OSError), one.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                verdict = way(message, asked)
                if verdict is self.CUT:
                    break
                if isinstance(verdict, tuple):
                    one.sendall(json.dumps(verdict[1]).encode() + b"\n")
                else:
                    other.sendall(json.dumps(verdict).encode() + b"\n" if verdict else line)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def pass_forth(self, message, asked):
        asked[message["id"]] = message["method"]
        self.methods.append(message["method"])
        if message["method"] == "trip.subscribe":
            self.since.append(message["params"].get("since", {}).get("version"))
        return self.forth(message)

    def pass_back(self, message, asked):
        if "id" in message:
            message = {**message, "method": asked.get(message["id"])}
        return self.back(message)

    def cut_once(self, side, *methods):
        """Cuts the connection at the next request, or at its answer, with one of these methods."""

        def cut(message):
            if message.get("method") in methods and (side == "forth" or "id" in message):
                setattr(self, side, lambda message: None)
                return self.CUT
            return None

        setattr(self, side, cut)

    def refuse_once(self, method, reason, code):
        """Answers the next request of a method with an error."""

        def refuse(message):
            if message["method"] != method:
                return None
            self.forth = lambda message: None
            error = {"code": code, "message": reason, "data": {"reason": reason}}
            return self.ANSWER, {"jsonrpc": "2.0", "id": message["id"], "error": error}

        self.forth = refuse

    def close(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def titles(items, day):
    return [item.get("title", "travel") for item in items if item["day"] == day]


class Stop(Exception):
    """Raised by a signal handler."""


def interrupted_at(count, call, concerns):
    """Raises at a line of the functions that are concerned, counted from 0; false if the call ended before."""
    def trace(frame, event, _):
        nonlocal count
        if event == "line":
            count -= 1
            if count < 0:
                sys.settrace(None)
                raise Stop
        return trace

    sys.settrace(lambda frame, event, _: trace if concerns(frame.f_code) else None)
    try:
        call()
    except Stop:
        return True
    finally:
        sys.settrace(None)
    return False


class WithDaemon(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.end)

    def client(self, user="ann", **more):
        client = Client(more.pop("path", self.daemon.path), user=user, timeout=more.pop("timeout", 120), **more)
        self.addCleanup(client.close)
        return client

    def follow(self, user="ann", **more):
        return self.client(user, **more).follow(self.daemon.trip)

    def check_same(self, trip):
        """A replica must equal the daemon's state."""
        trip.sync()
        now = trip._client.call("trip.get", trip=trip.id)
        self.assertEqual(
            (trip.header, trip.epoch, trip.version, list(trip.items), trip.problems),
            tuple(now[key] for key in ("trip", "epoch", "version", "items", "problems")))
        self.assertEqual(trip.pending, [])
        self.assertEqual(list(trip.shown()), list(trip.items))

    def gate(self):
        gate = Gate(os.path.join(self.daemon.root, f"gate{time.monotonic_ns()}"), self.daemon.path)
        self.addCleanup(gate.close)
        return gate


class Following(WithDaemon):
    def test_a_replica_is_what_the_daemon_has_after_every_kind_of_change(self):
        ann, bob = self.follow("ann"), self.follow("bob")
        a, b = self.daemon.items["A"], self.daemon.items["B"]
        d = ann.add({"kind": "custom", "title": "D"}, at_start(4))["item"]["id"]
        ann.add({"kind": "travel", "fromCity": "Rome", "toCity": "Oslo"})
        ann.move(a, after(4, d))
        ann.update(b, title="B2", note="n")
        ann.update(b, note=None)
        ann.rename("Other")
        ann.remove(d)
        ann.undo()
        ann.undo()
        ann.redo()
        ann.apply([{"op": "move", "item": a, "to": at_end(1)}, {"op": "trip", "dayCount": 3}], if_version=ann.sync())
        ann.change("trip.update", timeZone="Europe/Rome")
        for trip in (ann, bob):
            self.check_same(trip)
        self.assertEqual((bob.header["name"], bob.header["dayCount"], bob[a]["day"]), ("Other", 3, 1))
        self.assertEqual(bob.history(limit=1)[0]["user"], "ann")

    def test_waiting_ends_with_news_and_not_before(self):
        ann, bob = self.follow("ann"), self.follow("bob")
        while ann.wait(0.2):
            pass
        version = ann.version
        self.assertFalse(ann.wait(0))
        bob.rename("Other")
        while ann.version == version:
            self.assertTrue(ann.wait(10))
        bob.focus(self.daemon.items["A"])
        while not any(user.get("focus") for user in ann.presence):
            self.assertTrue(ann.wait(10))
        bob.focus(day=2)
        while not any(user.get("focusDay") == 2 for user in ann.presence):
            self.assertTrue(ann.wait(10))
        self.assertFalse(any(user.get("focus") for user in ann.presence))
        bob._client.call("trip.delete", trip=bob.id)
        while not ann.deleted:
            self.assertTrue(ann.wait(10))
        self.assertFalse(ann.wait())

    def test_each_state_is_shown_until_the_trip_is_deleted(self):
        ann, bob = self.follow("ann"), self.follow("bob")
        bob.rename("Other")
        seen = []
        for state in ann:
            seen.append((state.header["name"], state.deleted))
            if state.header["name"] == "Other" and not state.deleted:
                bob._client.call("trip.delete", trip=bob.id)
        self.assertEqual((seen[0], seen[-1]), (("Test", False), ("Other", True)))
        for _ in ann:
            pass

    def test_a_bot_whose_change_is_refused_makes_one_request_for_each_version(self):
        gate = self.gate()
        ann, bob = self.follow("ann", path=gate.path), self.follow("bob")
        versions = []
        for state in ann:
            if state.version == 4 or len(versions) > 9:
                break
            versions.append(state.version)
            with self.assertRaises(Refused):
                ann.move(self.daemon.items["Rome"], at_end(2))
            bob.rename(f"after {len(versions)}")
        self.assertEqual(versions, [1, 2, 3])
        self.assertEqual(gate.methods.count("item.move"), 3)

    def test_a_screen_gets_a_state_when_a_change_is_shown_and_when_it_is_rolled_back(self):
        ann = self.follow()
        states = ann.states()
        before = next(states).shown
        renaming = itinerary.Change(ann, "item.update", {"item": self.daemon.items["A"], "set": {"title": ""}})
        ann._client._uninterrupted(lambda: ann._core.submit(renaming))
        self.assertEqual(titles(next(states).shown, 2), ["", "B", "C"])
        with self.assertRaises(Refused):
            ann._client.wait_for(renaming)
        self.assertEqual(next(states).shown, before)

    def test_a_trip_that_is_followed_twice_is_one(self):
        client = self.client()
        ann = client.follow(self.daemon.trip)
        self.assertIs(client.follow(ann.header["slug"]), ann)
        self.assertIs(client.follow(ann.id), ann)
        for title in ("x", "y"):
            client.follow(ann.id).update(self.daemon.items["A"], title=title)
        self.check_same(ann)

    def test_the_last_follow_of_a_trip_decides_about_deferral_also_after_a_reconnect(self):
        gate, subscriptions = self.gate(), []

        def record(message):
            if message["method"] == "trip.subscribe":
                subscriptions.append(message["params"].get("deferWhileDragging", True))

        gate.forth = record
        client = self.client(path=gate.path)
        for defer in (True, False):
            ann = client.follow(self.daemon.trip, defer=defer)
        client._core.lost()
        self.check_same(ann)
        self.assertEqual(subscriptions, [True, False, False])

    def test_a_refusal_says_why_and_leaves_nothing_behind(self):
        ann = self.follow()
        with self.assertRaises(Refused) as caught:
            ann.move(self.daemon.items["Rome"], at_end(2))
        error = caught.exception
        self.assertEqual((error.reason, error.method, error.code), ("game_immovable", "item.move", -32011))
        self.assertTrue(str(error))
        self.assertEqual(ann.update(self.daemon.items["A"], title="x")["item"]["title"], "x")
        self.check_same(ann)
        with self.assertRaises(NotFound) as caught:
            self.client().follow("none")
        self.assertEqual(caught.exception.reason, "trip_not_found")
        with self.assertRaises(Refused) as caught:
            self.follow(role="viewer").rename("x")
        self.assertEqual(caught.exception.reason, "read_only")

    def test_an_option_is_no_field(self):
        ann = self.follow()
        a = self.daemon.items["A"]
        self.assertEqual(ann.remove(a, dry_run=True)["version"], 1)
        self.assertEqual(ann.update(a, title="x", dry_run=True)["version"], 1)
        self.assertEqual((ann.seq, ann.sync()), (0, 1))
        ann.update(a, title="x")
        for options in ({"if_version": 1}, {"if_item_version": 1}):
            with self.assertRaises(VersionConflict):
                ann.update(a, title="y", **options)
        for wrong in ("dryRun", "ifVersion", "ifItemVersion", "titel", "id", "day"):
            with self.assertRaises(TypeError):
                ann.update(a, **{wrong: 1})
            with self.assertRaises(TypeError):
                ann.add({"kind": "custom", "title": "x", **({wrong: 1} if wrong != "id" else {"titel": 1})})
        self.check_same(ann)

    def test_a_value_that_is_no_json_leaves_nothing_behind(self):
        deep = []
        for _ in range(40):
            deep = [deep]
        endless = {}
        endless["x"] = endless
        for bad in (
            datetime.time(18, 30), "\ud800", float("nan"), float("inf"), 10**400, {1: 2}, {"x": {2}}, deep, endless, b"x"
        ):
            with self.subTest(bad=repr(bad)[:20]):
                ann = self.follow()
                for attempt in (
                    lambda: ann.update(self.daemon.items["A"], note=bad),
                    lambda: ann.add({"kind": "custom", "title": "x", "cost": {"amount": bad}}),
                    lambda: ann.apply([{"op": "trip", "name": bad}]),
                    lambda: ann.apply([{"op": "trip", "name": bad}] * 200),
                    lambda: ann._client.call("trip.list", x=bad),
                    lambda: ann._client.create("x", "2026-06-11", 1, "UTC", items=[bad]),
                    lambda: ann.focus(bad),
                    lambda: ann.focus(day=bad),
                    lambda: ann._client.follow(bad),
                ):
                    with self.assertRaises((TypeError, ValueError)):
                        attempt()
                self.assertEqual((ann.pending, ann._client._core.trips), ([], [ann]))
                self.check_same(ann)

    def test_a_change_is_the_one_that_was_asked_for_also_if_its_values_are_changed_later(self):
        ann = self.follow(timeout=0.05)
        item, to = {"kind": "custom", "title": "D"}, at_end(4)
        with self.daemon.stopped():
            with self.assertRaises(Timeout):
                ann.add(item, to)
            item["title"], to["day"] = "E", 5
            self.assertEqual(titles(ann.shown(), 4), ["D"])
        ann._client.timeout = 30
        self.check_same(ann)
        self.assertEqual(titles(ann.items, 4), ["D"])

    def test_a_line_that_is_too_long_is_refused_before_anything_is_recorded(self):
        ann = self.follow()
        many = [{"item": {"kind": "custom", "title": f"item {number}", "note": "n" * 100}} for number in range(8000)]
        for attempt in (
            lambda: ann.add({"kind": "custom", "title": "x", "note": "n" * 2**20}),
            lambda: ann.apply([{"op": "trip", "name": "n" * 2**20}]),
            lambda: ann._client.call("trip.get", trip="n" * 2**20),
            lambda: ann._client.create("Many", "2026-06-11", 1, "UTC", items=many),
        ):
            with self.assertRaises(TooLong):
                attempt()
        longest = ann._client.welcome["limits"]["lineBytes"]
        for size in range(longest - 1150, longest + 100, 200):
            with contextlib.suppress(TooLong, Refused):
                ann._client.call("ping", x="n" * size)
                ann.apply([{"op": "trip", "name": "n" * size}])
            with contextlib.suppress(TooLong, Refused):
                ann.apply([{"op": "trip", "name": "n" * (size // 4)}] * 4)
        self.check_same(ann)

    def test_a_drag_holds_back_what_others_do_and_tells_it_after(self):
        ann, bob = self.follow("ann"), self.follow("bob")
        a, b = self.daemon.items["A"], self.daemon.items["B"]
        with ann.drag(a) as held:
            bob.move(b, at_end(4))
            with self.assertRaises(Refused) as caught:
                bob.remove(a)
            self.assertEqual((caught.exception.reason, caught.exception.data["by"]), ("item_held", "ann"))
            gap = next(gap for gap in held.gaps if gap["valid"] and gap["day"] == 5)
            held.hover(gap)
            self.assertEqual(titles(ann.items, 2), ["A", "B", "C"])
            self.assertEqual(held.drop(gap)["item"]["day"], 5)
        ann.sync()
        self.assertEqual((titles(ann.items, 2), titles(ann.items, 4), titles(ann.items, 5)), (["C"], ["B"], ["A"]))
        with ann.drag(a) as held:
            pass
        self.assertEqual(held.ended, "cancelled")
        with self.assertRaises(NotFound) as caught:
            held.hover()
        self.assertEqual(caught.exception.reason, "drag_not_found")
        held = ann.drag(a)
        ann.update(self.daemon.items["C"], title="C2")
        # The change is answered, but its state is deferred during the drag, so the change stays pending on
        # the screen.
        self.assertEqual((titles(ann.items, 2), titles(ann.shown(), 2)), (["C"], ["C2"]))
        ann.remove(a)
        self.assertEqual(ann.sync(), 5)
        self.assertEqual(held.ended, "item_removed")

    def test_what_does_not_fit_into_a_line_is_one_change(self):
        ann, bob = self.follow("ann"), self.follow("bob")
        note = "é" * 8000  # eighty of them are more than a line takes
        ops = [{"op": "add", "item": {"kind": "custom", "title": str(number), "note": note}} for number in range(100)]
        done = ann.apply(ops)
        self.assertEqual((done["version"], len(done["items"])), (2, 100))
        for trip in (ann, bob):
            self.check_same(trip)
        with self.assertRaises(Refused) as caught:
            ann.apply(ops + [{"op": "sing"}])
        self.assertEqual((caught.exception.reason, caught.exception.data["opIndex"]), ("invalid_params", 100))
        with self.assertRaises(Refused) as caught:
            ann.apply(ops + [{"op": "remove", "item": "00000000-0000-4000-8000-000000000001"}])
        self.assertEqual((caught.exception.reason, caught.exception.data["opIndex"]), ("item_not_found", 100))
        ann.undo()
        self.check_same(ann)
        self.assertEqual(len(ann.items), 5)

    def test_many_requests_may_be_sent_before_an_answer_is_read(self):
        ann = self.client()
        numbers = [ann.send("trip.get", trip=self.daemon.trip) for _ in range(5000)]
        for number in numbers:
            self.assertEqual(ann.wait_for(number)["version"], 1)


class Waiting(WithDaemon):
    """Every call ends."""

    def test_a_timeout_holds_while_reading_and_while_writing(self):
        ann = self.client(timeout=0.05)
        with self.daemon.stopped():
            for params in ({}, {"x": "n" * 900_000}):
                with self.assertRaises(Timeout) as caught:
                    ann.call("ping", **params)
                self.assertTrue(caught.exception.sent)
        ann.timeout = 30
        self.assertEqual(ann.call("ping"), {})

    def test_a_change_that_was_not_sent_in_time_is_withdrawn(self):
        ann = self.follow(timeout=0.05)
        self.daemon.kill()
        while ann.connected:
            ann.wait(10)
        for attempt in (
            lambda: ann.rename("Other"), lambda: ann.apply([{"op": "trip", "name": "Other"}] * 200), ann.sync,
            lambda: ann._client.follow("none"),
        ):
            with self.assertRaises(Timeout) as caught:
                attempt()
            self.assertFalse(caught.exception.sent)
            self.assertEqual(ann.pending, [])
        self.daemon.start()
        ann._client.timeout = 30
        self.check_same(ann)
        self.assertEqual((ann.version, len(ann._client._core.trips)), (1, 1))

    def test_a_change_that_was_sent_is_resolved_after_its_timeout(self):
        ann = self.follow(timeout=0.05)
        a, timeouts = self.daemon.items["A"], []
        with self.daemon.stopped():
            for attempt in (
                lambda: ann.move(a, at_end(99)), lambda: ann.update(a, title="x"),
                lambda: ann.apply([{"op": "trip", "name": "Other"}] * 200)
            ):
                with self.assertRaises(Timeout) as caught:
                    attempt()
                timeouts.append(caught.exception)
            self.assertEqual((len(ann.pending), titles(ann.shown(), 99)), (2, ["x"]))
        ann._client.timeout = 30
        self.check_same(ann)
        refused, made, withdrawn = timeouts
        self.assertEqual((refused.change.error.reason, made.change.result["version"]), ("day_out_of_range", 2))
        self.assertEqual((withdrawn.sent, ann.header["name"], ann.version), (False, "Test", 2))

    def test_an_interrupted_call_leaves_the_next_ones_as_they_were(self):
        def stop(*_):
            raise Stop

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, stop))
        # A program that runs this test may have blocked the signal for its children.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
        ann = self.follow()
        with self.daemon.stopped():
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with self.assertRaises(Stop):
                ann._client.call("ping", x="n" * 900_000)
        self.assertEqual(ann.rename("Other")["version"], 2)

    def test_a_call_that_is_interrupted_at_any_line_leaves_the_next_ones_as_they_were(self):
        ann, made = self.follow(), set()

        def add():
            ann.add({"kind": "custom", "title": title}, at_end(4))
            made.add(title)
            ann.sync()

        def concerns(code):
            return code.co_filename == itinerary.__file__ and code.co_name != "_alone"

        self.addCleanup(setattr, itinerary, "_FIRST_PAUSE", itinerary._FIRST_PAUSE)
        itinerary._FIRST_PAUSE = 0.0001
        with warnings.catch_warnings():
            # A socket whose `connect` was interrupted is closed by the collector.
            warnings.simplefilter("ignore", ResourceWarning)
            for is_lost in (False, True):
                for count in itertools.count():
                    title = f"{is_lost} {count}"
                    if is_lost:
                        ann._core.lost()
                    if not interrupted_at(count, add, concerns):
                        break
                    ann.sync()
                self.assertGreater(count, 200)
        self.check_same(ann)
        found = titles(ann.items, 4)
        self.assertEqual(len(found), len(set(found)))
        self.assertLessEqual(made, set(found))

    def test_two_threads_at_the_same_time_are_an_error(self):
        ann = self.follow()
        errors = []

        def disturb():
            try:
                ann.sync()
            except RuntimeError as error:
                errors.append(error)

        with self.daemon.stopped():
            waiting = threading.Thread(target=lambda: ann._client.call("ping"))
            waiting.start()
            while ann._client._caller is None:
                pass
            disturb()
        waiting.join()
        self.assertEqual(len(errors), 1)
        self.check_same(ann)

    def test_a_call_in_a_signal_handler_is_an_error_and_leaves_the_interrupted_call_alone(self):
        ann, errors = self.follow(), []

        def handle(*_):
            try:
                ann.rename("Inner")
            except RuntimeError as error:
                errors.append(error)
            self.daemon.process.send_signal(signal.SIGCONT)

        self.addCleanup(signal.signal, signal.SIGALRM, signal.signal(signal.SIGALRM, handle))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
        def interrupt(main=threading.get_ident()):
            while ann._client._caller is None:
                pass
            signal.pthread_kill(main, signal.SIGALRM)

        with self.daemon.stopped():
            interrupting = threading.Thread(target=interrupt)
            interrupting.start()
            ann.rename("Outer")
        interrupting.join()
        self.assertEqual((len(errors), ann.sync(), ann.header["name"]), (1, 2, "Outer"))

    def test_a_client_can_move_to_another_thread_after_an_interruption_at_any_line(self):
        ann, failures, count = self.client(), [], 0

        def ping():
            try:
                ann.call("ping")
            except RuntimeError as error:
                failures.append(error)

        def begin():
            with ann._alone():
                sys.settrace(None)

        while interrupted_at(count, begin, lambda code: code.co_name == "_alone"):
            thread = threading.Thread(target=ping)
            thread.start()
            thread.join()
            count += 1
        self.assertGreater(count, 3)
        self.assertEqual(failures, [])

    def test_a_closed_client_says_so(self):
        ann = self.follow()
        ann._client.close()
        for attempt in (ann.sync, ann.wait, lambda: ann.rename("x"), lambda: ann._client.follow("x")):
            with self.assertRaisesRegex(Disconnected, "was closed"):
                attempt()
        with self.assertRaisesRegex(Disconnected, "no connection"):
            Client("/nowhere/sock")


class Reconnecting(WithDaemon):
    def test_a_change_whose_answer_is_lost_is_made_once(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        gate.cut_once("back", "item.add")
        self.assertEqual(ann.add({"kind": "custom", "title": "D"}, at_end(4))["version"], 2)
        self.check_same(ann)
        self.assertEqual((ann.version, titles(ann.items, 4), ann.seq), (2, ["D"], 1))
        self.assertEqual(gate.since, [None, 1])

    def test_a_change_that_did_not_arrive_is_made_after(self):
        gate = self.gate()
        ann, bob = self.follow(path=gate.path), self.follow("bob")
        gate.cut_once("forth", "item.update")
        ann.update(self.daemon.items["A"], title="x")
        bob.rename("Other")
        self.check_same(ann)
        self.assertEqual((ann.version, ann[self.daemon.items["A"]]["title"], ann.header["name"]), (3, "x", "Other"))

    def test_a_drop_whose_answer_is_lost_is_found_and_one_that_did_not_arrive_is_not(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        held = ann.drag(self.daemon.items["A"])
        gate.cut_once("back", "drag.drop")
        held.drop(at_end(4))
        held = ann.drag(self.daemon.items["A"])
        gate.cut_once("forth", "drag.drop")
        with self.assertRaises(NotFound) as caught:
            held.drop(at_end(5))
        self.assertEqual(caught.exception.reason, "drag_not_found")
        self.check_same(ann)
        self.assertEqual(titles(ann.items, 4), ["A"])
        held = ann.drag(self.daemon.items["A"])
        gate.cut_once("forth", "ping")
        ann._client.call("ping")
        self.assertEqual(held.ended, "disconnected")

    def test_a_long_change_is_brought_again(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        version = ann.version
        for side, method in (
            ("forth", "batch.open"), ("back", "batch.open"), ("forth", "batch.add"), ("back", "batch.add"),
            ("forth", "batch.commit"), ("back", "batch.commit"),
        ):
            with self.subTest(side=side, method=method):
                gate.cut_once(side, method)
                ops = [{"op": "add", "item": {"kind": "custom", "title": str(number)}} for number in range(200)]
                done = ann.apply(ops)
                self.assertEqual((done["version"], len(done["items"])), (version + 1, 200))
                version = done["version"]
                self.check_same(ann)

    def test_calls_wait_for_a_daemon_that_is_started_again(self):
        ann = self.follow()
        ann.rename("Two")
        for how in (signal.SIGKILL, signal.SIGTERM):
            self.daemon.kill(how)
            starting = threading.Thread(target=self.daemon.start)
            starting.start()
            ann.update(self.daemon.items["A"], title=str(how))
            starting.join()
            self.check_same(ann)
        self.daemon.kill()
        while ann.connected:
            ann.wait(10)
        self.assertFalse(ann._client.connected)
        self.daemon.start()
        while not ann.connected:
            ann.wait(10)

    def test_the_connection_may_be_lost_again_while_a_trip_is_resumed(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        left = ["item.update", "hello", "trip.subscribe", "trip.subscribe", "item.update", "session.focus"]
        ann.focus(self.daemon.items["B"])

        def cut(message):
            if left and message["method"] == left[0]:
                del left[0]
                return gate.CUT
            return None

        gate.forth = cut
        ann.update(self.daemon.items["A"], title="x")
        self.check_same(ann)
        while left or not any(user.get("focus") == self.daemon.items["B"] for user in ann.presence):
            self.assertTrue(ann.wait(10))
        self.assertEqual((left, ann.version), ([], 2))

    def test_a_passing_error_is_no_deletion_and_loses_nothing(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        for reason, code in (("storage_failed", -32014), ("trip_corrupt", -32014), ("limit_exceeded", -32013)):
            with self.subTest(reason=reason):
                gate.cut_once("forth", "item.update")
                cut = gate.forth

                def then_refuse(message):
                    verdict = cut(message)
                    if verdict is gate.CUT:
                        gate.refuse_once("trip.subscribe", reason, code)
                    return verdict

                gate.forth = then_refuse
                self.assertEqual(ann.update(self.daemon.items["A"], title=reason)["item"]["title"], reason)
                self.check_same(ann)
                self.assertFalse(ann.deleted)
                self.assertIsNone(ann.error)

    def test_a_repeat_that_fails_for_the_moment_is_repeated_again(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        for reason, code in (("storage_full", -32014), ("outcome_unknown", -32014), ("item_held", -32012)):
            with self.subTest(reason=reason):
                gate.cut_once("forth", "item.update")
                cut = gate.forth

                def then_refuse(message):
                    verdict = cut(message)
                    if verdict is gate.CUT:
                        gate.refuse_once("item.update", reason, code)
                    return verdict

                gate.forth = then_refuse
                self.assertEqual(ann.update(self.daemon.items["A"], title=reason)["item"]["title"], reason)
                self.check_same(ann)

    def test_a_change_whose_outcome_is_unknown_is_repeated_after_the_next_connection(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        gate.refuse_once("item.update", "outcome_unknown", -32014)
        with self.assertRaises(OutcomeUnknown):
            ann.update(self.daemon.items["A"], title="x")
        change, = ann.pending
        self.assertEqual(titles(ann.shown(), 2), ["x", "B", "C"])
        gate.cut_once("forth", "ping")
        ann._client.call("ping")
        self.check_same(ann)
        self.assertEqual((change.result["version"], change.error, titles(ann.items, 2)), (2, None, ["x", "B", "C"]))

    def test_a_request_that_cannot_be_repeated_says_that_it_may_have_been_made(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        gate.cut_once("back", "trip.delete")
        with self.assertRaises(Disconnected) as caught:
            ann._client.call("trip.delete", trip=ann.id)
        self.assertTrue(caught.exception.sent)

    def test_a_trip_that_was_deleted_meanwhile(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        bob = self.client("bob")
        gate.cut_once("forth", "trip.update")
        cut = gate.forth

        def then_delete(message):
            verdict = cut(message)
            if verdict is gate.CUT:
                bob.call("trip.delete", trip=ann.id)
            return verdict

        gate.forth = then_delete
        with self.assertRaises(NotFound) as caught:
            ann.rename("x")
        self.assertEqual(caught.exception.reason, "trip_not_found")
        self.assertTrue(ann.deleted)
        self.assertEqual(ann.pending, [])
        with self.assertRaises(NotFound):
            ann.rename("x")

    def test_a_client_that_is_denied_access_does_not_connect_again(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)

        def deny(message):
            error = {"code": -32015, "message": "no", "data": {"reason": "access_denied"}}
            return (gate.ANSWER, {"jsonrpc": "2.0", "id": None, "error": error}) if message["method"] == "hello" else gate.CUT

        gate.forth = deny
        for attempt in (ann.sync, ann.sync, ann.wait, lambda: list(ann), lambda: ann.rename("x")):
            with self.assertRaises(AccessDenied):
                attempt()
        self.assertEqual(gate.connections, 2)
        with self.assertRaises(AccessDenied):
            self.client(path=gate.path)

    def test_a_goodbye_is_logged_with_its_reason(self):
        ann = self.follow()
        with self.assertLogs("itinerary", "WARNING") as logs:
            self.daemon.kill(signal.SIGTERM)
            self.daemon.start()
            ann.sync()
        self.assertIn("shutting_down", logs.output[0])

    def test_a_restored_backup_drops_what_was_answered_and_repeats_what_was_not(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        epoch = ann.epoch
        ann.drag(self.daemon.items["B"])  # so that the states with answered changes are deferred

        def change():
            ann.update(self.daemon.items["C"], title="lost")
            ann.update(self.daemon.items["C"], title="lost too")

        self.daemon.restore(change)
        self.assertEqual(titles(ann.shown(), 2), ["A", "B", "lost too"])
        self.assertEqual(ann.update(self.daemon.items["A"], title="x")["version"], 2)
        self.assertNotEqual(ann.epoch, epoch)
        self.check_same(ann)
        self.assertEqual(titles(ann.items, 2), ["x", "B", "C"])


class Asynchronous(WithDaemon):
    def run_with(self, body, path=None, **options):
        complaints = []

        async def whole():
            asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
            async with AsyncClient(path or self.daemon.path, user="ann", **options) as client:
                return await asyncio.wait_for(body(client, await client.follow(self.daemon.trip)), 60)

        result = asyncio.run(whole())
        self.assertEqual(complaints, [])
        return result

    async def check_same_later(self, trip):
        await trip.sync()
        now = await trip._client.call("trip.get", trip=trip.id)
        self.assertEqual((trip.version, list(trip.items), trip.header), (now["version"], now["items"], now["trip"]))
        self.assertEqual(trip.pending, [])

    def test_many_at_once_keep_their_order_and_show_at_once(self):
        async def body(client, trip):
            adding = [asyncio.ensure_future(trip.add({"kind": "custom", "title": str(number)}, at_end(4)))
                      for number in range(300)]
            await asyncio.sleep(0)
            self.assertEqual(titles(trip.shown(), 4), [str(number) for number in range(300)])
            self.assertEqual(titles(trip.items, 4), [])
            versions = [answer["version"] for answer in await asyncio.gather(*adding)]
            self.assertEqual(versions, list(range(2, 302)))
            await self.check_same_later(trip)
            self.assertEqual(titles(trip.items, 4), [str(number) for number in range(300)])

        self.run_with(body)

    def test_everything_that_a_trip_can_do(self):
        async def body(client, trip):
            bob = await (await AsyncClient(self.daemon.path, user="bob").connect()).follow(trip.id)
            a, b = self.daemon.items["A"], self.daemon.items["B"]
            await trip.move(a, at_end(4))
            await trip.update(b, title="x")
            await trip.rename("Other")
            await trip.remove(b)
            await trip.undo()
            await trip.redo()
            await trip.focus(a)
            async with await trip.drag(a) as held:
                await bob.rename("Third")
                await held.hover(at_end(5))
                self.assertEqual(trip.header["name"], "Other")
                await held.drop(at_end(5))
            async with await trip.drag(a):
                pass
            with self.assertRaises(Refused):
                await trip.move(a, at_end(99))
            ops = [{"op": "add", "item": {"kind": "custom", "title": str(number)}} for number in range(200)]
            await trip.apply(ops)
            self.assertEqual((await trip.history(limit=1))[0]["version"], await trip.sync())
            for one in (trip, bob):
                await self.check_same_later(one)
            seen = bob.version
            await trip.rename("Fourth")
            while bob.version == seen:
                await bob.wait(10)
            await bob._client.close()
            with self.assertRaises(Disconnected):
                await bob.rename("x")

        self.run_with(body)

    def test_a_trip_is_followed_in_the_middle_of_changes(self):
        async def body(client, trip):
            followers = []

            async def edit():
                while len(followers) < 20:
                    await asyncio.gather(*(trip.rename(str(number)) for number in range(20)))

            editing = asyncio.ensure_future(edit())
            while len(followers) < 20:
                bob = await AsyncClient(self.daemon.path, user="bob").connect()
                followers.append(await bob.follow(trip.id))
            await editing
            for followed in followers:
                await self.check_same_later(followed)
                await followed._client.close()

        self.run_with(body)

    def test_a_kill_in_the_middle_of_many(self):
        async def body(client, trip):
            made = []
            for _ in range(3):
                adding = [asyncio.ensure_future(trip.add({"kind": "custom", "title": "n"})) for _ in range(100)]
                await adding[10]
                await asyncio.get_running_loop().run_in_executor(None, self.daemon.kill)
                await asyncio.get_running_loop().run_in_executor(None, self.daemon.start)
                made += [answer["item"]["id"] for answer in await asyncio.gather(*adding)]
            await self.check_same_later(trip)
            self.assertEqual((len(set(made)), trip.version, len(trip.items)), (300, 301, 305))

        self.run_with(body)

    def test_nothing_new_is_sent_before_the_old_was_repeated(self):
        gate = self.gate()
        is_held, release = threading.Event(), threading.Event()
        self.addCleanup(release.set)

        def hold(message):
            if message["method"] == "trip.subscribe":
                is_held.set()
                release.wait(30)

        def cut(message):
            if message["method"] == "item.add":
                gate.forth = hold
                return gate.CUT
            return None

        async def body(client, trip):
            gate.forth = cut
            first = asyncio.ensure_future(trip.add({"kind": "custom", "title": "first"}, at_end(4)))
            await asyncio.get_running_loop().run_in_executor(None, is_held.wait)
            others = [asyncio.ensure_future(trip.add({"kind": "custom", "title": title}, at_end(4))) for title in "xyz"]
            await asyncio.sleep(0)
            self.assertEqual(titles(trip.shown(), 4), ["first", *"xyz"])
            release.set()
            self.assertEqual([(await one)["version"] for one in (first, *others)], [2, 3, 4, 5])
            await self.check_same_later(trip)
            self.assertEqual(titles(trip.items, 4), ["first", *"xyz"])

        self.run_with(body, gate.path)

    def test_every_task_that_waits_for_a_trip_is_woken(self):
        async def body(client, trip):
            async def count():
                versions = []
                while trip.version < 11:
                    await trip.wait(10)
                    versions.append(trip.version)
                return versions

            async def iterate():
                return [state.version async for state in trip]

            counting = [asyncio.ensure_future(one()) for one in (count, count, iterate, iterate)]
            for number in range(10):
                seen = trip.version
                await trip.rename(str(number))
                while trip.version == seen:
                    await trip.wait(10)
            await client.call("trip.delete", trip=trip.id)
            for versions in await asyncio.gather(*counting):
                self.assertLessEqual(set(range(2, 12)), set(versions))
            self.assertFalse(await trip.wait())

        self.run_with(body)

    def test_a_bot_of_tasks_makes_one_request_for_each_version(self):
        gate = self.gate()

        async def body(client, trip):
            async with AsyncClient(self.daemon.path, user="bob") as other:
                bob = await other.follow(self.daemon.trip)
                versions = []
                async for state in trip:
                    if state.version == 4 or len(versions) > 9:
                        break
                    versions.append(state.version)
                    with self.assertRaises(Refused):
                        await trip.move(self.daemon.items["Rome"], at_end(2))
                    await bob.rename(f"after {len(versions)}")
                self.assertEqual(versions, [1, 2, 3])
                self.assertEqual(gate.methods.count("item.move"), 3)

        self.run_with(body, gate.path)

    def test_a_task_that_is_cancelled_ends_and_leaves_its_change_resolved(self):
        async def body(client, trip):
            a = self.daemon.items["A"]
            for wait in (0, 1):
                moving = asyncio.ensure_future(trip.move(a, at_end(99)))
                for _ in range(wait):
                    await asyncio.sleep(0)
                moving.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await moving
                await self.check_same_later(trip)
            self.daemon.kill()
            while trip.connected:
                await trip.wait(10)
            renaming = asyncio.ensure_future(trip.rename("x"))
            await asyncio.sleep(0)
            self.assertEqual(len(trip.pending), 1)
            renaming.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await renaming
            self.assertEqual(trip.pending, [])
            await asyncio.get_running_loop().run_in_executor(None, self.daemon.start)
            await self.check_same_later(trip)
            self.assertEqual(trip.version, 1)

        self.run_with(body)

    def test_a_drag_whose_task_is_cancelled_before_it_is_granted_is_given_back(self):
        async def body(client, trip):
            beginning = asyncio.ensure_future(trip.drag(self.daemon.items["A"]))
            await asyncio.sleep(0)
            beginning.cancel()
            await trip.sync()
            self.assertTrue(beginning.cancelled())
            async with await trip.drag(self.daemon.items["B"]) as held:
                self.assertEqual((await held.drop(at_end(5)))["item"]["day"], 5)

        self.run_with(body)

    def test_closing_does_not_swallow_a_cancellation(self):
        async def body(client, trip):
            async def use():
                async with AsyncClient(self.daemon.path):
                    entered.set_result(None)
                await asyncio.Event().wait()

            entered = asyncio.get_running_loop().create_future()
            using = asyncio.ensure_future(use())
            await entered
            using.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await using

        self.run_with(body)

    def test_a_trip_that_is_followed_by_several_tasks_is_one(self):
        async def body(client, trip):
            again = await asyncio.gather(*(client.follow(name) for name in (trip.header["slug"], trip.id) * 3))
            self.assertEqual(set(map(id, again)), {id(trip)})
            await asyncio.gather(*(one.rename(str(number)) for number, one in enumerate(again)))
            await self.check_same_later(trip)

        self.run_with(body)

    def test_calls_end_with_a_stopped_daemon_a_closed_client_and_in_a_wrong_loop(self):
        async def body(client, trip):
            client.timeout = 0.05
            with self.daemon.stopped():
                for params in ({}, {"x": "n" * 900_000}):
                    with self.assertRaises(Timeout) as caught:
                        await client.call("ping", **params)
                    self.assertTrue(caught.exception.sent)
                with self.assertRaises(Timeout):
                    await trip.move(self.daemon.items["A"], at_end(99))
                self.assertFalse(await trip.wait(0.01))
            client.timeout = 30
            await self.check_same_later(trip)

            def on_another_thread():
                with self.assertRaises(RuntimeError):
                    asyncio.run(trip.sync())

            await asyncio.get_running_loop().run_in_executor(None, on_another_thread)
            waiting = asyncio.ensure_future(trip.wait())
            iterating = asyncio.ensure_future(self.count_states(trip))
            with self.daemon.stopped():
                renaming = asyncio.ensure_future(trip.rename("x"))
                await asyncio.sleep(0)
                await client.close()
                with self.assertRaises(Disconnected) as caught:
                    await renaming
                self.assertTrue(caught.exception.sent)
            await asyncio.gather(waiting, iterating, return_exceptions=True)
            for attempt in (trip.sync, trip.wait, lambda: client.follow("x")):
                with self.assertRaisesRegex(Disconnected, "was closed"):
                    await attempt()

        self.run_with(body)

    async def count_states(self, trip):
        return len([state async for state in trip])

    def test_many_tasks_lose_and_double_nothing_behind_a_bad_proxy(self):
        path = os.path.join(self.daemon.root, "bad")

        async def body(client, trip):
            async def add(task):
                for number in itertools.count():
                    if number >= 20 and proxy.cuts > 2:
                        return
                    added.append(f"{task}-{number}")
                    answer = await trip.add({"kind": "custom", "title": f"{task}-{number}"}, at_end(4))
                    self.assertEqual(answer.get("repeated") or answer["item"]["title"], f"{task}-{number}")

            async def look():
                async for state in trip.states():
                    found = titles(state.shown, 4)
                    self.assertEqual(len(found), len(set(found)))
                    versions.append(state.version)

            versions, added = [], []
            looking = asyncio.ensure_future(look())
            proxy.set(cut=0.05)
            await asyncio.gather(*(add(task) for task in range(8)))
            proxy.set(cut=0)
            await self.check_same_later(trip)
            looking.cancel()
            await asyncio.wait({looking})
            self.assertEqual(versions, sorted(versions))
            self.assertEqual(sorted(titles(trip.items, 4)), sorted(added))

        for seed in range(3):
            with self.subTest(seed=seed), BadProxy(
                path + str(seed), self.daemon.path, seed=seed, delay=0.2, split=0.5, hold=0.3, longest=0.01
            ) as proxy:
                self.run_with(body, path + str(seed))
                with Client(self.daemon.path) as client:
                    trip = client.follow(self.daemon.trip)
                    trip.apply([{"op": "remove", "item": item["id"]} for item in trip.items if item["day"] == 4])


class Laying(unittest.TestCase):
    """The shown items with pending changes."""

    def laid(self, *edits):
        overlay = itinerary._Overlay(itinerary._Items(
            {"id": name, "title": name, "day": day, "sortOrder": order, "kind": "custom"}
            for name, day, order in [("A", 1, 1), ("B", 1, 2), ("C", 2, 1), ("D", 4, 1)]
        ))
        for edit in edits:
            overlay.apply(edit)
        return " ".join(f"{item['title']}{item['day']}" for item in overlay.items)

    def test_every_placement_and_operation(self):
        new = {"op": "add", "item": {"id": "N", "kind": "custom", "title": "N"}}
        for edit, wanted in [
            ({"op": "move", "item": "A", "to": at_end(2)}, "B1 C2 A2 D4"),
            ({"op": "move", "item": "D", "to": at_start(1)}, "D1 A1 B1 C2"),
            ({"op": "move", "item": "D", "to": after(1, "A")}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "D", "to": itinerary.before(1, "B")}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "D", "to": between(1, after="A", before="B")}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "D", "to": between(1, after="gone", before="B")}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "D", "to": between(1, after="C", before="B")}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "D", "to": after(1, "C")}, "A1 B1 C2 D4"),
            ({"op": "move", "item": "D", "to": after(1, "gone")}, "A1 B1 C2 D4"),
            ({"op": "move", "item": "A", "to": after(1, "B")}, "B1 A1 C2 D4"),
            ({"op": "move", "item": "B", "to": itinerary.before(1, "A")}, "B1 A1 C2 D4"),
            ({"op": "move", "item": "A", "to": after(1, "A")}, "A1 B1 C2 D4"),
            ({"op": "move", "item": "A", "to": between(1, after="A", before="B")}, "A1 B1 C2 D4"),
            ({"op": "move", "item": "A", "to": {"day": "two"}}, "A1 B1 C2 D4"),
            ({"op": "move", "item": "A"}, "A1 B1 C2 D4"),
            ({"op": "add", "item": {"id": "N"}}, "A1 B1 C2 D4"),
            ({"op": "update", "item": ["A"], "set": 1}, "A1 B1 C2 D4"),
            ({"op": "update", "item": "A", "set": {"day": "x"}}, "A1 B1 C2 D4"),
            ({}, "A1 B1 C2 D4"),
            ({"op": "move", "item": "A", "to": between(3)}, "B1 C2 A3 D4"),
            ({"op": "move", "item": "D", "to": {"day": 1, "sortOrder": 1.5}}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "gone", "to": at_end(1)}, "A1 B1 C2 D4"),
            (new, "A1 B1 N1 C2 D4"),
            ({**new, "to": at_end(9)}, "A1 B1 C2 D4 N9"),
            ({"op": "add", "item": {"id": "T", "kind": "travel", "fromCity": "x", "toCity": "y"}}, "A1 B1 C2 D4"),
            ({"op": "update", "item": "B", "set": {"title": "X", "note": None}}, "A1 X1 C2 D4"),
            ({"op": "remove", "item": "B"}, "A1 C2 D4"),
            ({"op": "trip", "name": "x"}, "A1 B1 C2 D4"),
        ]:
            with self.subTest(edit=edit):
                self.assertEqual(self.laid(edit), wanted)
        self.assertEqual(self.laid(new, {"op": "move", "item": "N", "to": at_end(2)}, {"op": "remove", "item": "C"}), "A1 B1 N2 D4")


class Transcripts(unittest.TestCase):
    """The recorded conversations must lead every replica to the states that they contain."""

    def test_deltas_lead_to_the_snapshots(self):
        states = deltas = 0
        for path in sorted((HERE / "../Protocol/transcripts").glob("*.jsonl")):
            known, replicas = {}, {}
            for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
                message = line.get("line", {})
                if line.get("from", "").startswith("server→") and isinstance(message, dict):
                    result = message.get("result")
                    result = result if isinstance(result, dict) else {}
                    state_sent = message.get("params", {}) if message.get("method") in ("trip.snapshot", "trip.delta") else {}
                    for state in (result.get("snapshot", {}), result, state_sent):
                        if "items" in state and "problems" in state and "epoch" in state:
                            states += 1
                            kept = known.setdefault((state["epoch"], state["version"]), state["items"])
                            self.assertEqual(kept, state["items"], path.name)
                            replicas[line["from"]] = state
                    for delta in (result.get("delta"), state_sent if "upserts" in state_sent else None):
                        if delta and (delta["epoch"], delta["from"]) in known:
                            deltas += 1
                            made = itinerary._Items(known[delta["epoch"], delta["from"]])
                            made.apply(delta["removed"], delta["upserts"])
                            items = made.in_order
                            kept = known.setdefault((delta["epoch"], delta["version"]), items)
                            self.assertEqual(kept, items, path.name)
        self.assertGreater(states, 20)
        self.assertGreater(deltas, 3)


class Types(unittest.TestCase):
    def test_the_types_have_the_fields_of_the_schema(self):
        with open(HERE.parent / "Protocol" / "openrpc.json", encoding="utf-8") as file:
            schemas = json.load(file)["components"]["schemas"]

        def fields(schema):
            schema = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
            parts = schema.get("oneOf", []) + schema.get("allOf", [])
            return set(schema.get("properties", {})).union(*map(fields, parts))

        for name in ("Gap", "Item", "Placement", "Problem", "TripHeader"):
            self.assertEqual(set(getattr(itinerary, name).__annotations__), fields(schemas[name]), name)
        self.assertEqual(set(itinerary.User.__annotations__), fields(schemas["PresentUser"]))


class Core(unittest.TestCase):
    """The core without a socket, with a simulated clock."""

    HEADER = {"id": "x", "slug": "t", "name": "T", "startDate": "2026-06-11", "timeZone": "UTC", "dayCount": 1}

    def setUp(self):
        self.now = 0.0
        self.core = itinerary._Core({}, lambda: self.now)

    def receive(self, *messages):
        self.core.received("".join(json.dumps(message) + "\n" for message in messages).encode())

    def sent(self):
        lines = [json.loads(line) for line in bytes(self.core.output).splitlines()]
        self.core.output.clear()
        return lines

    def connect(self):
        self.core.opened()
        hello, = self.sent()
        self.receive({"id": hello["id"], "result": {"limits": {"lineBytes": 1 << 20}, "user": "ann"}})

    def follow(self):
        trip = itinerary.Replica("t", True, 0)
        self.core.follow(trip)
        subscribe, = self.sent()
        snapshot = {"trip": self.HEADER, "epoch": "e", "version": 1, "items": [], "problems": []}
        return trip, {"id": subscribe["id"], "result": {"snapshot": snapshot, "presence": []}}

    def delta(self, start, end):
        delta = {"trip": "x", "epoch": "e", "from": start, "version": end, "upserts": [], "removed": []}
        return {"method": "trip.delta", "params": delta}

    def test_lines_come_in_any_pieces(self):
        self.connect()
        whole = '{"method":"a","params":{"t":"é"}}\n\n{"id":%d,"result":{"t":"é"}}\r\n'
        for size in range(1, len(whole)):
            request = itinerary.Request("ping", {})
            self.core.submit(request)
            line = (whole % self.sent()[0]["id"]).encode()
            for at in range(0, len(line), size):
                self.core.received(line[at:at + size])
            self.assertEqual(request.result, {"t": "é"})

    def test_a_delta_behind_the_answer_to_a_subscription_is_applied_after_it(self):
        self.connect()
        trip, answer = self.follow()
        self.receive(answer, self.delta(1, 2))
        self.assertEqual(trip.version, 2)

    def test_a_second_subscription_to_a_trip_brings_its_state_and_who_is_there(self):
        self.connect()
        trip, answer = self.follow()
        self.receive(answer)
        again, answer = self.follow()
        answer["result"]["snapshot"]["version"] = 2
        answer["result"]["presence"] = [{"connectionId": 1, "user": "bob"}]
        self.receive(answer)
        self.assertEqual((self.core.trips, trip.version, trip.presence[0]["user"]), ([trip], 2, "bob"))

    def test_a_delta_that_does_not_fit_and_an_unknown_answer_lead_to_a_new_snapshot(self):
        for wrong in (self.delta(7, 8), {"id": 99, "result": {}}, {"method": "trip.delta", "params": {"trip": "x"}}, {}):
            with self.subTest(wrong=wrong), self.assertLogs("itinerary"):
                self.setUp()
                self.connect()
                trip, answer = self.follow()
                self.receive(answer, wrong)
                self.assertFalse(self.core.is_open)
                self.core.opened()
                hello, = self.sent()
                self.receive({"id": hello["id"], "result": {"limits": {"lineBytes": 1 << 20}, "user": "ann"}})
                self.assertNotIn("since", self.sent()[0]["params"])

    def test_a_line_that_the_daemon_cannot_read_ends_everything_in_flight(self):
        unread = {"id": None, "error": {"code": -32700, "message": "no", "data": {"reason": "parse_error"}}}
        self.connect()
        trip, answer = self.follow()
        self.receive(answer)
        alone = itinerary.Request("trip.delete", {})
        self.core.submit(alone)
        self.receive(unread)
        self.assertEqual(alone.error.reason, "parse_error")
        first, second = (itinerary.Change(trip, "trip.update", {"name": name}) for name in "xy")
        deletion, listing = itinerary.Request("trip.delete", {}), itinerary.Request("trip.list", {})
        for request in (first, deletion, second, listing):
            self.core.submit(request)
        self.sent()
        self.receive(unread)
        self.assertFalse(self.core.is_open)
        self.assertTrue(deletion.error.sent)
        self.connect()
        subscribe, again = self.sent()
        self.assertEqual((subscribe["method"], again["method"]), ("trip.subscribe", "trip.list"))
        self.receive({"id": again["id"], "result": {}}, {"id": subscribe["id"], "result": {"upToDate": True, "presence": []}})
        repeat, = self.sent()
        self.assertEqual((repeat["params"]["seq"], repeat["params"]["name"]), (1, "x"))
        self.receive(unread)
        self.assertEqual(first.error.reason, "parse_error")
        repeat, = self.sent()
        self.receive({"id": repeat["id"], "result": {"version": 2}})
        self.assertEqual((second.result, [change.seq for change in trip.pending]), ({"version": 2}, [2]))

    def test_a_change_in_flight_ends_with_the_trip_that_was_deleted(self):
        deleted = {"method": "trip.deleted", "params": {"trip": "x"}}
        refusal = {"code": -32010, "message": "no", "data": {"reason": "trip_not_found"}}
        for is_lost in (True, False):
            self.setUp()
            self.connect()
            trip, answer = self.follow()
            self.receive(answer)
            change = itinerary.Change(trip, "trip.update", {"name": "x"})
            self.core.submit(change)
            number = self.sent()[0]["id"]
            self.receive(deleted)
            self.assertFalse(change.is_answered)
            if is_lost:
                self.core.lost()
            else:
                self.receive({"id": number, "error": refusal})
            self.assertIsInstance(change.error, NotFound)
            self.assertEqual((trip.deleted, trip.pending), (True, []))

    def test_pauses_between_attempts_grow_up_to_a_second(self):
        self.connect()
        self.core.lost()
        pauses = []
        for _ in range(20):
            pauses.append(self.core.wake_at - self.now)
            self.core.failed(OSError())
        self.assertTrue(0.01 <= pauses[0] <= 0.02 and all(0.5 <= pause <= 1 for pause in pauses[6:]))

    def test_pauses_grow_also_if_hello_succeeds_until_a_request_is_answered(self):
        def pause():
            self.connect()
            self.core.lost()
            self.now, pause = self.core.wake_at, self.core.wake_at - self.now
            return pause

        self.assertTrue(all(0.5 <= pause <= 1 for pause in [pause() for _ in range(20)][6:]))
        self.connect()
        self.core.submit(itinerary.Request("ping", {}))
        self.receive({"id": self.sent()[0]["id"], "result": {}})
        self.core.lost()
        self.assertLessEqual(self.core.wake_at - self.now, 0.02)

    def test_only_a_focus_that_was_accepted_is_sent_again(self):
        self.connect()
        trip, answer = self.follow()
        self.receive(answer)
        for item, outcome in ("a", {"result": {}}), ("b", {"error": {"code": -32010, "message": "m", "data": {}}}):
            self.core.submit(itinerary._Focus(trip, {"item": item, "day": None}))
            focus, = self.sent()
            self.receive({"id": focus["id"], **outcome})
        self.core.lost()
        self.connect()
        subscribe, = self.sent()
        self.receive({**answer, "id": subscribe["id"]})
        self.assertEqual([line["params"] for line in self.sent()], [{"trip": "x", "item": "a"}])

    def test_a_daemon_that_does_not_answer_hello_is_given_up(self):
        self.connect()
        self.core.lost()
        self.core.opened()
        self.now = self.core.wake_at
        self.core.tick()
        self.assertFalse(self.core.is_open)

    def test_no_more_requests_are_in_flight_than_the_daemon_reads(self):
        self.connect()
        requests = [itinerary.Request("ping", {}) for _ in range(1000)]
        for request in requests:
            self.core.submit(request)
        lines = self.sent()
        self.assertEqual(len(lines), 256)
        while lines:
            self.receive(*({"id": line["id"], "result": {}} for line in lines))
            lines = self.sent()
        self.assertTrue(all(request.is_answered for request in requests))

    def test_what_is_none_is_left_out(self):
        self.connect()
        self.core.submit(itinerary.Request("m", {"a": None, "b": False, "c": {"d": None}}))
        self.assertEqual(self.sent()[0]["params"], {"b": False, "c": {"d": None}})


class Sorting(unittest.TestCase):
    def test_items_with_equal_orders_are_sorted_with_games_first_and_then_by_id(self):
        items = [{"id": id, "day": 1, "sortOrder": 1, "kind": kind} for id, kind in
                 [("a", "custom"), ("c", "game"), ("b", "custom"), ("d", "game")]]
        self.assertEqual([item["id"] for item in itinerary._Items(items).in_order], ["c", "d", "a", "b"])

    def test_small_and_large_deltas_lead_to_the_same_items(self):
        chance = random.Random(1)
        kept, wanted = itinerary._Items(), {}
        for _ in range(500):
            few = chance.choice([1, 1, 1, 40])
            removed = [str(chance.randrange(120)) for _ in range(chance.randrange(few + 1))]
            upserts = {id: {"id": id, "day": chance.randrange(4), "sortOrder": chance.randrange(9), "kind": chance.choice(["game", "custom"])}
                       for id in (str(chance.randrange(120)) for _ in range(few))}
            kept.apply(removed, list(upserts.values()))
            wanted = {**{id: item for id, item in wanted.items() if id not in removed}, **upserts}
            self.assertEqual(kept.in_order, sorted(wanted.values(), key=itinerary.shown_order))
            self.assertEqual(kept.by_id, wanted)


class Examples(WithDaemon):
    """The examples must run unchanged."""

    def setUp(self):
        super().setUp()
        code = "\n".join(re.findall(r"(?:^(?: {4}.*)?\n)+", itinerary.__doc__, re.MULTILINE))
        self.names = {"asyncio": asyncio, **{name: getattr(itinerary, name) for name in itinerary.__all__}}
        exec(compile(re.sub(r"^ {4}", "", code, flags=re.MULTILINE), "itinerary.py", "exec"), self.names)

    def run_example(self, name, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            result = self.names[name](self.daemon.path, self.daemon.trip, *arguments)
        return result, output.getvalue()

    def test_a_viewer(self):
        def edit():
            with Client(self.daemon.path) as client:
                trip = client.follow(self.daemon.trip)
                while len(trip.presence) < 2:
                    trip.wait(10)
                trip.rename("Other")
                client.call("trip.delete", trip=trip.id)

        editor = threading.Thread(target=edit)
        editor.start()
        _, output = self.run_example("viewer")
        editor.join()
        self.assertIn("Test ['Rome', 'A', 'B', 'C', 'Oslo']", output)

    def test_a_bot(self):
        def edit():
            with Client(self.daemon.path) as client:
                trip = client.follow(self.daemon.trip)
                while len(trip.presence) < 2:
                    trip.wait(10)
                item = trip.add({"kind": "custom", "title": "?"})["item"]["id"]
                while trip[item]["title"] != "To do":
                    trip.wait(10)
                client.call("trip.delete", trip=trip.id)

        editor = threading.Thread(target=edit)
        editor.start()
        self.assertEqual(self.run_example("bot"), (None, ""))
        editor.join()

    def test_an_editor(self):
        items, output = self.run_example("editor")
        self.assertEqual(titles(items, 2), ["A", "B", "C", "Lunch"])
        self.assertTrue(output.startswith("day_out_of_range"))

    def test_a_drag(self):
        self.assertEqual(self.run_example("drag", self.daemon.items["A"], 5)[0]["day"], 5)

    def test_asyncio(self):
        items = asyncio.run(self.names["gather"](self.daemon.path, self.daemon.trip, "XYZ"))
        self.assertEqual(items, ["Rome", "X", "Y", "Z", "A", "B", "C", "Oslo"])


if __name__ == "__main__":
    if not os.access(DAEMON, os.X_OK):
        sys.exit(__doc__)
    unittest.main()
