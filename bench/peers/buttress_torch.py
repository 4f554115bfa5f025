#!/usr/bin/env python3
"""The Bezier buttress as a Python user would write it: batched matmul and autograd.

    python3 bench/peers/buttress_torch.py [--nodes 21] [--inputs 17] [--buttresses 20] [--batch 512] [--threads 1]

Prints milliseconds and GFLOP/s of forward, and of forward and backward, of the
mean buttresses in float32, for PyTorch and, where Go is installed and the command
runs inside a clone, for beziergp in the same run on the same numbers; and checks
that both compute the same values and gradients. It needs PyTorch and NumPy:

    pip install torch numpy
"""
import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
import time

try:
    import numpy
    import torch
except ImportError as missing:
    sys.exit(f"{missing.name} is not installed: this comparison needs PyTorch and NumPy (pip install torch numpy)")


def numbers(nodes, inputs, buttresses, batch):
    """The inputs of bench/cmd/speed, by the same formulas."""
    p = numpy.arange(1, batch + 1, dtype=numpy.float64)[:, None]
    t = numpy.modf(p * numpy.sqrt(numpy.arange(2, inputs + 2)))[0].astype(numpy.float32).astype(numpy.float64)
    order = nodes - 1
    binomial = numpy.array([math.comb(order, i) for i in range(nodes)], dtype=numpy.float64)
    i = numpy.arange(nodes)
    phi = binomial * t[..., None] ** i * (1 - t[..., None]) ** (order - i)  # [batch, inputs, nodes]
    orderings, step = [], 1
    while len(orderings) < buttresses:
        if math.gcd(step, inputs) == 1:
            orderings.append([g * step % inputs for g in range(inputs)])
        step += 1
    size = nodes + (inputs - 1) * nodes * nodes  # of one buttress
    w = 1 + 0.1 * numpy.sin(numpy.arange(buttresses * size, dtype=numpy.float64))
    cotangent = numpy.cos(numpy.arange(batch, dtype=numpy.float64))
    return phi, orderings, w.reshape(buttresses, size), cotangent


def median_seconds(run):
    run()
    times = []
    while len(times) < 5 or sum(times) < 1:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("nodes", 21), ("inputs", 17), ("buttresses", 20), ("batch", 512), ("threads", 1)):
        parser.add_argument("--" + name, type=int, default=default)
    a = parser.parse_args()
    torch.set_num_threads(a.threads)
    phi, orderings, w, cotangent = numbers(a.nodes, a.inputs, a.buttresses, a.batch)
    phi = torch.tensor(phi, dtype=torch.float32).permute(1, 0, 2)  # [inputs, batch, nodes]
    # One layer of all buttresses at a time: [buttresses, batch, nodes] @ [buttresses, nodes, nodes].
    bases = torch.stack([phi[list(layer)] for layer in zip(*orderings)]).contiguous()  # [inputs, buttresses, batch, nodes]
    first = torch.tensor(w[:, : a.nodes], dtype=torch.float32).unsqueeze(1).requires_grad_()
    rest = [
        torch.tensor(w[:, a.nodes + g * a.nodes**2 : a.nodes + (g + 1) * a.nodes**2], dtype=torch.float32)
        .reshape(a.buttresses, a.nodes, a.nodes).contiguous().requires_grad_()
        for g in range(a.inputs - 1)
    ]
    cotangent = torch.tensor(cotangent, dtype=torch.float32)

    def forward():
        state = first * bases[0]
        for weights, basis in zip(rest, bases[1:]):
            state = torch.bmm(state, weights) * basis
        return state.sum((0, 2))

    def both():
        for weights in [first, *rest]:
            weights.grad = None
        f = forward()
        f.backward(cotangent)
        return f

    with torch.no_grad():
        forward_seconds = median_seconds(forward)
    both_seconds = median_seconds(both)
    f = both().detach().double()
    squares = sum(weights.grad.double().square().sum() for weights in [first, *rest])
    flops = 2 * a.buttresses * (a.nodes + (a.inputs - 1) * a.nodes**2) * a.batch
    ours = {"sum": float((f * cotangent.double()).sum()), "gradient": float(squares.sqrt())}

    print(f"m={a.nodes} d={a.inputs} r={a.buttresses} B={a.batch}, {a.threads} thread(s)")
    row = "{:24} {:9.2f} ms {:7.1f} GFLOP/s   {:9.2f} ms {:7.1f} GFLOP/s"
    print(f"{'':24} {'forward':>28}   {'forward and backward':>28}")
    print(row.format(f"PyTorch {torch.__version__}", 1e3 * forward_seconds, flops / forward_seconds / 1e9,
                     1e3 * both_seconds, 3 * flops / both_seconds / 1e9))
    if shutil.which("go") is None:
        print("beziergp: Go is not installed, so there is nothing to compare with")
        return
    shape = f"{a.nodes},{a.inputs},{a.buttresses},{a.batch},{a.threads}"
    out = subprocess.run(["go", "run", "./bench/cmd/speed", "-peer", shape], capture_output=True, text=True)
    if out.returncode != 0:
        sys.exit("beziergp: run this from the root of a clone:\n" + out.stderr)
    theirs = json.loads(out.stdout)
    print(row.format("beziergp " + theirs["tier"], 1e3 * theirs["forward_seconds"], flops / theirs["forward_seconds"] / 1e9,
                     1e3 * theirs["both_seconds"], 3 * flops / theirs["both_seconds"] / 1e9))
    for name in ours:
        if abs(ours[name] - theirs[name]) > 1e-4 * abs(ours[name]):
            sys.exit(f"the two disagree on {name}: PyTorch {ours[name]:.9g}, beziergp {theirs[name]:.9g}")
    print("values and gradients agree to 1e-4")


if __name__ == "__main__":
    main()
