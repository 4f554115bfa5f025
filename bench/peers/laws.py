"""Classes, counts and amounts: losses, scores, and libraries tuned by them.

Protocol: a fifth of the training rows, drawn with the seed (class by class where there are
classes), is held. CANDIDATES draws of parameters (the first is the usual ones) are fitted to
the others (at most CHOICE rows) and stop where the held rows get no better for PATIENCE rounds;
the least loss of the held rows wins. No draw is begun after SEARCH seconds of processor time; a fit of
the choice ends after so many seconds too, one of all rows after FIT. The winner is fitted to all training rows with its number of trees
(found anew where the choice saw a part of the rows). Positive amounts: the gamma loss competes
with squared errors of logarithms, whose mean is corrected by that of the held rows.
"""
import time

import numpy

CANDIDATES = 10
CHOICE = 60000
PATIENCE = 50
ROUNDS = 3000
SEARCH = 60
FIT = 180
POWER = 1.5
BINS = 15  # of the calibration error
DRAWS = {
    "xgboost": dict(max_depth=[6, 3, 4, 8, 10], min_child_weight=[1, 5, 20], reg_lambda=[1, 10], colsample_bytree=[0.8, 0.5, 1]),
    "lightgbm": dict(num_leaves=[31, 7, 15, 63, 127], min_data_in_leaf=[20, 5, 60, 200], lambda_l2=[0, 1, 10], feature_fraction=[0.8, 0.5, 1]),
    "catboost": dict(depth=[6, 4, 8, 10], l2_leaf_reg=[3, 1, 10], random_strength=[1, 0.3], one_hot_max_size=[2, 10]),
}


# Scores.

def deviances(law, y, mean):
    if law == "poisson":
        return 2 * (numpy.where(y > 0, y * numpy.log(numpy.where(y > 0, y, 1) / mean), 0) - (y - mean))
    if law == "gamma":
        return 2 * ((y - mean) / mean - numpy.log(y / mean))
    p = POWER
    return 2 * (y ** (2 - p) / ((1 - p) * (2 - p)) - y * mean ** (1 - p) / (1 - p) + mean ** (2 - p) / (2 - p))


def loss(law, y, p):
    """Returns the mean log loss of probabilities [rows, classes], or the mean deviance of means."""
    if law == "classes":
        return float(-numpy.log(numpy.maximum(p[numpy.arange(len(y)), y], 1e-15)).mean())
    return float(deviances(law, y, p).mean())


def scores(law, y, p):
    if law != "classes":
        return dict(deviance=loss(law, y, p), deviance_of=law + (f":{POWER}" if law == "tweedie" else ""),
                    rmse=float(((y - p) ** 2).mean() ** 0.5), mean=float(p.mean()))
    hit, sure = p.argmax(1) == y, p.max(1)
    cell = numpy.minimum((sure * BINS).astype(int), BINS - 1)
    ece = sum(abs((hit[cell == k] - sure[cell == k]).sum()) for k in range(BINS)) / len(y)
    one = numpy.eye(p.shape[1])[y]
    return dict(log_loss=loss(law, y, p), accuracy=float(hit.mean()), ece=float(ece), brier=float(((p - one) ** 2).sum(1).mean()) / (2 if p.shape[1] == 2 else 1))


# Libraries. Each returns its best number of trees and a function of (rows, offset) to what the link takes.

class Clock:
    def __init__(self, seconds):
        self.end = time.process_time() + seconds
        self.ran_out = False

    def over(self):
        self.ran_out = self.ran_out or time.process_time() > self.end
        return self.ran_out


def xgboost_fit(c, law, k, train, held, rounds, rate, clock, o):
    import xgboost
    names = dict(poisson="count:poisson", gamma="reg:gamma", tweedie="reg:tweedie", squares="reg:squarederror")
    c = dict(c, objective=names[law]) if law != "classes" else dict(c, objective="binary:logistic") if k == 2 else dict(c, objective="multi:softprob", num_class=k)
    c.update(eta=rate, subsample=0.8, tree_method="hist", nthread=o.workers, seed=o.seed, verbosity=0)
    if law == "tweedie":
        c.update(tweedie_variance_power=POWER, eval_metric=f"tweedie-nloglik@{POWER}")
    elif law != "squares":
        c.update(eval_metric=dict(classes="logloss" if k == 2 else "mlogloss", poisson="poisson-nloglik", gamma="gamma-nloglik")[law])

    def matrix(x, y, offset):
        return xgboost.DMatrix(x, y, base_margin=offset, enable_categorical=True)

    class Stop(xgboost.callback.TrainingCallback):
        def after_iteration(self, model, epoch, evals_log):
            return clock.over()

    m = xgboost.train(c, matrix(*train), rounds or ROUNDS, evals=[(matrix(*held), "held")] if held else [], verbose_eval=False,
                      early_stopping_rounds=PATIENCE if held else None, callbacks=[Stop()])
    best = m.best_iteration + 1 if held else rounds
    return best, lambda x, offset: m.predict(matrix(x, None, offset), output_margin=True, iteration_range=(0, min(best, m.num_boosted_rounds())))


