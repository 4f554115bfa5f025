"""The workers of this process, and models that they hold for it."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import re
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ._worker import Answer, Bytes, Part, RequestError, Worker

MOST = min(4, os.cpu_count() or 1)
"""How many workers a process has at most: threads that ask at once have one each."""


class Pool:
    """Workers, started when they are needed."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[Worker] = []
        self._all: list[Worker] = []
        self._starting = 0

    @contextlib.contextmanager
    def worker(self, model: str | None = None) -> Iterator[Worker]:
        """Lend a worker, one that holds a model if there is one."""
        worker = self._take(model)
        try:
            yield worker
        finally:
            with self._changed:
                if worker.dead:
                    self._all.remove(worker)
                else:
                    self._idle.append(worker)
                self._changed.notify()

    def _take(self, model: str | None) -> Worker:
        with self._changed:
            while True:
                for worker in [w for w in self._idle if w.dead]:  # killed by someone
                    self._idle.remove(worker)
                    self._all.remove(worker)
                if self._idle:
                    best = next((w for w in self._idle if model in w.known), self._idle[-1])
                    self._idle.remove(best)
                    return best
                if len(self._all) + self._starting < MOST:
                    self._starting += 1
                    break
                self._changed.wait()
        try:
            started = Worker()
        except BaseException:
            with self._changed:
                self._starting -= 1
                self._changed.notify()
            raise
        with self._changed:
            self._starting -= 1
            self._all.append(started)
        return started

    def forget(self, model: str) -> None:
        """Have workers drop a model with the next request. No lock is taken: the collector of garbage calls it anywhere."""
        for worker in list(self._all):
            if model in worker.known:
                worker.drops.append(model)

    def close(self) -> None:
        """End all workers."""
        for worker in self._all:
            worker.close()
        self._all, self._idle = [], []

    def leave(self) -> None:
        """Let go of all workers in a forked child."""
        for worker in self._all:
            worker.leave()


_pool = Pool()
_names = itertools.count(1)


def _after_fork() -> None:
    global _pool
    old, _pool = _pool, Pool()
    old.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(lambda: _pool.close())


def _forget(name: str) -> None:
    _pool.forget(name)


class Model:
    """A model file in memory, which workers are handed when they need it."""

    def __init__(self, file: bytes, about: dict[str, Any]) -> None:
        self.file, self.about = file, about
        self._name()

    def _name(self) -> None:
        self.name = f"{os.getpid()}.{next(_names)}"
        weakref.finalize(self, _forget, self.name).atexit = False

    @classmethod
    def load(cls, file: bytes) -> Model | Bundle:
        """Make a model of the bytes of a file, or those of several targets."""
        model = cls(file, {})
        with _pool.worker() as worker:
            answer = model._hand_to(worker)
        if "outputs" in answer.result:
            return Bundle(file, _models(answer))
        model.about = answer.result
        return model

    @property
    def models(self) -> list[Model]:
        """That of every target."""
        return [self]

    def _hand_to(self, worker: Worker) -> Answer:
        answer = _errors(lambda: worker.request("load", {"model": self.name}, [Bytes(self.file)]))
        worker.known.add(self.name)
        return answer

    def ask(self, verb: str, options: dict[str, Any], *parts: Part) -> Answer:
        """Have a worker that holds the model answer. Raises ValueError of what is asked for or given, and KeyboardInterrupt."""
        with _pool.worker(self.name) as worker:
            if self.name not in worker.known:
                self._hand_to(worker)
            answer = _errors(lambda: worker.request(verb, {"model": self.name, **options}, parts))
        if answer.interrupted:
            raise KeyboardInterrupt
        return answer

    def __getstate__(self) -> dict[str, Any]:
        return {"file": self.file, "about": self.about}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._name()

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self  # it never changes


class Bundle:
    """A file of the models of several targets, in memory."""

    about: Mapping[str, Any] = MappingProxyType({})  # which each of the models has

    def __init__(self, file: bytes, models: list[Model] | None = None) -> None:
        self.file = file
        self._models = models

    @property
    def models(self) -> list[Model]:
        """That of every target, taken out of the file when they are first needed."""
        if self._models is None:
            self._models = _models(ask("load", {}, Bytes(self.file)))
        return self._models

    def ask(self, verb: str, options: dict[str, Any], *parts: Part) -> Answer:
        """Raise ValueError: what is asked here of a model is asked of one."""
        names = [model.about["target"] for model in self.models]
        raise ValueError(f"the estimator has {len(names)} targets, and this is told of one: ask outputs_[{names[0]!r}], or another of {names}")

    def __getstate__(self) -> dict[str, Any]:
        return {"file": self.file, "_models": None}

    def __deepcopy__(self, memo: dict[int, Any]) -> Bundle:
        return self  # it never changes


def _models(answer: Answer) -> list[Model]:
    """Return the models of several targets that an answer to a load has."""
    models, at = [], 0
    for about in answer.result["outputs"]:
        size = about.pop("bytes")
        models.append(Model(bytes(answer.body[at : at + size]), about))
        at += size
    return models


def fit(options: dict[str, Any], stream: Part, progress: Callable[[dict[str, Any]], None] | None) -> tuple[Model | Bundle, Answer]:
    """Fit a model, or those of several targets. Where Ctrl-C has ended it early, the answer says so, and the model is the best until then."""
    model = Model(b"", {})
    with _pool.worker() as worker:
        answer = _errors(lambda: worker.request("fit", {"model": model.name, "progress": progress is not None, **options}, [stream], progress))
        if "outputs" in answer.result:
            return Bundle(bytes(answer.body)), answer
        worker.known.add(model.name)
    model.file, model.about = bytes(answer.body), answer.result
    return model, answer


def ask(verb: str, options: dict[str, Any], *parts: Part) -> Answer:
    """Have any worker answer what needs no model."""
    with _pool.worker() as worker:
        answer = _errors(lambda: worker.request(verb, options, parts))
    if answer.interrupted:
        raise KeyboardInterrupt
    return answer


def _errors(do: Callable[[], Answer]) -> Answer:
    """Turn what a worker refuses into what callers of scikit-learn expect."""
    try:
        return do()
    except RequestError as error:
        if error.kind in ("usage", "data"):
            raise ValueError(_in_python(str(error))) from None
        raise RuntimeError(str(error)) from None


def _in_python(message: str) -> str:
    """Say what to do by parameters where the program says it by flags."""
    message = re.sub(r",? or --column \S+=drop", "", message)
    message = re.sub(r"--column (\S+)=(\w+)", r"kinds={'\1': '\2'}", message)
    message = message.replace("--class", "label")
    return re.sub(r"--na \S+ if that is", "None in its place if that is", message)
