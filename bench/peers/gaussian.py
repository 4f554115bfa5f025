"""Sparse Gaussian processes of GPyTorch."""
import distributions

def gaussian_process(inducing, stochastic):
    def learn(_, x, y, at, o):
        import gpytorch
        import torch
        from gpytorch import kernels, variational
        torch.manual_seed(o.seed)
        torch.set_num_threads(o.workers)
        mean, sd = x.mean(0), x.std(0)
        sd[sd == 0] = 1
        torch.set_default_dtype(torch.float64)  # in float32 variances of few bits come out as nothing
        inputs = lambda rows: torch.tensor((rows - mean) / sd)
        tx, ty, centre, scale = inputs(x), torch.tensor((y - y.mean()) / y.std()), y.mean(), y.std()
        start = tx[torch.randperm(len(tx))[:inducing]].clone()
        likelihood = gpytorch.likelihoods.GaussianLikelihood()
        matern = kernels.ScaleKernel(kernels.MaternKernel(nu=2.5, ard_num_dims=x.shape[1]))

        class Sparse(gpytorch.models.ExactGP):
            def __init__(self):
                super().__init__(tx, ty, likelihood)
                self.mean, self.kernel = gpytorch.means.ConstantMean(), kernels.InducingPointKernel(matern, start, likelihood)

            def forward(self, rows):
                return gpytorch.distributions.MultivariateNormal(self.mean(rows), self.kernel(rows))

        class Stochastic(gpytorch.models.ApproximateGP):
            def __init__(self):
                q = variational.CholeskyVariationalDistribution(len(start))
                super().__init__(variational.VariationalStrategy(self, start, q, learn_inducing_locations=True))
                self.mean, self.kernel = gpytorch.means.ConstantMean(), matern

            forward = Sparse.forward

        model = Stochastic() if stochastic else Sparse()
        bound = (gpytorch.mlls.VariationalELBO(likelihood, model, len(ty)) if stochastic
                 else gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model))
        parameters = list({id(p): p for p in [*model.parameters(), *likelihood.parameters()]}.values())
        adam = torch.optim.Adam(parameters, lr=0.01 if stochastic else 0.1)
        for _ in range(5000 if stochastic else 200):
            rows = torch.randint(len(ty), (min(1024, len(ty)),)) if stochastic else slice(None)
            adam.zero_grad()
            (-bound(model(tx[rows]), ty[rows])).backward()
            adam.step()
        model.eval(), likelihood.eval()

        def moments():
            with torch.no_grad():
                p = likelihood(model(inputs(at)))
            return distributions.Student(p.mean.double().numpy() * scale + centre, p.stddev.double().numpy() * scale)
        yield moments
    return learn
