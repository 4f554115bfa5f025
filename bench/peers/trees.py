"""Boosted trees: a point, and a distribution around it in each library's way.

A library is a function fit(candidate, x, y, held, rounds, o, loss): with the rows held it stops
where they get no better, and returns the model and its number of trees; without, it makes so many.
"""
import time

import numpy

import distributions

PATIENCE = 50
LEVELS = [0.005, 0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975, 0.995]
TALL = 5000  # rows, from which on a fifth tells of errors what five fifths do of fewer
FEW = 12000  # rows, up to which CatBoost, which is slow, learns all five fifths of the errors
CHOICE = 60000  # rows of the large suite that candidates are compared on
DRAWS = 50  # candidates of a random search
SEARCH = 600  # seconds of it, after which no other candidate is tried


def rate(o):
    return 0.05 if o.suite == "uci" else 0.1


def most(o):
    return 3000 if o.suite == "uci" else 2000


# Libraries.

def xgboost_fit(c, x, y, held, rounds, o, loss="squares"):
    import xgboost
    objective = dict(squares="reg:squarederror", gamma="reg:gamma")[loss]
    m = xgboost.XGBRegressor(n_estimators=rounds or most(o), n_jobs=o.workers, tree_method="hist", enable_categorical=True, objective=objective,
                             random_state=o.seed, early_stopping_rounds=PATIENCE if held else None,
                             **(dict(learning_rate=rate(o), subsample=0.8, colsample_bytree=0.8) | c))
    m.fit(x, y, eval_set=[held] if held else None, verbose=False)
    return m, m.best_iteration + 1 if held else rounds


def lightgbm_fit(c, x, y, held, rounds, o, loss="squares", alpha=0.5):
    import lightgbm
    objective = dict(squares="regression", gamma="gamma", quantile="quantile")[loss]
    m = lightgbm.LGBMRegressor(n_estimators=rounds or most(o), subsample_freq=1, n_jobs=o.workers, random_state=o.seed, verbose=-1, objective=objective,
                               alpha=alpha, **(dict(learning_rate=rate(o), subsample=0.8, colsample_bytree=0.8) | c))
    m.fit(x, y, eval_set=[held] if held else None, callbacks=[lightgbm.early_stopping(PATIENCE, verbose=False)] if held else None)
    return m, m.best_iteration_ if held else rounds


def histgb_fit(c, x, y, held, rounds, o, loss="squares"):
    from sklearn.ensemble import HistGradientBoostingRegressor
    m = HistGradientBoostingRegressor(max_iter=rounds or 1000, learning_rate=rate(o), early_stopping=False, random_state=o.seed, **c).fit(x, y)
    if not held:
        return m, rounds
    errors = [((p - held[1]) ** 2).mean() for p in m.staged_predict(held[0])]
    best = errors.index(min(errors)) + 1
    return histgb_fit(c, x, y, None, best, o)[0], best


def catboost_fit(c, x, y, held, rounds, o, loss="squares"):
    import catboost
    name = dict(squares="RMSE", moments="RMSEWithUncertainty", quantiles="MultiQuantile:alpha=" + ",".join(map(str, LEVELS)))[loss]
    text = [j for j in x.columns if x[j].dtype == "category"] if hasattr(x, "columns") else None
    m = catboost.CatBoostRegressor(loss_function=name, iterations=rounds or most(o), thread_count=o.workers, random_seed=o.seed,
                                   allow_writing_files=False, logging_level="Silent", cat_features=text, **(dict(learning_rate=rate(o)) | c))
    m.fit(x, y, eval_set=held, early_stopping_rounds=PATIENCE if held else None)
    return m, m.tree_count_ if held else rounds


# Choice.

def draws(key, usual, seed):
    """Returns the candidates of a random search: the usual one, and others drawn."""
    g = numpy.random.default_rng(seed)
    log = lambda low, high: float(f"{numpy.exp(g.uniform(numpy.log(low), numpy.log(high))):.3g}")
    whole = lambda low, high: int(round(log(low, high)))
    share = lambda low: round(g.uniform(low, 1), 2)
    draw = dict(
        xgboost=lambda: dict(max_depth=int(g.integers(3, 11)), min_child_weight=log(1, 30), reg_lambda=log(0.1, 30), subsample=share(0.5),
                             colsample_bytree=share(0.3), learning_rate=log(0.02, 0.2)),
        lightgbm=lambda: dict(num_leaves=whole(4, 255), min_child_samples=whole(2, 100), reg_lambda=log(0.001, 30), subsample=share(0.5),
                              colsample_bytree=share(0.3), learning_rate=log(0.02, 0.2)),
        catboost=lambda: dict(depth=int(g.integers(3, 11)), l2_leaf_reg=log(1, 30), random_strength=log(0.1, 10), learning_rate=log(0.02, 0.2)),
    )[key]
    return [usual, *(draw() for _ in range(DRAWS - 1))]


