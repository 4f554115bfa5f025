"""What is predicted of test rows, and its scores."""
import numpy
from scipy import optimize, special, stats

HALF = 1.959963984540054  # of a Gaussian 95 % interval


class Student:
    """Student's t of some location and scale a row; freedom is infinite for a Gaussian."""

    def __init__(self, mean, scale, freedom=numpy.inf):
        self.mean, self.scale, self.freedom = mean, numpy.broadcast_to(scale, numpy.shape(mean)), freedom

    def scores(self, y):
        z, nu = (y - self.mean) / self.scale, self.freedom
        t = stats.norm if numpy.isinf(nu) else stats.t(nu)
        if numpy.isinf(nu):
            crps = z * (2 * t.cdf(z) - 1) + 2 * t.pdf(z) - 1 / numpy.sqrt(numpy.pi)
        else:  # Jordan, Krüger and Lerch (2019)
            beta = special.beta(0.5, nu - 0.5) / special.beta(0.5, nu / 2) ** 2
            crps = z * (2 * t.cdf(z) - 1) + 2 * t.pdf(z) * (nu + z * z) / (nu - 1) - 2 * numpy.sqrt(nu) / (nu - 1) * beta
        return dict(nlpd=float((numpy.log(self.scale) - t.logpdf(z)).mean()), crps=float((self.scale * crps).mean()),
                    coverage95=float((abs(z) <= t.ppf(0.975)).mean()))


def student_of(z):
    """Returns the scale and the freedom, between 2.1 and 200, of the most likely Student's t around nought."""
    z = z[numpy.isfinite(z)]
    start = [numpy.log(numpy.median(abs(z)) / 0.67 + 1e-300), numpy.log(8)]
    best = optimize.minimize(lambda p: p[0] - stats.t.logpdf(z / numpy.exp(p[0]), numpy.exp(p[1])).mean(), start, method="L-BFGS-B",
                             bounds=[(start[0] - 5, start[0] + 5), (numpy.log(2.1), numpy.log(200))])
    return float(numpy.exp(best.x[0])), float(numpy.exp(best.x[1]))


class Quantiles:
    """The density between quantiles is constant, beyond the outer ones exponential.

    Densities are at most `most`: what lies closer is set apart. The tails are `tail` times
    as long as where the density goes on as it is between the outer two quantiles.
    """
    GRID = (numpy.arange(200) + 0.5) / 200

    def __init__(self, levels, quantiles, most, tail):
        self.levels, q = numpy.asarray(levels), numpy.sort(quantiles, axis=1)
        widths = numpy.maximum(numpy.diff(q), numpy.diff(self.levels) / most)
        middle = q.shape[1] // 2  # which stays where it is
        self.q = numpy.concatenate([numpy.zeros((len(q), 1)), numpy.cumsum(widths, axis=1)], axis=1)
        self.q += (q[:, middle] - self.q[:, middle])[:, None]
        self.density = numpy.diff(self.levels) / widths
        self.below, self.above = tail * self.levels[0] / self.density[:, 0], tail * (1 - self.levels[-1]) / self.density[:, -1]
        at = numpy.array([self.quantile(level) for level in self.GRID]).T
        self.mean, self.grid = at.mean(axis=1), at

    def quantile(self, level):
        if level < self.levels[0]:
            return self.q[:, 0] + self.below * numpy.log(level / self.levels[0])
        if level >= self.levels[-1]:
            return self.q[:, -1] - self.above * numpy.log((1 - level) / (1 - self.levels[-1]))
        j = numpy.searchsorted(self.levels, level, side="right") - 1
        return self.q[:, j] + (level - self.levels[j]) / self.density[:, j]

    def nlpd(self, y):
        j = (y[:, None] >= self.q).sum(axis=1)  # 0 below all
        inside = numpy.log(self.density[numpy.arange(len(y)), numpy.clip(j - 1, 0, self.density.shape[1] - 1)])
        low = numpy.log(self.levels[0] / self.below) - (self.q[:, 0] - y) / self.below
        high = numpy.log((1 - self.levels[-1]) / self.above) - (y - self.q[:, -1]) / self.above
        return float(-numpy.where(j == 0, low, numpy.where(j == self.q.shape[1], high, inside)).mean())

    def scores(self, y):
        error = y[:, None] - self.grid
        pinball = numpy.maximum(self.GRID * error, (self.GRID - 1) * error)
        low, high = self.quantile(0.025), self.quantile(0.975)
        return dict(nlpd=self.nlpd(y), crps=float(2 * pinball.mean()), coverage95=float(((low <= y) & (y <= high)).mean()))


def shape_of_quantiles(levels, quantiles, y):
    """Returns the greatest density and the length of tails that fit these rows best, which were not learned from."""
    spread = y.std()
    options = [(10.0 ** k / spread, tail) for k in numpy.arange(0.5, 4.6, 0.5) for tail in (1, 1.5, 2, 3, 5)]
    return min(options, key=lambda o: Quantiles(levels, quantiles, *o).nlpd(y))
