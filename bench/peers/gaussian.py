"""Gaussian processes of GPyTorch: exact, and sparse ones whose bound is of all rows or of batches."""
import time

import distributions

EXACT, SPARSE, STOCHASTIC = "exact", "sgpr", "svgp"
STEPS = {EXACT: 200, SPARSE: 200, STOCHASTIC: 5000}


class Watch:
    """The RMSE of rows that are not learned from, as training goes on: (seconds, RMSE). The clock stands still while it looks."""
    ROWS, EVERY = 10_000, 100

    def __init__(self, truth):
        self.truth, self.curve, self.away, self.began = truth[: self.ROWS], [], 0, None

    def look(self, predict):
        now = time.perf_counter()
        self.curve.append([round(now - self.began - self.away, 3), float(((predict() - self.truth) ** 2).mean() ** 0.5)])
        self.away += time.perf_counter() - now


def gaussian_process(kind, inducing, steps, double=True):
    """In float32, variances of few bits come out as nothing on some tables; steps take half as long."""
    stochastic = kind == STOCHASTIC

    def learn(_, x, y, at, o):
        import gpytorch
        import numpy
        import torch
        from gpytorch import kernels, variational
        torch.manual_seed(o.seed)
        torch.set_num_threads(o.workers)
        mean, sd = x.mean(0), x.std(0)
        sd[sd == 0] = 1
        torch.set_default_dtype(torch.float64 if double else torch.float32)
        tensor = lambda values: torch.tensor(values, dtype=torch.get_default_dtype())
        inputs = lambda rows: tensor((rows - mean) / sd)
        tx, ty, centre, scale = inputs(x), tensor((y - y.mean()) / y.std()), y.mean(), y.std()
        start = tx[torch.randperm(len(tx))[:inducing]].clone()
        likelihood = gpytorch.likelihoods.GaussianLikelihood()
        matern = kernels.ScaleKernel(kernels.MaternKernel(nu=2.5, ard_num_dims=x.shape[1]))
        # As long as standardised columns lie apart: by the library's 0.69 no two rows of 90 inputs are alike, and no gradient tells so.
        matern.base_kernel.lengthscale = x.shape[1] ** 0.5

        class Whole(gpytorch.models.ExactGP):
            def __init__(self):
                super().__init__(tx, ty, likelihood)
                self.mean, self.kernel = gpytorch.means.ConstantMean(), matern if kind == EXACT else kernels.InducingPointKernel(matern, start, likelihood)

            def forward(self, rows):
                return gpytorch.distributions.MultivariateNormal(self.mean(rows), self.kernel(rows))

        class Stochastic(gpytorch.models.ApproximateGP):
            def __init__(self):
                q = variational.CholeskyVariationalDistribution(len(start))
                super().__init__(variational.VariationalStrategy(self, start, q, learn_inducing_locations=True))
                self.mean, self.kernel = gpytorch.means.ConstantMean(), matern

            forward = Whole.forward

        model = Stochastic() if stochastic else Whole()
        bound = (gpytorch.mlls.VariationalELBO(likelihood, model, len(ty)) if stochastic
                 else gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model))
        parameters = list({id(p): p for p in [*model.parameters(), *likelihood.parameters()]}.values())
        adam = torch.optim.Adam(parameters, lr=0.01 if stochastic else 0.1)

        def predict(rows):
            p = likelihood(model(rows))
            return p.mean.double().numpy() * scale + centre, p.stddev.double().numpy() * scale

        def moments(rows):
            model.eval(), likelihood.eval()
            with torch.no_grad():
                parts = [predict(part) for part in torch.split(inputs(rows), 1024)]
            model.train(), likelihood.train()
            return [numpy.concatenate(part) for part in zip(*parts)]

        if o.watch:
            o.watch.began = time.perf_counter()
        for step in range(steps):
            rows = torch.randint(len(ty), (min(1024, len(ty)),)) if stochastic else slice(None)
            adam.zero_grad()
            (-bound(model(tx[rows]), ty[rows])).backward()
            adam.step()
            if o.watch and (step + 1) % Watch.EVERY == 0:
                o.watch.look(lambda: moments(at[: Watch.ROWS])[0])
        yield lambda: distributions.Student(*moments(at))
    return learn
