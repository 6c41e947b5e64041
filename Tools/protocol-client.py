#!/usr/bin/env python3
"""A client of itineraryd in one file, and a check of the daemon's promises.

    protocol-client.py [--socket PATH]

Two clients, ann and bob, edit one trip, which is made for this and deleted at
the end. Each step is printed. The exit status is 0 if all went as the protocol
says, and 1 with what differed if not. Without --socket the daemon's default
socket is used. Needs Python 3.9 and nothing else.
"""

import argparse
import contextlib
import json
import os
import socket
import sys
import uuid

CONTENT = ("trip.snapshot", "trip.delta")


class Refused(Exception):
    """The daemon answered with an error; `data` has its reason."""

    def __init__(self, method, error):
        self.code = error["code"]
        self.data = error.get("data", {})
        super().__init__(f"{method}: {error['message']} {self.data}")


class Client:
    """One connection. Calls block; what comes meanwhile is kept in `lines`."""

    def __init__(self, path, user, client_id=None, timeout=10):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.stream = self.socket.makefile("rb")
        self.last_id = 0
        self.methods = {}  # of the requests that are not answered yet
        self.answers = {}  # that nobody has waited for yet
        self.lines = []  # everything received, in order
        self.trips = {}  # the states of the trips subscribed to
        self.client_id = client_id or str(uuid.uuid4())
        self.hello = self.call(
            "hello",
            protocol={"major": 1, "minor": 0},
            client={"name": "protocol-client", "version": "1"},
            user=user,
            clientId=self.client_id,
        )

    def close(self):
        self.stream.close()
        self.socket.close()

    def send(self, method, **params):
        """Sends a request without waiting for its answer."""
        self.last_id += 1
        self.methods[self.last_id] = method
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        text = json.dumps(request, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        self.socket.sendall(text.encode() + b"\n")
        return self.last_id

    def wait(self, request):
        """The result of a request that was sent."""
        while request not in self.answers:
            self.read()
        method, answer = self.methods.pop(request), self.answers.pop(request)
        if "error" in answer:
            raise Refused(method, answer["error"])
        return answer["result"]

    def call(self, method, **params):
        return self.wait(self.send(method, **params))

    def read(self):
        """Takes the next line."""
        line = self.stream.readline()
        if not line.endswith(b"\n"):
            raise ConnectionError("the daemon closed the connection")
        message = json.loads(line)
        self.lines.append(message)
        method, params = message.get("method"), message.get("params")
        if method is None:
            if message["id"] is None:
                raise Refused("a line", message["error"])
            self.answers[message["id"]] = message
        elif method == "trip.snapshot":
            self.trips[params["trip"]["id"]] = state(params)
        elif method == "trip.delta":
            self.trips[params["trip"]] = applied(params, self.trips[params["trip"]])
        elif method == "trip.deleted":
            self.trips.pop(params["trip"], None)
        elif method == "goodbye":
            raise ConnectionError(f"the daemon said goodbye: {params['reason']}")

    def subscribe(self, trip, mode, held=None):
        """Follows a trip (by id), on from a state that is held already."""
        params = {"trip": trip, "mode": mode}
        if held:
            params["since"] = {"epoch": held["epoch"], "version": held["version"]}
        result = self.call("trip.subscribe", **params)
        if "snapshot" in result:
            self.trips[trip] = state(result["snapshot"])
        elif "delta" in result:
            self.trips[trip] = applied(result["delta"], held)
        else:
            self.trips[trip] = held
        return result

    def notifications(self, *methods, since=0):
        return [line["params"] for line in self.lines[since:] if line.get("method") in methods]


def state(snapshot):
    return {key: snapshot[key] for key in ("trip", "epoch", "version", "items", "problems")}


def applied(delta, old):
    """The state that a delta makes of an older one."""
    if (delta["epoch"], delta["from"]) != (old["epoch"], old["version"]):
        raise ValueError(f"a delta from {delta['from']} does not fit version {old['version']}")
    items = {item["id"]: item for item in old["items"]}
    for gone in delta["removed"]:
        items.pop(gone, None)
    items.update((item["id"], item) for item in delta["upserts"])
    return {
        "trip": delta.get("header") or old["trip"],
        "epoch": old["epoch"],
        "version": delta["version"],
        "items": sorted(items.values(), key=shown_order),
        "problems": old["problems"] if delta.get("problems") is None else delta["problems"],
    }


def shown_order(item):
    return item["day"], item["sortOrder"], item["kind"] != "game", item["id"]


class Differs(Exception):
    pass


def check(step, got, expected=True):
    if got != expected:
        raise Differs(f"{step}\n  expected {expected!r}\n  got      {got!r}")
    print("ok  ", step)


def refusal(client, method, **params):
    """The data of the error that a request must get."""
    try:
        result = client.call(method, **params)
    except Refused as error:
        return error.data
    raise Differs(f"{method} should have been refused\n  got      {result!r}")


def place(snapshot, item):
    return next((i["day"], i["sortOrder"]) for i in snapshot["items"] if i["id"] == item)


def titles(snapshot, day):
    return [i.get("title", "travel") for i in snapshot["items"] if i["day"] == day]


def converse(path):
    ann, bob = Client(path, "ann"), Client(path, "bob")
    print("ok   ann and bob said hello to", ann.hello["server"]["name"])
    trip = str(uuid.uuid4())
    made = ann.call(
        "trip.create",
        id=trip,
        name="Protocol check",
        startDate="2026-06-11",
        timeZone="America/Chicago",
        dayCount=4,
    )
    try:
        check("ann made a trip", (made["version"], made["items"]), (1, []))
        edit(path, trip, ann, bob)
    except BaseException:
        with contextlib.suppress(OSError, Refused):  # what went wrong first matters more
            Client(path, "ann").call("trip.delete", trip=trip)
        raise
    check("ann deleted the trip", ann.call("trip.delete", trip=trip), {})
    check("then there is none", refusal(ann, "trip.get", trip=trip)["reason"], "trip_not_found")
    ann.close()


def edit(path, trip, ann, bob):
    ann.subscribe(trip, "snapshot")
    present = [user["user"] for user in bob.subscribe(trip, "delta")["presence"]]
    check("both have subscribed", present, ["ann", "bob"])

    def add(client, seq, to=None, **item):
        return client.call("item.add", trip=trip, seq=seq, item=item, to=to)["item"]["id"]

    def custom(client, seq, day, title):
        return add(client, seq, {"day": day, "at": "end"}, kind="custom", title=title)

    def same(step):
        version = ann.call("trip.sync", trip=trip)["version"]
        bob.call("trip.sync", trip=trip)
        check(step, bob.trips[trip], ann.trips[trip])
        check("  and so has the daemon", state(ann.call("trip.get", trip=trip)), bob.trips[trip])
        return version

    game = {"kind": "game", "city": "Chicago", "timeZone": "America/Chicago"}
    cubs = add(ann, 1, gameId="g1", title="Cubs", startsAt="2026-06-12T13:00:00-05:00", **game)
    game = {"kind": "game", "city": "Detroit", "timeZone": "America/Detroit"}
    add(ann, 2, gameId="g2", title="Tigers", startsAt="2026-06-14T19:00:00-04:00", **game)
    train = add(ann, 3, kind="travel", fromCity="Chicago", toCity="Detroit", mode="train")
    museum = custom(ann, 4, 1, "Museum")
    lunch = custom(bob, 1, 3, "Lunch")
    walk = custom(bob, 2, 3, "Walk")
    hotel = custom(bob, 3, 1, "Hotel 🏨")
    version = same("bob's deltas make the trip of ann's snapshots")
    check("each addition was one version", version, 8)
    check("travel stands where it may", titles(ann.trips[trip], 2), ["Cubs", "travel"])

    # A drag: nothing moves under bob's hands.
    before = place(bob.trips[trip], hotel)
    drag = bob.call("drag.begin", trip=trip, item=hotel)["drag"]
    begun = len(bob.lines)
    over = {"day": 3, "after": lunch}
    check("bob drags the hotel and hovers", bob.call("drag.hover", drag=drag, over=over), {})
    held = [None]
    while {"item": hotel, "over": over} not in held:
        ann.read()
        users = (ann.notifications("trip.presence") or [{"users": []}])[-1]["users"]
        held = [user.get("drag") for user in users]
    print("ok   ann sees over what he hovers")
    data = refusal(ann, "item.move", trip=trip, item=hotel, to=over)
    check("ann cannot move it now", data, {"reason": "item_held", "by": "bob"})
    moves = [(museum, {"day": 3, "at": "start"}), (walk, {"day": 4, "at": "end"})]
    moves.append((lunch, {"day": 3, "before": museum}))
    for seq, (item, to) in enumerate(moves, 5):
        ann.call("item.move", trip=trip, item=item, to=to, seq=seq)
        bob.call("drag.hover", drag=drag, over=over)
    version = ann.call("trip.sync", trip=trip)["version"]
    check("ann has moved three others and seen it", (version, ann.trips[trip]["version"]), (11, 11))
    bob.call("ping")
    check("bob was told nothing of it", bob.notifications(*CONTENT, since=begun), [])

    # All in one go: what is asked behind the drop is answered behind what it deferred.
    begun = len(bob.lines)
    drop = {"trip": trip, "drag": drag, "to": over, "seq": 4}
    hover = bob.send("drag.hover", drag=drag, over=over)
    request = bob.send("drag.drop", **drop)
    behind = [bob.send("ping"), bob.send("trip.sync", trip=trip)]
    dropped = bob.wait(request)
    for sent in (hover, *behind):
        bob.wait(sent)
    order = [line.get("method") or line["id"] for line in bob.lines[begun:]]
    order = [line for line in order if line != "trip.presence"]
    wanted = [hover, request, "trip.delta", *behind]
    check("the answers to hover and drop, one delta, and the rest", order, wanted)
    delta = bob.notifications("trip.delta", since=begun)[0]
    check("it leads past all four", (delta["from"], delta["version"]), (8, 12))
    named = {item["id"] for item in delta["upserts"]}
    check("and has them in it", named, {museum, walk, lunch, hotel})
    cause = {"user": "bob", "clientId": bob.client_id, "method": "drag.drop"}
    check("its cause is the drop", delta["cause"], cause)
    check("the hotel is below lunch", titles(bob.trips[trip], 3), ["Lunch", "Hotel 🏨", "Museum"])
    same("bob has the same trip as ann")

    # Drops that the games forbid.
    for to, verdict in (
        ({"day": 2, "before": cubs}, {"reason": "before_departure_game", "games": [cubs]}),
        ({"day": 1, "at": "end"}, {"reason": "outside_valid_days", "validDays": [2, 4]}),
    ):
        kept = state(bob.call("trip.get", trip=trip))
        begun = bob.call("drag.begin", trip=trip, item=train)
        drag = begun["drag"]
        warned = {gap.get("reason") for gap in begun["gaps"] if gap["day"] == to["day"]}
        check(f"the drag warns: {verdict['reason']}", verdict["reason"] in warned)
        check("  and the drop is refused", refusal(bob, "drag.drop", drag=drag, to=to), verdict)
        check("  the travel stays", state(bob.call("trip.get", trip=trip)), kept)
        reason = refusal(bob, "drag.hover", drag=drag)["reason"]
        check("  and the drag is over", reason, "drag_not_found")

    # All or nothing.
    ops = [
        {"op": "update", "item": lunch, "set": {"title": "Brunch"}},
        {"op": "move", "item": cubs, "to": {"day": 1, "at": "end"}},
    ]
    data = refusal(ann, "trip.apply", trip=trip, ops=ops, seq=8)
    check("a batch fails by its second part", data, {"reason": "game_immovable", "opIndex": 1})
    check("  and changes nothing", state(ann.call("trip.get", trip=trip)), kept)
    same("  for nobody")

    # Away and back: bob keeps his client id and his last state.
    held = bob.trips[trip]
    bob.close()
    ann.call("item.update", trip=trip, item=museum, set={"note": "closed\non Mondays"}, seq=8)
    ann.call("item.remove", trip=trip, item=walk, seq=9)
    bob = Client(path, "bob", client_id=bob.client_id)
    delta = bob.subscribe(trip, "delta", held)["delta"]
    check("bob comes back to a delta", (delta["from"], delta["version"]), (12, 14))
    check("  which names what is gone", walk in delta["removed"])
    same("  and has caught up")
    check("nothing more to catch up", "upToDate" in bob.subscribe(trip, "delta", bob.trips[trip]))

    # Once more what was answered already.
    check("bob's drop again: the same answer", bob.call("drag.drop", **drop), dropped)
    drop["to"] = {"day": 1, "at": "start"}
    reason = refusal(bob, "drag.drop", **drop)["reason"]
    check("another request with its seq is refused", reason, "seq_reuse")
    check("neither made a version", same("  bob and ann agree"), 14)

    undone = bob.call("trip.undo", trip=trip, seq=5)
    items = [item["id"] for item in undone["items"]]
    check("bob undoes his drop", (undone["version"], items), (15, [hotel]))
    same("  bob and ann agree")
    check("  and the hotel is where it was", place(bob.trips[trip], hotel), before)
    bob.close()


def default_socket():
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    folder = f"{runtime}/itineraryd" if runtime else f"/tmp/itineraryd-{os.getuid()}"
    return folder + "/itineraryd.sock"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--socket", metavar="PATH", default=default_socket())
    path = parser.parse_args().socket
    sys.stdout.reconfigure(line_buffering=True)
    try:
        converse(path)
    except (Differs, Refused) as error:
        sys.exit(f"FAIL {error}")
    except (OSError, ValueError, LookupError) as error:
        sys.exit(f"FAIL {error!r} at {path}")
    print("All as the protocol says.")


if __name__ == "__main__":
    main()
