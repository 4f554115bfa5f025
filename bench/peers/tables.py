"""The tables of the suites, and the rows that `beziergp bench` tests on."""
import gzip
import pathlib
import sys

SPLITS = {
    "uci": dict(energy=10, concrete=10, boston=10, power=5, bike=5, elevators=5, protein=5, keggdirected=5),
    "large": dict(sgemm=1, beijing_air=1, flights=1, blogfeedback=1, houseelectric_2007h1=1),
    "quality": {"protein": 1, "arm": 1, "year-like": 1},
}
RUNS = ["Run1 (ms)", "Run2 (ms)", "Run3 (ms)", "Run4 (ms)"]
FOLDERS = dict(houseelectric_2007h1="tasks/houseelectric_2007h1")  # of the others their names
TARGETS = dict(beijing_air="PM2.5", flights="arr_delay", houseelectric_2007h1="Global_active_power")
LEFT_OUT = dict(sgemm=RUNS, beijing_air=["No"], flights=["dep_time", "dep_delay", "arr_time", "air_time"], houseelectric_2007h1=["Date", "Time"])
# What `beziergp bench` records as the options of a set.
OPTIONS = dict(beijing_air=["--exclude", "No"], flights=["--exclude", "dep_time,dep_delay,arr_time,air_time"],
               houseelectric_2007h1=["--exclude", "Date,Time"])


def found(*folders):
    for folder in folders:
        for ending in ("", ".gz"):
            file = pathlib.Path(f"{folder}{ending}")
            if file.exists():
                return file
    sys.exit(f"{folders[0]}: there is no such table; `beziergp bench SUITE --methods constant` draws masks and generates tables")


def read_uci(o):
    import numpy

    def rows_of(path):
        file = found(path)
        with (gzip.open if file.suffix == ".gz" else open)(file, "rt") as text:
            return text.readline().strip().split(","), numpy.loadtxt(text, delimiter=",", ndmin=2)

    names, rows = rows_of(f"{o.data}/{o.set}/data.csv")
    columns, masks = rows_of(f"{o.data}/{o.set}/test_mask.csv")
    test, target = masks[:, columns.index(f"split{o.split}")] == 1, names.index("y")
    y, x = rows[:, target], rows[:, [j for j in range(len(names)) if j != target]]
    return x[~test], y[~test], x[test], y[test]


def read_large(o):
    """Text columns become categories; rows without a target are left out, of the test rows too."""
    import numpy
    import pandas
    folder = FOLDERS.get(o.set, o.set)
    table = pandas.read_csv(found(f"{o.data}/{folder}/data.csv"), low_memory=False, keep_default_na=False, na_values=["", "NA"])
    mask = pandas.read_csv(found(f"{o.data}/{folder}/test_mask.csv", f"{o.work}/{o.set}/test_mask.csv"))
    test = mask[f"split{o.split}"].astype(str).str.lower().isin(["1", "true"]).to_numpy()
    if o.set == "sgemm":
        y = numpy.log(table[RUNS].mean(axis=1))
    elif o.set == "blogfeedback":
        y = numpy.log1p(table["y"])
    else:
        y = table[TARGETS[o.set]]
    y = y.to_numpy(dtype=float)
    x = table.drop(columns=[*LEFT_OUT.get(o.set, []), TARGETS.get(o.set, "y")], errors="ignore")
    for name in x.columns:
        if not pandas.api.types.is_numeric_dtype(x[name]):
            x[name] = x[name].fillna("").astype("category")
    train, test = ~test & ~numpy.isnan(y), test & ~numpy.isnan(y)
    return x[train].reset_index(drop=True), y[train], x[test].reset_index(drop=True), y[test]


GENERATED = {"arm": "arm-40000x8", "year-like": "generated-515345x90"}


def read_generated(o):
    import pandas
    folder = f"{o.work}/{GENERATED[o.set]}"
    table, mask = pandas.read_parquet(found(f"{folder}/data.parquet")), pandas.read_csv(found(f"{folder}/test_mask.csv"))
    test = mask[f"split{o.split}"].astype(str).str.lower().isin(["1", "true"]).to_numpy()
    y, x = table["y"].to_numpy(dtype=float), table.drop(columns="y").to_numpy(dtype=float)
    return x[~test], y[~test], x[test], y[test]


def read(o):
    """Returns training rows, their targets, test rows and theirs."""
    if o.set in GENERATED:
        return read_generated(o)
    return (read_large if o.suite == "large" else read_uci)(o)


def same_rows(o, y, truth, records):
    """Ends the program unless the mean of the training targets scores on the test rows as `beziergp bench` has recorded it."""
    for r in records:
        if r["method"] == "Constant" and (r["set"], r["split"]) == (o.set, o.split) and not r.get("error"):
            rmse = float(((truth - y.mean()) ** 2).mean() ** 0.5)
            if (r["rows"], r["test_rows"]) != (len(y), len(truth)) or abs(rmse - r["rmse"]) > 1e-5 * rmse:
                sys.exit(f"these are not the rows of the record of Constant: {len(y)} and {len(truth)} rows, RMSE {rmse}")
            return
    print(f"warning: there is no record of Constant on {o.set}, split {o.split}, to compare the rows with", file=sys.stderr)
