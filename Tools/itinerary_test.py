#!/usr/bin/env python3
"""itinerary_test.py ITINERARYD: tests itinerary.py, its examples too, with a daemon that is started and killed here."""

import asyncio
import contextlib
import io
import json
import os
import pathlib
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

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import itinerary  # noqa: E402
from itinerary import AsyncClient, Client, Disconnected, Refused, after, at_end, at_start, between  # noqa: E402

DAEMON = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else os.environ.get("ITINERARYD", "")


def hear_signals():
    """Whoever runs this program may have blocked what the daemon is to hear."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


class Daemon:
    """A daemon of one's own, with one trip: games on days 1 and 3, and A, B, C on day 2."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="itinerary-")
        self.path = os.path.join(self.root, "s")
        self.process = None
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
        command = [DAEMON, "serve", "--socket", self.path, "--data", os.path.join(self.root, "data")]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=hear_signals)
        while True:
            try:
                return Client(self.path).close()
            except OSError:
                if self.process.poll() is not None:
                    raise
                time.sleep(0.01)

    def kill(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait(timeout=60)

    def end(self):
        self.kill()
        shutil.rmtree(self.root)


class Gate:
    """Passes lines between a client and a daemon, and cuts where it is told to."""

    def __init__(self, path, to):
        self.path, self.to = path, to
        self.cut_answers = False  # the next answer to a change is lost with its connection
        self.cut_requests = False  # the next change is lost with its connection
        self.since = []  # what the subscriptions that passed had already
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
            far = socket.socket(socket.AF_UNIX)
            far.connect(self.to)
            asked = {}
            for one, other, way in ((near, far, self.forth), (far, near, self.back)):
                threading.Thread(target=self.pass_on, args=(one, other, way, asked), daemon=True).start()

    def pass_on(self, one, other, is_passed, asked):
        with one, contextlib.suppress(OSError), one.makefile("rb") as lines:
            for line in lines:
                if not is_passed(json.loads(line), asked):
                    break
                other.sendall(line)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def forth(self, line, asked):
        asked[line["id"]] = "seq" in line.get("params", {})
        if line["method"] == "trip.subscribe":
            self.since.append(line["params"].get("since", {}).get("version"))
        if self.cut_requests and asked[line["id"]]:
            self.cut_requests = False
            return False
        return True

    def back(self, line, asked):
        if self.cut_answers and asked.get(line.get("id")):
            self.cut_answers = False
            return False
        return True

    def close(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def titles(items, day):
    return [item.get("title", "travel") for item in items if item["day"] == day]


class WithDaemon(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.end)

    def client(self, user="ann", **more):
        client = Client(more.pop("path", self.daemon.path), user=user, timeout=30, **more)
        self.addCleanup(client.close)
        return client

    def follow(self, user="ann", **more):
        return self.client(user, **more).follow(self.daemon.trip)

    def check_same(self, trip):
        """What a replica has is what the daemon has."""
        trip.sync()
        now = trip._client.call("trip.get", trip=trip.id)
        self.assertEqual(
            (trip.header, trip.epoch, trip.version, trip.items, trip.problems),
            tuple(now[key] for key in ("trip", "epoch", "version", "items", "problems")))
        self.assertEqual(trip.pending, [])
        self.assertEqual(trip.shown(), trip.items)

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
        ann.apply([{"op": "move", "item": a, "to": at_end(1)}, {"op": "trip", "dayCount": 3}], ifVersion=ann.sync())
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
        self.assertFalse(ann.wait(0.01))
        bob.rename("Other")
        while ann.version == version:
            self.assertTrue(ann.wait(10))
        bob.focus(self.daemon.items["A"])
        while not any(user.get("focus") for user in ann.presence):
            self.assertTrue(ann.wait(10))
        bob._client.call("trip.delete", trip=bob.id)
        while not ann.deleted:
            self.assertTrue(ann.wait(10))

    def test_a_refusal_says_why_and_leaves_nothing_behind(self):
        ann = self.follow()
        with self.assertRaises(Refused) as caught:
            ann.move(self.daemon.items["Rome"], at_end(2))
        error = caught.exception
        self.assertEqual((error.reason, error.method, error.code), ("game_immovable", "item.move", -32011))
        self.assertTrue(str(error))
        self.assertEqual(ann.update(self.daemon.items["A"], title="x")["item"]["title"], "x")
        self.check_same(ann)
        with self.assertRaises(Refused) as caught:
            self.client().follow("none")
        self.assertEqual(caught.exception.reason, "trip_not_found")
        with self.assertRaises(Refused) as caught:
            self.follow(role="viewer").rename("x")
        self.assertEqual(caught.exception.reason, "read_only")

    def test_a_dry_run_changes_nothing_and_takes_no_number(self):
        ann = self.follow()
        self.assertEqual(ann.remove(self.daemon.items["A"], dryRun=True)["version"], 1)
        self.assertEqual((ann.seq, ann.sync()), (0, 1))

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
        with self.assertRaises(Refused) as caught:
            held.hover()
        self.assertEqual(caught.exception.reason, "drag_not_found")
        held = ann.drag(a)
        ann.update(self.daemon.items["C"], title="C2")
        # It is answered, and not told before the drag is over: it stays on the screen.
        self.assertEqual((titles(ann.items, 2), titles(ann.shown(), 2)), (["C"], ["C2"]))
        ann.remove(a)
        self.assertEqual(ann.sync(), 5)
        self.assertEqual(ann.ended_drags, {held.name: "item_removed"})

    def test_what_does_not_fit_into_a_line_is_one_change(self):
        ann, bob = self.follow("ann"), self.follow("bob")
        note = "é" * 8000  # eighty of them are more than a line takes
        ops = [{"op": "add", "item": {"kind": "custom", "title": str(number), "note": note}} for number in range(300)]
        done = ann.apply(ops)
        self.assertEqual((done["version"], len(done["items"])), (2, 300))
        for trip in (ann, bob):
            self.check_same(trip)
        with self.assertRaises(Refused) as caught:
            ann.apply(ops + [{"op": "sing"}])
        self.assertEqual((caught.exception.reason, caught.exception.data["opIndex"]), ("invalid_params", 300))
        with self.assertRaises(Refused) as caught:
            ann.apply(ops + [{"op": "remove", "item": "00000000-0000-4000-8000-000000000001"}])
        self.assertEqual((caught.exception.reason, caught.exception.data["opIndex"]), ("item_not_found", 300))
        ann.undo()
        self.check_same(ann)
        self.assertEqual(len(ann.items), 5)

    def test_who_sends_much_before_it_reads_does_not_stand_still(self):
        ann = self.client()
        numbers = [ann.send("trip.get", trip=self.daemon.trip) for _ in range(20000)]
        for number in numbers:
            self.assertEqual(ann.wait_for(number)["version"], 1)

    def test_an_answer_that_takes_too_long_is_a_timeout(self):
        ann = self.client()
        ann.timeout = 0.05
        self.daemon.process.send_signal(signal.SIGSTOP)
        try:
            with self.assertRaises(TimeoutError):
                ann.call("ping")
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)
        ann.timeout = 30
        self.assertEqual(ann.call("ping"), {})


class Reconnecting(WithDaemon):
    def test_a_change_whose_answer_is_lost_is_made_once(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        gate.cut_answers = True
        with self.assertRaises(Disconnected):
            ann.add({"kind": "custom", "title": "D"}, at_end(4))
        self.assertEqual([change.method for change in ann.pending], ["item.add"])
        self.assertEqual(titles(ann.shown(), 4), ["D"])
        again = ann._client.reconnect()
        self.assertEqual([(change.seq, change.error) for change in again], [(1, None)])
        self.check_same(ann)
        self.assertEqual((ann.version, titles(ann.items, 4)), (2, ["D"]))
        self.assertEqual(gate.since, [None, 1])

    def test_a_change_that_did_not_arrive_is_made_after(self):
        gate = self.gate()
        ann, bob = self.follow(path=gate.path), self.follow("bob")
        gate.cut_requests = True
        with self.assertRaises(Disconnected):
            ann.update(self.daemon.items["A"], title="x")
        bob.rename("Other")
        self.assertIsNone(ann._client.reconnect()[0].error)
        self.check_same(ann)
        self.assertEqual((ann.version, ann[self.daemon.items["A"]]["title"], ann.header["name"]), (3, "x", "Other"))
        ann.rename("Third")
        self.assertEqual(ann.seq, 2)

    def test_a_drop_whose_answer_is_lost_is_found_and_one_that_did_not_arrive_is_not(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        for cut, error in (("cut_answers", None), ("cut_requests", "drag_not_found")):
            held = ann.drag(self.daemon.items["A"])
            setattr(gate, cut, True)
            with self.assertRaises(Disconnected):
                held.drop(at_end(4))
            change, = ann._client.reconnect()
            self.assertEqual(change.error and change.error.reason, error)
            self.check_same(ann)
            self.assertEqual(titles(ann.items, 4), ["A"])

    def test_a_batch_whose_answer_is_lost_is_brought_again(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        ops = [{"op": "add", "item": {"kind": "custom", "title": str(number)}} for number in range(200)]
        for cut in ("cut_answers", "cut_requests"):
            setattr(gate, cut, True)
            with self.assertRaises(Disconnected):
                ann.apply(ops)
            self.assertEqual(len(ann.shown()), len(ann.items) + 200)
            self.assertIsNone(ann._client.reconnect()[0].error)
            self.check_same(ann)
        self.assertEqual((ann.version, len(ann.items)), (3, 405))

    def test_what_was_answered_survives_a_kill_and_what_was_not_is_sent_again(self):
        ann = self.follow()
        client = ann._client
        ann.rename("One")
        self.daemon.kill()
        with self.assertRaises(Disconnected):
            ann.rename("Two")
        with self.assertRaises(Disconnected):
            ann.update(self.daemon.items["A"], title="x")
        with self.assertRaises(OSError):
            client.reconnect(patience=0)
        restart = threading.Timer(0.2, self.daemon.start)
        restart.start()
        again = client.reconnect()
        restart.join()
        self.assertEqual([(change.method, change.error) for change in again], [("trip.update", None), ("item.update", None)])
        self.check_same(ann)
        self.assertEqual((ann.version, ann.header["name"]), (4, "Two"))

    def test_a_goodbye_says_why(self):
        ann = self.follow()
        self.daemon.kill(signal.SIGTERM)
        with self.assertRaises(Disconnected) as caught:
            while ann.wait(10):
                pass
        self.assertEqual(caught.exception.reason, "shutting_down")
        with self.assertRaises(Disconnected):
            ann._client.call("ping")
        self.daemon.start()

    def test_a_trip_that_was_deleted_meanwhile(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        gate.cut_requests = True
        with self.assertRaises(Disconnected):
            ann.rename("x")
        self.client("bob").call("trip.delete", trip=ann.id)
        self.assertEqual(ann._client.reconnect()[0].error.reason, "trip_not_found")
        self.assertTrue(ann.deleted)
        self.assertEqual(ann.pending, [])

    def test_a_restored_backup_drops_what_was_answered_and_sends_what_was_not(self):
        gate = self.gate()
        ann = self.follow(path=gate.path)
        epoch = ann.epoch
        backup = os.path.join(self.daemon.root, "backup.jsonl")
        data = ["--data", os.path.join(self.daemon.root, "data")]
        quiet = {"stdout": subprocess.DEVNULL, "check": True}
        subprocess.run([DAEMON, "export", self.daemon.trip, "--out", backup, *data], **quiet)
        ann.drag(self.daemon.items["B"])  # so that what is answered is not told
        ann.update(self.daemon.items["C"], title="lost")
        ann.update(self.daemon.items["C"], title="lost too")
        gate.cut_requests = True
        with self.assertRaises(Disconnected):
            ann.update(self.daemon.items["A"], title="x")
        self.daemon.kill(signal.SIGTERM)
        subprocess.run([DAEMON, "restore", backup, "--replace", *data], **quiet)
        self.daemon.start()
        self.assertEqual([change.method for change in ann._client.reconnect()], ["item.update"])
        self.assertNotEqual(ann.epoch, epoch)
        self.check_same(ann)
        self.assertEqual(titles(ann.items, 2), ["x", "B", "C"])


class Asynchronous(WithDaemon):
    def run_with(self, body):
        async def whole():
            async with await AsyncClient.connect(self.daemon.path, user="ann") as client:
                return await asyncio.wait_for(body(client, await client.follow(self.daemon.trip)), 60)

        return asyncio.run(whole())

    async def check_same_later(self, trip):
        await trip.sync()
        now = await trip._client.call("trip.get", trip=trip.id)
        self.assertEqual((trip.version, trip.items, trip.header), (now["version"], now["items"], now["trip"]))
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
            bob = await (await AsyncClient.connect(self.daemon.path, user="bob")).follow(trip.id)
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
                await bob.wait()
            await bob._client.close()
            with self.assertRaises(Disconnected):
                await bob.rename("x")

        self.run_with(body)

    def test_a_trip_is_followed_in_the_middle_of_changes(self):
        async def body(client, trip):
            followers = []

            async def edit():
                while len(followers) < 40:
                    await asyncio.gather(*(trip.rename(str(number)) for number in range(20)))

            editing = asyncio.ensure_future(edit())
            while len(followers) < 40:
                bob = await AsyncClient.connect(self.daemon.path, user="bob")
                followers.append(await bob.follow(trip.id))
            await editing
            for followed in followers:
                await self.check_same_later(followed)
                await followed._client.close()

        self.run_with(body)

    def test_a_kill_in_the_middle_of_many(self):
        async def body(client, trip):
            made, lost = [], 0
            for _ in range(3):
                adding = [asyncio.ensure_future(trip.add({"kind": "custom", "title": "n"})) for _ in range(100)]
                await adding[10]
                await asyncio.get_running_loop().run_in_executor(None, self.daemon.kill)
                for result in await asyncio.gather(*adding, return_exceptions=True):
                    if isinstance(result, Disconnected):
                        lost += 1
                    else:
                        made.append(result["item"]["id"])
                with self.assertRaises(Disconnected):
                    while True:
                        await trip.wait()
                await asyncio.get_running_loop().run_in_executor(None, self.daemon.start)
                again = await client.reconnect()
                self.assertTrue(all(change.error is None for change in again))
                made += [change.params["item"]["id"] for change in again]
            await self.check_same_later(trip)
            self.assertEqual((len(set(made)), trip.version, len(trip.items)), (300, 301, 305))

        self.run_with(body)


class Laying(unittest.TestCase):
    """How changes on their way are shown."""

    def laid(self, *edits):
        items = [
            {"id": name, "title": name, "day": day, "sortOrder": order, "kind": "custom"}
            for name, day, order in [("A", 1, 1), ("B", 1, 2), ("C", 2, 1), ("D", 4, 1)]
        ]
        for edit in edits:
            itinerary._lay(edit, items)
        return " ".join(f"{item['title']}{item['day']}" for item in items)

    def test_every_placement_and_operation(self):
        new = {"op": "add", "item": {"id": "N", "kind": "custom", "title": "N"}}
        for edit, wanted in [
            ({"op": "move", "item": "A", "to": at_end(2)}, "B1 C2 A2 D4"),
            ({"op": "move", "item": "D", "to": at_start(1)}, "D1 A1 B1 C2"),
            ({"op": "move", "item": "D", "to": after(1, "A")}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "D", "to": itinerary.before(1, "B")}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "D", "to": between(1, after="A", before="B")}, "A1 D1 B1 C2"),
            ({"op": "move", "item": "D", "to": between(1, after="gone", before="B")}, "A1 B1 D1 C2"),
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
    """The golden conversations lead every replica to the states that they tell."""

    def test_deltas_lead_to_the_snapshots(self):
        states = deltas = 0
        for path in sorted((HERE / "../Protocol/transcripts").glob("*.jsonl")):
            known, replicas = {}, {}
            for line in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
                message = line.get("line", {})
                if line.get("from", "").startswith("server→") and isinstance(message, dict):
                    result = message.get("result")
                    result = result if isinstance(result, dict) else {}
                    told = message.get("params", {}) if message.get("method") in ("trip.snapshot", "trip.delta") else {}
                    for state in (result.get("snapshot", {}), result, told):
                        if "items" in state and "problems" in state and "epoch" in state:
                            states += 1
                            kept = known.setdefault((state["epoch"], state["version"]), state["items"])
                            self.assertEqual(kept, state["items"], path.name)
                            replicas[line["from"]] = state
                    for delta in (result.get("delta"), told if "upserts" in told else None):
                        if delta and (delta["epoch"], delta["from"]) in known:
                            deltas += 1
                            items = itinerary.applied(delta, known[delta["epoch"], delta["from"]])
                            kept = known.setdefault((delta["epoch"], delta["version"]), items)
                            self.assertEqual(kept, items, path.name)
        self.assertGreater(states, 20)
        self.assertGreater(deltas, 3)


class Lines(unittest.TestCase):
    def test_level_items_are_shown_with_games_first_and_then_by_id(self):
        items = [{"id": id, "day": 1, "sortOrder": 1, "kind": kind} for id, kind in
                 [("a", "custom"), ("c", "game"), ("b", "custom"), ("d", "game")]]
        delta = {"removed": [], "upserts": items}
        self.assertEqual([item["id"] for item in itinerary.applied(delta, [])], ["c", "d", "a", "b"])

    def test_lines_come_in_any_pieces(self):
        whole = b'{"method":"a","params":{"t":"\xc3\xa9"}}\n\n{"id":1,"result":{}}\r\n'
        for size in range(1, len(whole) + 1):
            wire = itinerary.Wire()
            found = [one for at in range(0, len(whole), size) for one in wire.receive(whole[at:at + size])]
            self.assertEqual(found, [{"method": "a", "params": {"t": "é"}}, {"id": 1, "result": {}}])

    def test_what_comes_with_the_answer_to_a_subscription_is_told_after_it(self):
        async def body():
            followed, replica = itinerary._Followed(), itinerary.Replica("t", {}, True, 0)
            followed.joins(replica)
            method, params, take = next(replica._subscribe())
            number, _ = followed.wire.request(method, params)
            followed.taking[number] = take
            header = {"id": "x", "slug": "t", "name": "T", "startDate": "2026-06-11", "timeZone": "UTC", "dayCount": 1}
            snapshot = {"trip": header, "epoch": "e", "version": 1, "items": [], "problems": []}
            delta = {"trip": "x", "epoch": "e", "from": 1, "version": 2, "upserts": [], "removed": []}
            lines = [{"id": number, "result": {"snapshot": snapshot, "presence": []}}, {"method": "trip.delta", "params": delta}]
            answers = followed.receive("".join(json.dumps(line) + "\n" for line in lines).encode())
            self.assertEqual((len(answers), replica.version), (1, 2))

        asyncio.run(body())

    def test_what_is_none_is_left_out(self):
        number, line = itinerary.Wire().request("m", {"a": None, "b": False, "c": {"d": None}})
        self.assertEqual(json.loads(line), {"jsonrpc": "2.0", "id": number, "method": "m", "params": {"b": False, "c": {"d": None}}})

    def test_who_finds_no_daemon_is_told_so(self):
        with self.assertRaises(OSError):
            Client("/nowhere/sock")


class Examples(WithDaemon):
    """The examples run as they stand."""

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

    def test_an_editor(self):
        items, output = self.run_example("editor")
        self.assertEqual(titles(items, 2), ["A", "B", "C", "Lunch"])
        self.assertTrue(output.startswith("day_out_of_range"))

    def test_a_drag(self):
        self.assertEqual(self.run_example("drag", self.daemon.items["A"], 5)[0]["day"], 5)

    def test_a_reconnect(self):
        def kill():
            self.daemon.kill()
            self.daemon.start()

        timer = threading.Timer(0.2, kill)
        timer.start()
        version, _ = self.run_example("stay", self.daemon.items["A"], [str(number) for number in range(1000)])
        timer.join()
        self.assertEqual(version, 1001)

    def test_asyncio(self):
        items = asyncio.run(self.names["gather"](self.daemon.path, self.daemon.trip, "XYZ"))
        self.assertEqual(titles(items, 1), ["Rome", "X", "Y", "Z"])


if __name__ == "__main__":
    if not os.access(DAEMON, os.X_OK):
        sys.exit(__doc__)
    unittest.main()
