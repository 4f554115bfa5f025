"""What pyarrow, pandas and Python's json read from files, as one line of JSON: for every file and column
the type, and of every cell its text."""
import json
import sys

import pandas
import pyarrow
import pyarrow.feather
import pyarrow.parquet


def text(v):
    if v is None:
        return None
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, float):
        return v.hex()
    return str(v)


def cells(column):
    t = column.type
    if pyarrow.types.is_timestamp(t):  # ticks, for nanoseconds are no datetime
        column = column.cast(pyarrow.int64())
    return [text(v) for v in column.to_pylist()]


out = {}
for path in sys.argv[1:]:
    if path.endswith(".parquet"):
        table = pyarrow.parquet.read_table(path)
    elif path.endswith(".arrow"):
        table = pyarrow.feather.read_table(path)
    elif path.endswith(".jsonl"):
        with open(path) as file:
            rows = [json.loads(line) for line in file]
        out[path] = {name: dict(type="", cells=[text(row[name]) for row in rows]) for name in rows[0]}
        continue
    else:
        frame = pandas.read_csv(path, sep="," if path.endswith(".csv") else "\t", dtype=str, keep_default_na=False)
        out[path] = {name: dict(type="", cells=frame[name].tolist()) for name in frame}
        continue
    out[path] = {name: dict(type=str(table.schema.field(name).type), cells=cells(table[name])) for name in table.column_names}
json.dump(out, sys.stdout)
