"""A daemon of one's own, and clients that keep many requests in flight. For the torture commands beside this file."""

import json
import os
import random
import select
import signal
import socket
import subprocess
import time
import uuid


class Daemon:
    """An itineraryd process with its data in a directory of its own, perhaps under another program such as strace."""

    def __init__(self, program, place, before=(), durability="sync", environment=None, options=()):
        self.socket_path = os.path.join(place, "socket")
        self.log_path = os.path.join(place, "log")
        command = [*before, program, "serve", "--socket", self.socket_path, "--data", os.path.join(place, "data")]
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(
                [*command, "--durability", durability, *options], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=log, env={**os.environ, **(environment or {})})
        self.wait_until_it_listens()

    def wait_until_it_listens(self):
        for _ in range(6000):
            if self.process.poll() is not None:
                raise SystemExit(f"the daemon has ended: {self.process.returncode}, see {self.log_path}")
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(self.socket_path)
                return
            except OSError:
                time.sleep(0.01)
        raise SystemExit("the daemon does not listen")

    def pid(self):
        """The daemon itself, where another program runs it."""
        children = f"/proc/{self.process.pid}/task/{self.process.pid}/children"
        try:
            with open(children) as file:
                return int(file.read().split()[0])
        except (OSError, IndexError):
            return self.process.pid

    def kill(self):
        os.kill(self.pid(), signal.SIGKILL)
        self.process.wait()

    def stop(self):
        os.kill(self.pid(), signal.SIGTERM)
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise SystemExit("the daemon does not stop when it is asked to") from None

    def log(self):
        with open(self.log_path) as file:
            return file.read()


class Client:
    """A connection that sends without waiting; answers are taken by `pump`."""

    def __init__(self, path, user, client_id=None):
        self.client_id = client_id or str(uuid.uuid4())
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.rest = b""
        self.last_id = 0
        self.call("hello", protocol={"major": 1, "minor": 0}, client={"name": "torture", "version": "1"},
                  user=user, clientId=self.client_id)

    def close(self):
        self.socket.close()

    def send(self, method, **params):
        self.last_id += 1
        request = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        return self.last_id

    def lines(self, timeout):
        """What has come, as messages; raises ConnectionError at the end."""
        ready, _, _ = select.select([self.socket], [], [], timeout)
        if not ready:
            return []
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError
        *whole, self.rest = (self.rest + data).split(b"\n")
        return [json.loads(line) for line in whole]

    def call(self, method, **params):
        """The answer, whole: with `result` or `error`."""
        request = self.send(method, **params)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for message in self.lines(1):
                if message.get("id") == request:
                    return message
        raise SystemExit(f"no answer to {method}")

    def result(self, method, **params):
        answer = self.call(method, **params)
        if "error" in answer:
            raise SystemExit(f"{method}: {answer['error']}")
        return answer["result"]

    def reason(self, method, **params):
        """The reason of a refusal; None without one."""
        return self.call(method, **params).get("error", {}).get("data", {}).get("reason")


def make_trip(client, slug, items=()):
    return client.result("trip.create", name=slug, slug=slug, startDate="2026-06-11", timeZone="UTC", dayCount=5,
                         items=[{"item": {"id": item, "kind": "custom", "title": "0"}} for item in items])


def item_id(number):
    return f"00000000-0000-4000-8000-{number:012d}"


def seeded(seed):
    return random.Random(seed)