def lightgbm_fit(c, law, k, train, held, rounds, rate, clock, o):
    import lightgbm
    names = dict(poisson="poisson", gamma="gamma", tweedie="tweedie", squares="regression")
    c = dict(c, objective=names[law]) if law != "classes" else dict(c, objective="binary") if k == 2 else dict(c, objective="multiclass", num_class=k)
    c.update(learning_rate=rate, bagging_fraction=0.8, bagging_freq=1, num_threads=o.workers, seed=o.seed, verbosity=-1, tweedie_variance_power=POWER)
    if len(train[1]) < 500:
        c.update(min_data_in_leaf=max(1, c["min_data_in_leaf"] // 10), min_data_in_bin=1)
    data = lightgbm.Dataset(train[0], train[1], init_score=train[2])

    def stop(env):
        if clock.over():
            raise lightgbm.callback.EarlyStopException(env.iteration, env.evaluation_result_list)

    m = lightgbm.train(c, data, rounds or ROUNDS, valid_sets=[data.create_valid(*held[:2], init_score=held[2])] if held else None,
                       callbacks=([lightgbm.early_stopping(PATIENCE, verbose=False)] if held else []) + [stop])
    best = (m.best_iteration or m.current_iteration()) if held else rounds
    return best, lambda x, offset: m.predict(x, raw_score=True, num_iteration=best) + (0 if offset is None else offset)


def catboost_fit(c, law, k, train, held, rounds, rate, clock, o):
    import catboost
    names = dict(poisson="Poisson", gamma=f"Tweedie:variance_power=1.99", tweedie=f"Tweedie:variance_power={POWER}", squares="RMSE")
    c = dict(c, loss_function=names[law] if law != "classes" else "Logloss" if k == 2 else "MultiClass", learning_rate=rate)
    text = [j for j in train[0].columns if train[0][j].dtype == "category"]
    pool = lambda x, y, offset: catboost.Pool(x, y, cat_features=text, baseline=offset)

    class Stop:
        def after_iteration(self, info):
            return not clock.over()

    m = catboost.CatBoost(dict(c, iterations=rounds or ROUNDS, thread_count=o.workers, random_seed=o.seed, allow_writing_files=False,
                               logging_level="Silent", use_best_model=bool(held), early_stopping_rounds=PATIENCE if held else None))
    m.fit(pool(*train), eval_set=pool(*held) if held else None, callbacks=[Stop()])
    return m.tree_count_ if held else rounds, lambda x, offset: m.predict(pool(x, None, offset), prediction_type="RawFormulaVal")


FITS = dict(xgboost=xgboost_fit, lightgbm=lightgbm_fit, catboost=catboost_fit)


def linked(law, k, raw):
    if law != "classes":
        return numpy.exp(raw)
    if k == 2:
        p = 1 / (1 + numpy.exp(-raw))
        return numpy.column_stack([1 - p, p])
    e = numpy.exp(raw - raw.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


# Tuning.

def some(part, rows):
    x, y, offset = part
    return x.iloc[rows].reset_index(drop=True), y[rows], None if offset is None else offset[rows]


def a_fifth(law, y, seed):
    order, held = numpy.random.default_rng(seed).permutation(len(y)), numpy.zeros(len(y), bool)
    if law == "classes":
        order = order[numpy.argsort(y[order], kind="stable")]
    held[order[::5]] = True
    return held


def rate_of(rows, k, law):
    cost = rows * (k if k > 2 else 1)
    return 0.03 if cost < 20000 else 0.05 if cost < 200000 else 0.1 if cost < 1500000 else 0.2


def under(method, law, k, c, train, held, rounds, rate, o, seconds=FIT):
    """Fits a candidate and returns its trees, a function of a part to what the law's loss takes, and its clock."""
    c, clock = dict(c), Clock(seconds)
    way = c.pop("loss", law)
    shift = 0.0
    if way == "squares":
        logs = lambda part: (part[0], numpy.log(part[1]), None)
        count, raw = FITS[method](c, way, 1, logs(train), logs(held) if held else None, rounds, rate, clock, o)
        if held:
            shift = numpy.log((held[1] / numpy.exp(raw(held[0], None))).mean())
    else:
        start = None
        if law != "classes" and train[2] is not None:
            start = numpy.log(train[1].sum() / numpy.exp(train[2]).sum())
        moved = lambda part: part if start is None else (part[0], part[1], part[2] + start)
        count, fitted = FITS[method](c, way, k, moved(train), moved(held) if held else None, rounds, rate, clock, o)
        raw = lambda x, offset: fitted(x, None if offset is None else offset + (start or 0))
    predict = lambda part, more=None: linked(law, k, raw(part[0], part[2]) + (shift if more is None else more))
    return count, predict, clock, shift


def learn(method, law, train, o):
    """Returns a function of a part to probabilities or means, and what was chosen."""
    if method.startswith("glm"):
        return glm(law, train, method == "glm-bins"), {}
    generator = numpy.random.default_rng(o.seed)
    y = train[1]
    k = int(y.max()) + 1 if law == "classes" else 1
    held, rate = a_fifth(law, y, o.seed), rate_of(len(y), k, law)
    if method == "catboost":
        rate = max(rate, 0.05)
    draws = dict(DRAWS[method], **(dict(loss=["gamma", "squares"]) if law == "gamma" else {}))
    usual = {name: values[0] for name, values in draws.items()}
    candidates = [usual, dict(usual, loss="squares")] if law == "gamma" else [usual]
    while len(candidates) < CANDIDATES:
        c = {name: values[generator.integers(len(values))] for name, values in draws.items()}
        if c not in candidates:
            candidates.append(c)
    inner, test = numpy.flatnonzero(~held), numpy.flatnonzero(held)
    part = len(inner) > CHOICE
    a, b = (numpy.sort(generator.permutation(r)[:most]) if part else r for r, most in ((inner, CHOICE), (test, CHOICE // 3)))
    a, b, best, tried, search = some(train, a), some(train, b), None, 0, Clock(SEARCH)
    for c in candidates:
        if tried and search.over():
            break
        count, predict, _, shift = under(method, law, k, c, a, b, 0, rate, o, SEARCH)
        tried += 1
        error = loss(law, b[1], predict(b))
        if best is None or error < best[0]:
            best = error, c, count, shift
    error, c, count, shift = best
    if part:
        count, predict, clock, shift = under(method, law, k, c, some(train, inner), some(train, test), 0, rate, o)
        error = loss(law, y[test], predict(some(train, test)))
    # The number of trees is known to do in the time: the clock of the last fit is as good as none.
    _, predict, clock, _ = under(method, law, k, c, train, None, max(1, count), rate, o)
    return lambda rows: predict(rows, shift), dict(c, rate=rate, trees=count, held_loss=error, candidates=tried, cut_short=clock.ran_out)


def glm(law, train, binned):
    """Log link; numbers on one scale, or each in ten bins of as many rows; a text column is an indicator a level."""
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import GammaRegressor, PoissonRegressor, TweedieRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, StandardScaler
    x, y, offset = train
    text = [j for j in x.columns if x[j].dtype == "category"]
    number = [j for j in x.columns if j not in text]
    scale = KBinsDiscretizer(10, encode="onehot", quantile_method="averaged_inverted_cdf") if binned else StandardScaler()
    inputs = make_column_transformer((make_pipeline(SimpleImputer(), scale), number), (OneHotEncoder(handle_unknown="ignore", min_frequency=5), text))
    model = dict(poisson=PoissonRegressor, gamma=GammaRegressor, tweedie=TweedieRegressor)[law]
    options = dict(alpha=1e-4, max_iter=1000, **(dict(power=POWER, link="log") if law == "tweedie" else {}))
    # With y = exposure * rate the deviance of y is that of the rate times exposure^(2 - p).
    exposure = numpy.ones(len(y)) if offset is None else numpy.exp(offset)
    weight = exposure if law == "poisson" else exposure ** (2 - POWER) if law == "tweedie" else None
    m = make_pipeline(inputs, model(**options)).fit(x, y / exposure, **{type(model()).__name__.lower() + "__sample_weight": weight})
    return lambda part: m.predict(part[0]) * (1 if part[2] is None else numpy.exp(part[2]))
