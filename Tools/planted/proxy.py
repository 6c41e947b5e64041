"""A proxy in front of a daemon that alters lines.

Each connection of a client gets a connection to the daemon and two threads: one passes requests on, the other what the
daemon says. `Alteration` says what is altered; as it is, it alters nothing.
"""

import itertools
import json
import os
import queue
import signal
import socket
import subprocess
import threading
import time


class Alteration:
    """What is altered. One instance serves all connections; a subclass overrides what it needs."""

    def __init__(self, proxy):
        self.proxy = proxy

    def text(self, link, text):
        """A line of a client, before it is read; None drops it."""
        return text

    def request(self, link, request):
        """A request of a client; None drops it."""
        return request

    def line(self, link, line, request):
        """A line of the daemon, and the request that it answers, as the client sent it; a list of lines is passed on."""
        return [line]

    def spelt(self, line):
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))

    def left(self, link):
        """The client is gone; whether the connection to the daemon is to end too."""
        return True


class Link:
    """A client's connection and the daemon's that belongs to it."""

    hidden = itertools.count(1)

    def __init__(self, proxy, client):
        self.proxy, self.client, self.upstream = proxy, client, None
        self.asked = {}  # the requests that are not answered, by their ids as JSON
        self.calls = {}  # queues of the proxy's own requests
        self.writing, self.sending = threading.Lock(), threading.Lock()
        self.user, self.state = None, {}  # `state` is the alteration's to use
        threading.Thread(target=self.serve_client, daemon=True).start()

    def serve_client(self):
        try:
            for text in self.client.makefile("rb"):
                self.take(text)
        except OSError:
            pass
        if self.upstream and self.proxy.alteration.left(self):
            end(self.upstream)

    def take(self, text):
        text = self.proxy.alteration.text(self, text)
        if text is None:
            return
        try:
            request = json.loads(text)
        except ValueError:
            request = None
        if not isinstance(request, dict) or not isinstance(request.get("params", {}), dict):
            self.send(text)
            return
        if request.get("method") == "hello":
            self.user = request.get("params", {}).get("user")
        if "id" in request:
            self.asked[json.dumps(request["id"])] = request
        changed = self.proxy.alteration.request(self, request)
        if changed is request:
            self.send(text)
        elif changed is not None:
            self.send(json.dumps(changed, ensure_ascii=False).encode() + b"\n")

    def send(self, text):
        with self.sending:
            if not self.upstream:
                self.upstream = socket.socket(socket.AF_UNIX)
                self.upstream.connect(self.proxy.daemon_path)
                threading.Thread(target=self.serve_daemon, daemon=True).start()
            self.upstream.sendall(text)

    def serve_daemon(self):
        try:
            for text in self.upstream.makefile("rb"):
                line = json.loads(text)
                if line.get("id") in self.calls:
                    self.calls.pop(line["id"]).put(line)
                    continue
                request = self.asked.pop(json.dumps(line["id"]), None) if line.get("id") is not None else None
                for changed in self.proxy.alteration.line(self, line, request):
                    self.write(changed)
        except OSError:
            pass
        end(self.client)

    def write(self, line):
        """Sends a line to the client."""
        with self.writing:
            self.client.sendall(self.proxy.alteration.spelt(line).encode() + b"\n")

    def call(self, method, **params):
        """A request of the proxy's own: its answer, which the client does not see."""
        number = f"hidden-{next(self.hidden)}"
        answer = self.calls[number] = queue.Queue()
        self.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
        return answer.get(timeout=10)

    def answer(self, request, result):
        """Answers a request in the daemon's place."""
        self.asked.pop(json.dumps(request["id"]), None)
        self.write({"jsonrpc": "2.0", "id": request["id"], **result})


def end(stream):
    try:
        stream.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


class Proxy:
    """Serves at a path with an alteration, until the daemon that it starts has ended."""

    def __init__(self, alteration, command, path, data):
        self.path, self.daemon_path, self.data = path, path + ".d", data
        self.links = []
        self.alteration = alteration(self)
        self.process = subprocess.Popen([*command, "--socket", self.daemon_path, "--data", self.data])
        signal.signal(signal.SIGTERM, lambda *_: None)  # the daemon hears it too
        self.await_daemon()
        if os.path.exists(path):
            os.unlink(path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(128)
        threading.Thread(target=self.accept, daemon=True).start()

    def await_daemon(self):
        while True:
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(self.daemon_path) == 0:
                    return
            if self.process.poll() is not None:
                raise SystemExit(self.process.returncode)
            time.sleep(0.01)

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:  # no descriptor is left
                time.sleep(0.02)
                continue
            self.links.append(Link(self, client))

    def run(self):
        status = self.process.wait()
        time.sleep(0.1)  # the last lines are on their way
        return status
