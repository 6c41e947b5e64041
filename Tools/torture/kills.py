#!/usr/bin/env python3
"""Kills a daemon at random moments under clients that keep many changes in flight, and looks what became of them.

    kills.py PROGRAM [--kills 200] [--clients 8] [--seed N] [--durability sync|relaxed] [--compact-at 30000]
             [--place DIR]

After every ten kills the clients go on to another trip. Journals are compacted early, so that kills hit that too.
Every client numbers its changes. After each kill a new daemon is started on the same data, and what was not answered
is sent again with the same number. It must come out that

- every change that was ever sent has exactly one version, and every version one change: nothing lost, nothing twice;
- an answer that was had before a kill is what the trip says after it: same version of the trip or a later one, the
  item as its last change left it, the epoch unchanged unless the kill tore a write and the daemon says so;
- real time is kept: a change that was sent after another was answered has a higher version.

Exit status 0 if so, 1 with what differed if not.
"""

import argparse
import os
import shutil
import subprocess
import tempfile
import threading
import time

from daemon import Client, Daemon, item_id, make_trip, seeded

WINDOW = 16
TORN = "of its journal were incomplete"


class Worker:
    """A client over all kills: its changes by number, when each was first sent, when answered, and with what."""

    def __init__(self, number, trip):
        self.number = number
        self.trip = trip
        self.name = f"client-{number}"
        self.client_id = None
        self.item = item_id(number + 1)
        self.sent = {}
        self.answered = {}
        self.versions = {}
        self.problems = []
        self.next = 1

    def run(self, path, stop, finish=False):
        """Sends and takes answers until the connection ends, or until all is answered where `finish` says so."""
        try:
            client = Client(path, self.name, self.client_id)
        except OSError:
            return
        self.client_id = client.client_id
        flying = {}
        again = sorted(number for number in self.sent if number not in self.versions)
        try:
            while True:
                while len(flying) < WINDOW and not stop.is_set():
                    if again:
                        number = again.pop(0)
                    elif finish:
                        break
                    else:
                        number, self.next = self.next, self.next + 1
                    self.sent.setdefault(number, time.monotonic())
                    params = {"trip": self.trip, "item": self.item, "seq": number}
                    # Of varying length, so that the journal is compacted now and then.
                    params["set"] = {"title": str(number), "note": "n" * (number * 37 % 1200)}
                    flying[client.send("item.update", **params)] = number
                if not flying and (finish or stop.is_set()):
                    return
                for message in client.lines(0.05):
                    if "id" in message:
                        self.take(flying.pop(message["id"]), message)
        except (OSError, ConnectionError):
            return
        finally:
            client.close()

    def take(self, number, message):
        if "error" in message:
            self.problems.append(f"{self.name}: change {number}: {message['error']}")
            self.versions[number] = None
            return
        version = message["result"]["version"]
        known = self.versions.setdefault(number, version)
        if known != version:
            self.problems.append(f"{self.name}: change {number} had version {known} and now {version}")
        self.answered.setdefault(number, time.monotonic())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--durability", default="sync")
    parser.add_argument("--compact-at", default="30000")
    parser.add_argument("--place")
    options = parser.parse_args()
    random = seeded(options.seed)
    place = tempfile.mkdtemp(prefix="torture-", dir=options.place)

    def start():
        return Daemon(options.program, place, durability=options.durability, options=["--compact-at", options.compact_at])

    kills, changes, made, problems = 0, 0, 0, []
    while kills < options.kills and not problems:
        count = min(10, options.kills - kills)
        sent, trips, problems = one_trip(start, random, f"t-{kills}", count, options.clients)
        kills += count
        changes += sent
        made += trips
    checked = subprocess.run([options.program, "check", "--data", os.path.join(place, "data")], capture_output=True)
    if checked.returncode != 0:
        problems.append(checked.stdout.decode())
    with open(os.path.join(place, "log")) as file:
        log = file.read()
    print(f"seed {options.seed}: {kills} kills, {options.clients} clients, {changes} changes, "
          f"{made} trips made, {log.count('is compacted')} compactions, {log.count(TORN)} torn ends: "
          f"{len(problems)} problems")
    for problem in problems[:20]:
        print(problem)
    if problems:
        print(f"the data is kept in {place}")
        raise SystemExit(1)
    shutil.rmtree(place)


