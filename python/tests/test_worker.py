"""The worker process: what kills it, what interrupts it, and who has one."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import python, quick

from beziergp import WorkerError, _pool
from beziergp._worker import Bytes, RequestError, Worker

posix = pytest.mark.skipif(sys.platform == "win32", reason="forks and signals of POSIX")


def workers():
    return [w.pid for w in _pool._pool._all]


def alive(pid):
    """Tell whether a process is there that has not ended, though nobody may have asked for its code."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError):
        return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] != "Z"
    return True


def ends(pid, seconds=10):
    """Wait for the end of a process that is not a child."""
    until = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not alive(pid)


@posix
def test_killed_while_idle(numbers):
    X, y = numbers
    model = quick().fit(X, y)
    want = model.predict(X)
    for pid in workers():
        os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + 30
    while not all(w.dead for w in _pool._pool._all) and time.monotonic() < until:
        time.sleep(0.01)
    assert np.array_equal(model.predict(X), want)


@posix
def test_killed_while_it_fits(numbers):
    X, y = numbers
    quick().fit(X, y)
    told = []

    def kill(event):
        if not told:
            for pid in workers():
                os.kill(pid, signal.SIGKILL)
        told.append(event)

    with pytest.raises(WorkerError, match="ended by SIGKILL before it had answered"):
        quick(steps_factor=50.0, verbose=kill).fit(X, y)
    assert told[0]["steps"] > told[0]["step"]
    assert quick().fit(X, y).score(X, y) > 0.9


def test_last_words_of_a_worker_that_fails(monkeypatch, tmp_path):
    if sys.platform == "win32":
        pytest.skip("a program of a shell")
    script = tmp_path / "broken"
    script.write_text("#!/bin/sh\necho no such library >&2\nexit 3\n")
    script.chmod(0o755)
    monkeypatch.setenv("BEZIERGP_PROGRAM", str(script))
    with pytest.raises(WorkerError, match="code 3.*no such library"):
        Worker()
    script.write_text("#!/bin/sh\necho hello, world, this is another program\n")
    with pytest.raises(WorkerError):
        Worker()
    monkeypatch.setenv("BEZIERGP_PROGRAM", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError):
        Worker()


def test_requests_that_are_refused(numbers):
    worker = Worker()
    try:
        asked = [("dance", {}), ("predict", {"model": "none"}), ("predict", {"colour": "red"}), ("fit", {"targets": ["y"]}), ("load", {"model": "m"})]
        for verb, options in asked:
            with pytest.raises(RequestError):
                worker.request(verb, options, [Bytes(b"no stream")])
        assert not worker.dead
    finally:
        worker.close()
    assert worker.dead


INTERRUPTED = """
import os, signal, sys, numpy as np
from beziergp import BezierGPRegressor
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 2)); y = X[:, 0] + 0.1 * rng.normal(size=200)
phase, times, whole_group = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "group"
y = np.column_stack([y, X[:, 1] - y]) if sys.argv[4:] else y
sent = []

def interrupt(event):
    if event["phase"] == phase and not sent:
        for _ in range(times):
            sent.append(os.killpg(os.getpgrp(), signal.SIGINT) if whole_group else os.kill(os.getpid(), signal.SIGINT))

model = BezierGPRegressor(effort="fast", shapes=["coarse@1", "coarse@10"], steps_factor=2.0, workers=1, verbose=interrupt)
try:
    model.fit(X, y)
    print("finished")
except KeyboardInterrupt:
    kept = hasattr(model, "model_")
    print("interrupted", kept, model.interrupted_ if kept else None, model.score(X, y) > 0.5 if kept else None)
quick = BezierGPRegressor(effort="fast", shapes=["coarse@1"], folds=2, members=1, steps_factor=0.05).fit(X, y)
print("goes on", quick.score(X, y) > 0.5)
"""


@posix
@pytest.mark.parametrize(
    ("arguments", "kept"),
    [(("members", "1", "alone"), True), (("members", "1", "group"), True), (("selection", "1", "alone"), None), (("members", "2", "alone"), None),
     (("members", "1", "alone", "two targets"), True)],
)  # fmt: skip
def test_ctrl_c(arguments, kept):
    """One keeps the best model so far, a terminal's reaches Python alone, and two end the fit at once."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    out, said = process.communicate(timeout=250)
    assert "goes on True" in out, out + said
    assert "interrupted" in out, out
    if kept:
        assert "interrupted True True True" in out, out


ENDLESS = """
import numpy as np
from beziergp import BezierGPRegressor, _pool
X = np.random.default_rng(0).normal(size=(200, 2))
tell = lambda event: print(_pool._pool._all[0].pid, flush=True)
BezierGPRegressor(effort="fast", steps_factor=1000.0, workers=1, verbose=tell).fit(X, X[:, 0])
"""


@posix
def test_the_worker_ends_with_python():
    process = python(ENDLESS)
    pid = int(process.stdout.readline())
    assert alive(pid)
    process.kill()
    process.communicate()
    assert ends(pid, 60)


def test_a_hundred_models(numbers):
    X, y = numbers
    models = [quick(random_state=seed, steps_factor=0.001).fit(X, y + seed) for seed in range(100)]
    assert len(workers()) <= _pool.MOST
    means = np.array([model.predict(X).mean() for model in models])
    assert np.allclose(np.diff(means), 1, atol=0.5)
    for k in np.random.default_rng(0).permutation(100):
        assert models[k].predict(X).mean() == means[k]
    names = {model.model_.name for model in models}
    gone = weakref.ref(models[0].model_)
    del models
    assert gone() is None
    quick().fit(X, y)
    held = set().union(*(w.known for w in _pool._pool._all if not w.drops))
    assert not held & names


def test_threads_share_workers(numbers):
    X, y = numbers
    model = quick().fit(X, y)
    want = model.predict(X)
    begin = threading.Barrier(8)

    def ask(_):
        begin.wait()
        return np.array_equal(model.predict(X), want)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))
    assert len(workers()) <= _pool.MOST


def test_nothing_is_left_behind(numbers):
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("no /proc")
    X, y = numbers
    model = quick().fit(X, y)
    model.predict(X)
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(200):
        model.predict(X[:1])
    assert len(os.listdir("/proc/self/fd")) <= before
