#!/usr/bin/env python3
"""A Gaussian process of scikit-learn, made ready for MLServer: bench/cmd/serving calls this.

    python3 bench/peers/serving.py TABLE FOLDER HTTP_PORT GRPC_PORT METRICS_PORT WORKERS

TABLE is a CSV file whose last column is the target (pip install mlserver==1.7.1
mlserver-sklearn==1.7.1 'uvloop<0.22'). FOLDER gets the model and the settings. The kernel is a squared
exponential with a length scale a column, and noise; its parameters are learned. WORKERS is
how many processes of MLServer predict; 0 has its main process do it.
"""
import json
import pathlib
import sys

import joblib
import numpy
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel


def main():
    table, folder, *ports, workers = sys.argv[1:]
    values = numpy.loadtxt(table, delimiter=",", skiprows=1)
    x, y = values[:, :-1], values[:, -1]
    kernel = ConstantKernel() * RBF(numpy.ones(x.shape[1])) + WhiteKernel()
    process = GaussianProcessRegressor(kernel, normalize_y=True, random_state=0).fit(x, y)
    folder = pathlib.Path(folder)
    joblib.dump(process, folder / "model.joblib")
    (folder / "settings.json").write_text(json.dumps({
        "host": "127.0.0.1", "http_port": int(ports[0]), "grpc_port": int(ports[1]), "metrics_port": int(ports[2]),
        "parallel_workers": int(workers), "debug": False}))
    (folder / "model-settings.json").write_text(json.dumps({
        "name": "friedman", "implementation": "mlserver_sklearn.SKLearnModel", "parameters": {"uri": "./model.joblib"}}))


if __name__ == "__main__":
    main()
