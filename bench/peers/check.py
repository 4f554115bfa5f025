#!/usr/bin/env python3
"""Checks the scores of distributions against sums over a fine grid: python3 bench/peers/check.py"""
import numpy
from scipy import stats

import distributions


def by_grid(cdf, y, low, high):
    """Returns CRPS and NLPD of one outcome from a distribution function, by sums and differences."""
    t = numpy.linspace(low, high, 2_000_001)
    f = cdf(t)
    width, half = t[1] - t[0], 1e-5
    crps = ((f - (t >= y)) ** 2).sum() * width
    return crps, -numpy.log((cdf(numpy.array([y + half])) - cdf(numpy.array([y - half])))[0] / (2 * half))


def check(name, got, want, tolerance):
    if not abs(got - want) <= tolerance * max(1, abs(want)):
        raise SystemExit(f"{name}: {got}, want {want}")


for freedom in (numpy.inf, 3.0, 8.5):
    for y in (-4.0, 0.3, 2.0):
        d = distributions.Student(numpy.array([0.5]), numpy.array([1.3]), freedom)
        scores = d.scores(numpy.array([y]))
        t = stats.norm(0.5, 1.3) if numpy.isinf(freedom) else stats.t(freedom, 0.5, 1.3)
        crps, nlpd = by_grid(t.cdf, y, -300, 300)
        check(f"CRPS of Student's t, freedom {freedom}", scores["crps"], crps, 1e-3)
        check(f"NLPD of Student's t, freedom {freedom}", scores["nlpd"], nlpd, 1e-6)

levels = [0.05, 0.25, 0.5, 0.75, 0.95]
q = numpy.array([[-2.0, -0.5, 0.0, 0.7, 3.0]])
d = distributions.Quantiles(levels, q, 1e9, 1.5)
cdf = lambda t: numpy.where(
    t < q[0, 0], levels[0] * numpy.exp(numpy.minimum(0, t - q[0, 0]) / d.below[0]),
    numpy.where(t >= q[0, -1], 1 - (1 - levels[-1]) * numpy.exp(numpy.minimum(0, q[0, -1] - t) / d.above[0]), numpy.interp(t, q[0], levels)))
for y in (-5.0, -1.0, 0.2, 2.0, 6.0):
    crps, nlpd = by_grid(cdf, y, -60, 60)
    scores = d.scores(numpy.array([y]))
    check(f"CRPS of quantiles at {y}", scores["crps"], crps, 5e-3)
    check(f"NLPD of quantiles at {y}", scores["nlpd"], nlpd, 1e-6)
check("a quantile of quantiles", d.quantile(0.6)[0], 0.28, 1e-12)
check("a quantile in a tail", cdf(d.quantile(0.01))[0], 0.01, 1e-12)

drawn = stats.t(5).rvs(200_000, random_state=0) * 2
scale, freedom = distributions.student_of(drawn)
check("the scale of a sample", scale, 2, 0.02)
check("the freedom of a sample", freedom, 5, 0.1)
print("all scores agree")