def a_fifth(y, seed):
    return numpy.random.default_rng(seed).permutation(len(y)) < len(y) / 5


def rows(x, chosen):
    return x[chosen] if isinstance(x, numpy.ndarray) else x.loc[chosen]


def chosen(fit, candidates, x, y, held, o, loss, score):
    """Returns the best candidate, its number of trees, and its model of the rows not held."""
    some = numpy.ones(len(y), bool)
    if o.suite == "large" and len(y) > CHOICE and len(candidates) > 1:
        some = numpy.random.default_rng(o.seed + 1).permutation(len(y)) < CHOICE
    best, began = None, time.perf_counter()
    for c in candidates:
        if len(candidates) == 1 or len(candidates) == DRAWS and best is not None and time.perf_counter() - began > SEARCH:
            break
        test = (rows(x, held & some), y[held & some])
        model, count = fit(c, rows(x, ~held & some), y[~held & some], test, 0, o, loss)
        error = score(model, *test)
        if best is None or error < best[0]:
            best = error, c, count, model
    c = candidates[0] if best is None else best[1]
    if best is None or not some.all():
        model, count = fit(c, rows(x, ~held), y[~held], (rows(x, held), y[held]), 0, o, loss)
        return c, count, model
    return best[1:]


def squares(model, x, y):
    return float(((model.predict(x) - y) ** 2).mean())


# Methods: each yields what predicts distributions of the test rows, the cheaper first.

def point_and_variance(fit, variances):
    """The mean with one deviation for all; with more than that, the same mean with a variance of each row.

    variances are the candidates of (parameters, loss) of a second model of the same library, whose targets are the
    out-of-fold errors: their squares by gamma deviance (the likelihood of a Gaussian's variance) or the logarithm of
    the squares by squared error. Inputs are those of the table and the mean. A fifth of these errors chooses, and
    tells the scale and the freedom of a Student's t around it.
    """
    def learn(candidates, x, y, at, o):
        held = a_fifth(y, o.seed)
        c, count, model = chosen(fit, candidates, x, y, held, o, "squares", squares)
        means = numpy.full(len(y), numpy.nan)
        means[held] = model.predict(rows(x, held))
        error = float(numpy.sqrt(((means - y)[held] ** 2).mean()))
        model, _ = fit(c, x, y, None, count, o)
        yield lambda: distributions.Student(model.predict(at), error)
        if not variances:
            return
        if o.suite == "uci" and (fit is not catboost_fit or len(y) <= FEW):
            # The other four fifths, so that all rows tell of errors; the large tables have enough in one.
            fold = numpy.random.default_rng(o.seed + 2).integers(4, size=len(y))
            for k in range(4):
                out = ~held & (fold == k)
                means[out] = fit(c, rows(x, ~out), y[~out], None, count, o)[0].predict(rows(x, out))
        known = ~numpy.isnan(means)
        x, y, means = rows(x, known), y[known], means[known]
        sd, freedom = variance_of(fit, variances, with_column(x, means), y - means, o)
        yield lambda: (lambda mean: distributions.Student(mean, sd(with_column(at, mean)), freedom))(model.predict(at))
    return learn


def with_column(x, column):
    if isinstance(x, numpy.ndarray):
        return numpy.column_stack([x, column])
    return x.assign(**{"the mean": column}).reset_index(drop=True)


def variance_of(fit, variances, x, errors, o):
    floor = 1e-8 * (errors ** 2).mean()
    targets = dict(gamma=numpy.maximum(errors ** 2, floor) / (errors ** 2).mean(), squares=numpy.log(numpy.maximum(errors ** 2, floor)))
    sd = lambda m, loss, x: numpy.sqrt((errors ** 2).mean() * numpy.maximum(m.predict(x), 1e-12)) if loss == "gamma" else numpy.exp(m.predict(x) / 2)
    order = numpy.random.default_rng(o.seed + 3).permutation(len(errors)) % 5
    best = None
    for c, loss in variances:
        z, counts = [], []
        for k in range(5 if len(errors) < TALL else 1):
            out = order == k
            m, count = fit(c, rows(x, ~out), targets[loss][~out], (rows(x, out), targets[loss][out]), 0, o, loss)
            z.append(errors[out] / sd(m, loss, rows(x, out)))
            counts.append(count)
            z[-1] = z[-1], numpy.log(sd(m, loss, rows(x, out)))
        z, logs = (numpy.concatenate(v) for v in zip(*z))
        scale, freedom = distributions.student_of(z)
        nlpd = distributions.Student(0 * z, scale, freedom).scores(z)["nlpd"] + logs.mean()
        if best is None or nlpd < best[0]:
            best = nlpd, c, loss, max(1, int(numpy.median(counts))), scale, freedom
    _, c, loss, count, scale, freedom = best
    m, _ = fit(c, x, targets[loss], None, count, o, loss)
    return lambda at: scale * sd(m, loss, at), freedom


