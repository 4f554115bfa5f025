"""One worker: a process of the program beziergp that answers requests by frames over pipes.

The protocol is that of the Go package cmd/beziergp/internal/worker.
"""

from __future__ import annotations

import collections
import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ._program import program

PROTOCOL = 2
_PREFIX = struct.Struct("<IQ")
_PIPE = 1 << 20  # bytes that a pipe holds, where the system lets one ask


class WorkerError(RuntimeError):
    """The worker ended before it had answered. The next call starts another one."""


class RequestError(Exception):
    """The worker refused a request: kind is "usage", "data", "failed" or "interrupted"."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Part(Protocol):
    """A part of a request's body."""

    size: int

    def write(self, out: Callable[[Any], int]) -> None:
        """Give the bytes to a function, which returns how many of them it took."""


class Bytes:
    """A part that is there already."""

    def __init__(self, data: bytes) -> None:
        self._data, self.size = data, len(data)

    def write(self, out: Callable[[Any], int]) -> None:
        """Give the bytes to a function, which returns how many of them it took."""
        rest = memoryview(self._data)
        while rest:
            rest = rest[out(rest) :]


class Answer:
    """What a request came to."""

    def __init__(self) -> None:
        self.result: Any = None
        self.body: bytearray = bytearray()
        self.further: dict[str, list[bytearray]] = {}  # bodies that came before, by their event
        self.interrupted = False  # by Ctrl-C, which is still to be raised


class Worker:
    """A process that serves one caller at a time."""

    def __init__(self) -> None:
        self.known: set[str] = set()  # models that it holds
        self.drops: collections.deque[str] = collections.deque()  # of these, what nobody needs any more
        self._number = 0
        self._words = tempfile.TemporaryFile()  # noqa: SIM115, which it writes to as long as it lives
        options: dict[str, Any] = {}
        if sys.platform == "win32":
            options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
        else:
            options["start_new_session"] = True  # so that Ctrl-C reaches Python alone
        self._process = subprocess.Popen(
            [program(), "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._words, bufsize=0, **options
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        _widen(self._in.fileno())
        _widen(self._out.fileno())
        try:
            header, _ = self._read()
            if header.get("event") != "hello" or header.get("protocol") != PROTOCOL:
                raise WorkerError(f"{program()} is no worker of protocol {PROTOCOL}, but of {header.get('protocol')}: another version?")
            self.version: str = header["version"]
        except BaseException:
            self.kill()
            raise

    @property
    def dead(self) -> bool:
        """Whether it has ended."""
        return self._process.poll() is not None

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    def request(
        self, verb: str, options: dict[str, Any], parts: Sequence[Part] = (), progress: Callable[[dict[str, Any]], None] | None = None
    ) -> Answer:
        """Ask, and wait for the answer. Ctrl-C asks the worker to end what it does, and a second one kills it."""
        self._number += 1
        header: dict[str, Any] = {"id": self._number, "verb": verb, "options": options}
        if len(parts) > 1:
            header["parts"] = [part.size for part in parts]
        drops = [self.drops.popleft() for _ in range(len(self.drops))]
        if drops:
            header["drop"] = drops
            self.known.difference_update(drops)
        answer, interrupts = Answer(), _Interrupts(self)
        try:
            with interrupts:
                self._write(header, parts)
                interrupts.sent = True
                if interrupts.count > 0:
                    self.cancel()
                self._wait(answer, progress)
        except RequestError as error:
            if error.kind == "interrupted" or interrupts.count > 0:
                raise KeyboardInterrupt from None
            raise
        except BaseException:
            self.kill()  # half a frame may be on its way
            if interrupts.count > 0:
                raise KeyboardInterrupt from None
            raise
        answer.interrupted = interrupts.count > 0
        return answer

    def _wait(self, answer: Answer, progress: Callable[[dict[str, Any]], None] | None) -> None:
        while True:
            header, body = self._read()
            if header.get("id") != self._number:
                continue  # of a request that nobody waits for
            event = header["event"]
            if event == "error":
                raise RequestError(header["kind"], header["message"])
            if event == "done":
                answer.result, answer.body = header.get("result"), body
                return
            if event == "progress":
                if progress is not None:
                    progress(header["result"])
            else:
                answer.further.setdefault(event, []).append(body)

    def cancel(self) -> None:
        """Ask it to end what it does."""
        with contextlib.suppress(WorkerError):
            self._write({"id": self._number, "verb": "cancel"}, [])

    def _write(self, header: dict[str, Any], body: Sequence[Part]) -> None:
        text = json.dumps(header, allow_nan=False).encode()
        head = Bytes(_PREFIX.pack(len(text), sum(part.size for part in body)) + text)
        try:
            for part in (head, *body):
                part.write(self._in.write)
        except (BrokenPipeError, ValueError, OSError) as error:
            raise self._ended() from error

    def _read(self) -> tuple[dict[str, Any], bytearray]:
        header, body = _PREFIX.unpack(self._exactly(_PREFIX.size))
        if header > 1 << 26:
            raise WorkerError(f"{program()} does not speak as a worker does: another program?")
        return json.loads(self._exactly(header)), self._exactly(body)

    def _exactly(self, size: int) -> bytearray:
        data = bytearray(size)
        rest = memoryview(data)
        while rest:
            try:
                n = self._out.readinto(rest)  # type: ignore[attr-defined]
            except (ValueError, OSError) as error:
                raise self._ended() from error
            if not n:
                raise self._ended()
            rest = rest[n:]
        return data

    def _ended(self) -> WorkerError:
        """Return the error of a worker that is gone, with its last words."""
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._process.returncode
        how = f"with code {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                how = f"by {signal.Signals(-code).name}"
        words = ""
        with contextlib.suppress(OSError, ValueError):
            size = self._words.seek(0, os.SEEK_END)
            self._words.seek(max(0, size - 2000))
            words = self._words.read().decode(errors="replace").strip()
        return WorkerError(f"the worker, process {self.pid}, ended {how} before it had answered" + (f"; its last words: {words}" if words else ""))

    def close(self) -> None:
        """End it: it ends where its input does."""
        with contextlib.suppress(OSError):
            self._in.close()
        try:
            self._process.wait(1)
        except subprocess.TimeoutExpired:
            self.kill()
        with contextlib.suppress(OSError):
            self._out.close()
            self._words.close()

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            self._in.close()
            self._out.close()

    def leave(self) -> None:
        """Let go of it in a forked child: it is the parent's, and ends when the parent lets go."""
        for stream in (self._in, self._out, self._words):
            with contextlib.suppress(OSError):
                stream.close()
        self._process.returncode = 0  # or else subprocess would wait for it


def _widen(descriptor: int) -> None:
    """Let a pipe hold more, so that large tables go through it in fewer steps."""
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError, AttributeError):
            fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _PIPE)


class _Interrupts:
    """Ctrl-C while a request is under way, where Python's own handler would raise in the middle of a frame."""

    def __init__(self, worker: Worker) -> None:
        self.count, self.sent = 0, False
        self._worker, self._ours = worker, False

    def __enter__(self) -> _Interrupts:
        self._ours = threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._ours:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def _handle(self, *_: object) -> None:
        self.count += 1
        if self.count > 1:
            self._worker._process.kill()
        elif self.sent:
            self._worker.cancel()

    def __exit__(self, *_: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
