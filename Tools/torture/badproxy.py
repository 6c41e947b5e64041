#!/usr/bin/env python3
"""A proxy that delays, splits and cuts connections, and that lets a new connection overtake an old one.

    badproxy.py LISTEN TARGET [--seed N] [--cut P] [--delay P] [--split P] [--hold P] [--longest SECONDS]

LISTEN and TARGET are paths of Unix sockets, or HOST:PORT. The same seed makes the same choices for the same data in the
same order. For each block of bytes that is read:

- with the probability `--split` it is passed on in random pieces, so that lines arrive in parts;
- with the probability `--delay` it waits for up to `--longest` seconds; the order of bytes in a connection is kept;
- with the probability `--cut` the connection is cut: the sender's end at once, perhaps in the middle of a line. What the
  client had sent before still reaches the target, up to `--longest` seconds later. So a request of the old connection may
  be carried out after its repeat on the new one.

With the probability `--hold` a new connection is passed on only after a delay: a newer one may reach the target first.

A line on standard input changes the probabilities: `cut=0 delay=0.5`. The end of standard input ends the proxy. From Python,
`with BadProxy(listen, target, seed=1, cut=0.01) as proxy` runs it on a thread, and `proxy.set(cut=0)` changes it.
"""

import argparse
import asyncio
import contextlib
import os
import random
import sys
import threading


async def connect(address):
    if os.sep in address:
        return await asyncio.open_unix_connection(address)
    host, _, port = address.rpartition(":")
    return await asyncio.open_connection(host, int(port))


async def listen(address, serve):
    if os.sep in address:
        return await asyncio.start_unix_server(serve, address, backlog=256)
    host, _, port = address.rpartition(":")
    return await asyncio.start_server(serve, host, int(port))


class BadProxy:
    def __init__(self, address, target, *, seed=0, cut=0.0, delay=0.0, split=0.0, hold=0.0, longest=0.05):
        self.address, self.target = address, target
        self.chances = {"cut": cut, "delay": delay, "split": split, "hold": hold, "longest": longest}
        self.cuts = self.connections = 0
        self._random = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._links = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    # From any thread

    def __enter__(self):
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        return self

    def __exit__(self, *error):
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def set(self, **chances):
        unknown = set(chances) - set(self.chances)
        if unknown:
            raise TypeError(f"no such probability: {', '.join(sorted(unknown))}")
        self.chances.update(chances)

    # On the proxy's thread

    async def _start(self):
        self._server = await listen(self.address, self._serve)

    async def _stop(self):
        self._server.close()
        for link in list(self._links):
            link.cancel()
        await asyncio.gather(*self._links, return_exceptions=True)

    def _happens(self, what):
        return self._random.random() < self.chances[what]

    async def _wait(self):
        await asyncio.sleep(self._random.uniform(0, self.chances["longest"]))

    async def _serve(self, near_reader, near_writer):
        link = asyncio.current_task()
        self._links.add(link)
        self.connections += 1
        writers = [near_writer]
        try:
            if self._happens("hold"):
                await self._wait()
            far_reader, far_writer = await connect(self.target)
            writers.append(far_writer)
            forth = asyncio.ensure_future(self._pass_on(near_reader, far_writer, near_writer))
            back = asyncio.ensure_future(self._pass_on(far_reader, near_writer, near_writer))
            try:
                await asyncio.wait({forth, back}, return_when=asyncio.FIRST_COMPLETED)
                if back.done():
                    near_writer.close()
                    # What the client had sent is still on its way.
                    await asyncio.wait({forth}, timeout=2 * self.chances["longest"])
            finally:
                forth.cancel()
                back.cancel()
                await asyncio.gather(forth, back, return_exceptions=True)
        except OSError:
            pass  # the target does not listen
        except asyncio.CancelledError:
            pass  # the proxy ends; a task of a server that is cancelled would be logged
        finally:
            for writer in writers:
                writer.close()
            self._links.discard(link)

    async def _pass_on(self, reader, writer, client):
        """Passes one direction on, until its end or until the connection is cut."""
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                is_cut = self._happens("cut")
                if is_cut:
                    self.cuts += 1
                    data = data[:self._random.randrange(len(data) + 1)]
                    if writer is not client:
                        client.transport.abort()
                if self._happens("delay"):
                    await self._wait()
                for piece in self._pieces(data):
                    if writer.is_closing():
                        return
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(0)
                if is_cut:
                    return

    def _pieces(self, data):
        if not self._happens("split"):
            return [data] if data else []
        ends = sorted(self._random.randrange(len(data) + 1) for _ in range(self._random.randrange(1, 5)))
        return [data[a:b] for a, b in zip([0, *ends], [*ends, len(data)]) if a < b]


def main():
    about, _, details = __doc__.partition("\n\n")
    parser = argparse.ArgumentParser(description=about, epilog=details, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("listen")
    parser.add_argument("target")
    parser.add_argument("--seed", type=int, default=0)
    for chance in ("cut", "delay", "split", "hold"):
        parser.add_argument(f"--{chance}", type=float, default=0.0)
    parser.add_argument("--longest", type=float, default=0.05)
    options = vars(parser.parse_args())
    with BadProxy(options.pop("listen"), options.pop("target"), **options) as proxy:
        print("listening", flush=True)
        for line in sys.stdin:
            proxy.set(**{name: float(value) for name, value in (word.split("=") for word in line.split())})
        print(f"{proxy.connections} connections, {proxy.cuts} cut", flush=True)


if __name__ == "__main__":
    main()