def catboost_moments(candidates, x, y, at, o):
    """CatBoost's RMSEWithUncertainty; the scale and the freedom of a Student's t around it from the rows held."""
    moments = lambda m, x: (lambda p: (p[:, 0], numpy.sqrt(p[:, 1])))(numpy.asarray(m.predict(x, prediction_type="RMSEWithUncertainty")))
    score = lambda m, x, y: distributions.Student(*moments(m, x)).scores(y)["nlpd"]
    held = a_fifth(y, o.seed)
    c, count, model = chosen(catboost_fit, candidates, x, y, held, o, "moments", score)
    mean, sd = moments(model, rows(x, held))
    scale, freedom = distributions.student_of((y[held] - mean) / sd)
    model, _ = catboost_fit(c, x, y, None, count, o, "moments")
    yield lambda: (lambda mean, sd: distributions.Student(mean, scale * sd, freedom))(*moments(model, at))


def catboost_quantiles(candidates, x, y, at, o):
    pinball = lambda m, x, y: (lambda e: numpy.maximum(numpy.array(LEVELS) * e, (numpy.array(LEVELS) - 1) * e).mean())(y[:, None] - m.predict(x))
    held = a_fifth(y, o.seed)
    c, count, model = chosen(catboost_fit, candidates, x, y, held, o, "quantiles", pinball)
    shape = distributions.shape_of_quantiles(LEVELS, model.predict(rows(x, held)), y[held])
    model, _ = catboost_fit(c, x, y, None, count, o, "quantiles")
    yield lambda: distributions.Quantiles(LEVELS, model.predict(at), *shape)


def lightgbm_quantiles(candidates, x, y, at, o):
    """A model a level; the middle level chooses the candidate for all. It takes longest of all, and pays where targets have two humps."""
    held, columns, final = a_fifth(y, o.seed), [], []
    score = lambda m, x, y: abs(m.predict(x) - y).mean()
    c, _, _ = chosen(lightgbm_fit, candidates, x, y, held, o, "quantile", score)
    for alpha in LEVELS:
        model, count = lightgbm_fit(c, rows(x, ~held), y[~held], (rows(x, held), y[held]), 0, o, "quantile", alpha)
        columns.append(model.predict(rows(x, held)))
        final.append(lightgbm_fit(c, x, y, None, count, o, "quantile", alpha)[0])
    shape = distributions.shape_of_quantiles(LEVELS, numpy.column_stack(columns), y[held])
    yield lambda: distributions.Quantiles(LEVELS, numpy.column_stack([m.predict(at) for m in final]), *shape)


def ngboost(candidates, x, y, at, o):
    """NGBoost's Gaussian; the rows held choose the number of trees."""
    import ngboost
    from ngboost.distns import Normal
    from sklearn.tree import DecisionTreeRegressor
    held, best = a_fifth(y, o.seed), None

    def fit(c, count, x, y, held=None):
        base = DecisionTreeRegressor(criterion="friedman_mse", max_depth=c["max_depth"], random_state=o.seed)
        m = ngboost.NGBRegressor(Dist=Normal, Base=base, n_estimators=count, learning_rate=rate(o), minibatch_frac=1.0, verbose=False, random_state=o.seed)
        return m.fit(x, y, X_val=held and held[0], Y_val=held and held[1], early_stopping_rounds=PATIENCE if held else None)

    def student(m, x):
        d = m.pred_dist(x)
        return d.loc, d.scale

    for c in candidates:
        m = fit(c, 2000, x[~held], y[~held], (x[held], y[held]))
        count = (m.best_val_loss_itr or 0) + 1
        m = fit(c, count, x[~held], y[~held])
        mean, sd = student(m, x[held])
        scale, freedom = distributions.student_of((y[held] - mean) / sd)
        nlpd = distributions.Student(mean, scale * sd, freedom).scores(y[held])["nlpd"]
        if best is None or nlpd < best[0]:
            best = nlpd, c, count, scale, freedom
    _, c, count, scale, freedom = best
    model = fit(c, count, x, y)
    yield lambda: (lambda mean, sd: distributions.Student(mean, scale * sd, freedom))(*student(model, at))