def one_trip(start, random, slug, kills, clients):
    """So many kills under changes of one trip; how many changes and trips that made, and what is wrong."""
    workers = [Worker(number, slug) for number in range(clients)]
    problems, made = [], []
    daemon = start()
    setup = Client(daemon.socket_path, "setup")
    epoch = make_trip(setup, slug, [worker.item for worker in workers])["epoch"]
    setup.close()
    for kill in range(kills):
        stop = threading.Event()
        threads = [threading.Thread(target=worker.run, args=(daemon.socket_path, stop)) for worker in workers]
        for thread in threads:
            thread.start()
        if kill % 4 == 0:
            maker = Client(daemon.socket_path, "maker")
            made.append(make_trip(maker, f"{slug}-{kill}")["trip"]["id"])
            maker.close()
        time.sleep(random.uniform(0.001, 1))
        daemon.kill()
        stop.set()
        for thread in threads:
            thread.join()
        torn = daemon.log().count(TORN)
        daemon = start()
        looker = Client(daemon.socket_path, "looker")
        found = looker.result("trip.get", trip=slug)["epoch"]
        if daemon.log().count(TORN) > torn:
            epoch = found
        problems += look(looker, workers, epoch, made)
        looker.close()
        if problems or any(worker.problems for worker in workers):
            break
    for worker in workers:
        worker.run(daemon.socket_path, threading.Event(), finish=True)
        problems += worker.problems
    looker = Client(daemon.socket_path, "looker")
    trip = looker.result("trip.get", trip=slug)
    problems += look(looker, workers, epoch, made) + once(workers, trip["version"]) + order(workers)
    if not problems:
        for name in [slug, *made]:
            looker.result("trip.delete", trip=name)
    daemon.stop()
    return sum(len(worker.sent) for worker in workers), len(made), problems


def look(client, workers, epoch, made):
    """What is wrong with the trip after a restart, by what was answered before."""
    problems = []
    trip = client.result("trip.get", trip=workers[0].trip)
    if trip["epoch"] != epoch:
        problems.append(f"the epoch is {trip['epoch']} and was {epoch}")
    highest = max((version or 0 for worker in workers for version in worker.versions.values()), default=1)
    if trip["version"] < highest:
        problems.append(f"the trip is at version {trip['version']}, and {highest} was answered")
    titles = {item["id"]: int(item["title"]) for item in trip["items"]}
    for worker in workers:
        title, last = titles[worker.item], max(worker.versions, default=0)
        if not last <= title < worker.next:
            problems.append(f"{worker.name} is at {title}; {last} was answered, {worker.next - 1} sent")
    there = {row["id"] for row in client.result("trip.list")["trips"]}
    return problems + [f"trip {trip} is gone" for trip in made if trip not in there]


def once(workers, version):
    """What is wrong with the versions: each change has one, each version but the first one change."""
    versions = sorted(v for worker in workers for v in worker.versions.values() if v is not None)
    if versions != list(range(2, version + 1)):
        return [f"{len(versions)} changes have versions, the trip has {version - 1}"]
    return [f"{worker.name} has unanswered changes" for worker in workers if len(worker.sent) != len(worker.versions)]


def order(workers):
    """What is wrong with the order, as people could see it."""
    sends, answers = [], []
    for worker in workers:
        for number, version in worker.versions.items():
            sends.append((worker.sent[number], version))
            answers.append((worker.answered[number], version))
    sends.sort()
    answers.sort()
    problems, highest, index = [], 0, 0
    for moment, version in sends:
        while index < len(answers) and answers[index][0] < moment:
            highest = max(highest, answers[index][1])
            index += 1
        if version <= highest:
            problems.append(f"version {version} was sent after {highest} was answered")
    return problems


if __name__ == "__main__":
    main()
