"""File systems that can be taken away, made read-only or given a quota; needs root and Linux."""

import contextlib
import ctypes
import errno
import fcntl
import os
import shutil
import struct
import subprocess
import threading
from collections.abc import Iterator

LOOP_SET_STATUS64, LOOP_GET_STATUS64 = 0x4C04, 0x4C05
LIBRARY = ctypes.CDLL(None, use_errno=True)


class Impossible(Exception):
    """Something cannot be made on this machine."""


def run(*words: str) -> str:
    if not shutil.which(words[0]):
        raise Impossible(f"there is no {words[0]}")
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise Impossible(f"{' '.join(words)}: {(done.stderr or done.stdout).strip().splitlines()[0]}")
    return done.stdout.strip()


class LoopDisk:
    """A disk in a file, with a file system, that can lose everything behind its first blocks and get it back."""

    def __init__(self, place: str, kind: str = "ext4", mebibytes: int = 64):
        self.image = os.path.join(place, "image")
        self.point = os.path.join(place, "data")
        os.makedirs(self.point, mode=0o700, exist_ok=True)
        with open(self.image, "wb") as file:
            file.truncate(mebibytes << 20)
        run(f"mkfs.{kind}", "-q", self.image)
        self.kind = kind
        self.device = run("losetup", "--find", "--show", self.image)
        self.mount()

    def mount(self) -> None:
        options = ["-o", "errors=remount-ro"] if self.kind == "ext4" else []
        run("mount", *options, self.device, self.point)
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(self.point, "lost+found"))
        os.chmod(self.point, 0o700)

    def unmount(self, lazily: bool = False) -> None:
        run("umount", *(["--lazy"] if lazily else []), self.point)

    def remount(self, how: str) -> str:
        """Nothing, or why the system refuses."""
        done = subprocess.run(["mount", "-o", f"remount,{how}", self.point], capture_output=True, text=True)
        return (done.stderr or done.stdout).strip().splitlines()[0] if done.returncode else ""

    def take_away(self) -> None:
        self.limit(4096)

    def bring_back(self) -> None:
        self.limit(0)

    def limit(self, size: int) -> None:
        """Every access behind so many bytes fails from now on; 0 for none."""
        device = os.open(self.device, os.O_RDWR)
        try:
            status = bytearray(232)
            fcntl.ioctl(device, LOOP_GET_STATUS64, status)
            struct.pack_into("Q", status, 32, size)
            fcntl.ioctl(device, LOOP_SET_STATUS64, bytes(status))
        finally:
            os.close(device)

    def fail(self) -> None:
        """An error of the file system, after which it is read-only."""
        path = f"/sys/fs/ext4/{os.path.basename(self.device)}/trigger_fs_error"
        try:
            with open(path, "w") as file:
                file.write("1")
        except OSError as error:
            raise Impossible(f"{path}: {error.strerror}") from None

    def end(self) -> None:
        self.bring_back()
        subprocess.run(["umount", "--lazy", self.point], capture_output=True)
        subprocess.run(["losetup", "--detach", self.device], capture_output=True)


@contextlib.contextmanager
def loop_disk(place: str, kind: str = "ext4", mebibytes: int = 64) -> Iterator[LoopDisk]:
    disk = LoopDisk(place, kind, mebibytes)
    try:
        yield disk
    finally:
        disk.end()


@contextlib.contextmanager
def empty_fuse(point: str, name: str) -> Iterator[None]:
    """An empty directory of root's that accepts empty files, mounted with any name for its type."""
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError as error:
        raise Impossible(f"/dev/fuse: {error.strerror}") from None
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
    if LIBRARY.mount(b"box:/trips", point.encode(), name.encode(), 0, options):
        os.close(device)
        raise Impossible(f"a mount of {name}: {os.strerror(ctypes.get_errno())}")
    threading.Thread(target=serve_fuse, args=(device,), daemon=True).start()
    try:
        yield
    finally:
        LIBRARY.umount2(point.encode(), 2)
        os.close(device)


def serve_fuse(device: int) -> None:
    """Answers the few questions of the kernel that opening a file in a directory takes (linux/fuse.h, 7.31)."""
    directory, regular = 0o040700, 0o100600
    known: dict[bytes, int] = {}
    modes = {1: directory}

    def attributes(node: int) -> bytes:
        return struct.pack("<QQQQQQIIIIIIIIII", node, 0, 0, 0, 0, 0, 0, 0, 0, modes.get(node, regular), 1, 0, 0, 0, 4096, 0)

    def entry(node: int) -> bytes:
        return struct.pack("<QQQQII", node, 0, 0, 0, 0, 0) + attributes(node)

    while True:
        try:
            request = os.read(device, 1 << 17)
        except OSError:
            return
        _, code, number, node = struct.unpack_from("<IIQQ", request)
        body, failed, answer = request[40:], 0, b""
        if code == 26:  # INIT
            answer = struct.pack("<IIIIHHIIHHI", 7, 31, 0, 0, 0, 0, 4096, 0, 0, 0, 0) + bytes(24)
        elif code == 3:  # GETATTR
            answer = struct.pack("<QII", 0, 0, 0) + attributes(node)
        elif code in (1, 35):  # LOOKUP, CREATE
            file = body[16 if code == 35 else 0 :].rstrip(b"\0")
            if code == 35:
                known.setdefault(file, 2 + len(known))
            if file in known:
                answer = entry(known[file]) + (struct.pack("<QII", 1, 0, 0) if code == 35 else b"")
            else:
                failed = errno.ENOENT
        elif code in (14, 27):  # OPEN, OPENDIR
            answer = struct.pack("<QII", 1, 0, 0)
        elif code in (2, 36, 42):  # FORGET, INTERRUPT, BATCH_FORGET have no answer
            continue
        elif code in (18, 25, 29):  # RELEASE, FLUSH, RELEASEDIR
            pass
        else:
            failed = errno.ENOSYS
        try:
            os.write(device, struct.pack("<IiQ", 16 + len(answer), -failed, number) + answer)
        except OSError:
            return
