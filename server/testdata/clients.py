"""Asks a running server by the clients of Triton, and fails where an answer is not what the protocol says.

    python clients.py REST_ADDRESS GRPC_ADDRESS TOKEN MODEL DESCRIPTOR

TOKEN is an administrator's. DESCRIPTOR is a file with the server's FileDescriptorProto. The server takes bodies of a megabyte, and has
one caller wait.
"""
import concurrent.futures
import sys

import numpy as np
import tritonclient.grpc as tg
import tritonclient.http as th
from google.protobuf import descriptor_pb2
from tritonclient.grpc import service_pb2
from tritonclient.utils import InferenceServerException

rest, rpc, token, model, descriptor = sys.argv[1:6]
auth = {"Authorization": "Bearer " + token}
# Clients write into what they are given.
lower = {k.lower(): v for k, v in auth.items()}

COLUMNS = {
    "x": np.array([0.25, 0.5, np.nan]),
    "z": np.array([1, 0, 1], np.float32),
    "c": np.array([b"bee", b"ant", b""], object),
    "when": np.array([b"2024-03-01", b"2024-02-01T12:00:00", b""], object),
}


def inputs(kind, binary=None):
    all = []
    for name, values in COLUMNS.items():
        datatype = {"f": "FP%d" % (8 * values.itemsize), "O": "BYTES"}[values.dtype.kind]
        t = kind.InferInput(name, [3], datatype)
        t.set_data_from_numpy(values, **({} if binary is None else {"binary_data": binary}))
        all.append(t)
    return all


def refused(code, call, *args, **named):
    try:
        call(*args, **named)
    except InferenceServerException as e:
        assert code in str(e.status()) + str(e), (code, e)
    else:
        raise AssertionError("%s is not refused" % call)


h = th.InferenceServerClient(rest)
g = tg.InferenceServerClient(rpc)
parameters = {"out_of_box": "clip", "level": "0.8"}
found = []
for c, more in ((h, auth), (g, lower)):
    assert c.is_server_live(headers=dict(more)) and c.is_server_ready(headers=dict(more)) and c.is_model_ready(model, headers=dict(more))
assert h.get_server_metadata(headers=dict(auth))["name"] == g.get_server_metadata(headers=dict(lower)).name == "beziergp"
assert [i["name"] for i in h.get_model_metadata(model, headers=dict(auth))["inputs"]] == [i.name for i in g.get_model_metadata(model, headers=dict(lower)).inputs]
for binary in (True, False):
    for packed in (None, "gzip", "deflate"):
        outputs = None if binary else [th.InferRequestedOutput(n, binary_data=False) for n in ("mean", "std", "in_box", "q0.9")]
        found.append(h.infer(model, inputs(th, binary), outputs=outputs, headers=dict(auth), parameters=parameters, request_id="7",
                             request_compression_algorithm=packed, response_compression_algorithm=packed))
for packed in (None, "gzip", "deflate"):
    found.append(g.infer(model, inputs(tg), headers=dict(lower), parameters=parameters, compression_algorithm=packed))
for r in found:
    assert np.array_equal(r.as_numpy("mean"), found[0].as_numpy("mean")) and r.as_numpy("mean").dtype == np.float64
    assert r.as_numpy("in_box").dtype == bool and r.as_numpy("std").shape == (3,)
whole = [k.InferInput("rows", [2, 4], d) for k, d in ((th, "BYTES"), (tg, "BYTES"))]
for c, t, more in ((h, whole[0], auth), (g, whole[1], lower)):
    t.set_data_from_numpy(np.array([[b"1", b"0", b"bee", b"2024-03-01"], [b"", b"1", b"ant", b""]], object))
    assert c.infer(model, [t], headers=dict(more), parameters={"out_of_box": "clip"}).as_numpy("upper").shape == (2,)
for datatype, values in (("BOOL", np.array([True, False, True])), ("INT64", np.array([1, 0, 1])), ("INT8", np.array([1, 0, 1], np.int8)), ("UINT16", np.array([1, 0, 1], np.uint16)), ("FP16", np.array([1, 0, 1], np.float16))):
    for c, kind, more in ((h, th, auth), (g, tg, lower)):
        all = inputs(kind)
        all[1] = kind.InferInput("z", [3, 1], datatype)
        all[1].set_data_from_numpy(values.reshape(3, 1))
        assert np.array_equal(c.infer(model, all, headers=dict(more), parameters=parameters).as_numpy("mean"), found[0].as_numpy("mean")), datatype
index = h.get_model_repository_index(headers=dict(auth))
assert [m.name for m in g.get_model_repository_index(headers=dict(lower)).models] == [m["name"] for m in index]
for c, more, missing, bad, denied in ((h, auth, "404", "400", "401"), (g, lower, "NOT_FOUND", "INVALID_ARGUMENT", "UNAUTHENTICATED")):
    kind = th if c is h else tg
    refused(missing, c.infer, "none", inputs(kind), headers=dict(more))
    refused(bad, c.infer, model, inputs(kind)[:2], headers=dict(more))
    refused(denied, c.get_server_metadata)
    c.unload_model(model, headers=dict(more))
    assert not c.is_model_ready(model, headers=dict(more))
    c.load_model(model, headers=dict(more))
    assert c.is_model_ready(model, headers=dict(more))

# Too large a body, and more callers than may wait.
for c, kind, more, code in ((h, th, auth, "413"), (g, tg, lower, "RESOURCE_EXHAUSTED")):
    t = kind.InferInput("rows", [50000, 4], "FP64")
    t.set_data_from_numpy(np.zeros((50000, 4)))
    refused(code, c.infer, model, [t], headers=dict(more))
QUANTILES = ",".join("%g" % q for q in np.linspace(0.01, 0.99, 50))


def busy(kind, address, more):
    c = kind.InferenceServerClient(address)
    t = kind.InferInput("rows", [5000, 4], "FP64")
    t.set_data_from_numpy(np.full((5000, 4), np.nan))
    try:
        c.infer(model, [t], headers=dict(more), parameters={"out_of_box": "clip", "quantiles": QUANTILES})
    except InferenceServerException as e:
        return str(e.status()) + str(e)
    return ""


for kind, address, more, code in ((th, rest, auth, "429"), (tg, rpc, lower, "RESOURCE_EXHAUSTED")):
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        said = list(pool.map(lambda _: busy(kind, address, more), range(24)))
    assert any(code in text and "wait" in text for text in said) and "" in said, said
    assert not [text for text in said if text and code not in text], said


def described(file):
    """Returns the fields of messages, the values of enumerations and the calls of services."""
    found = {}

    def of(prefix, m):
        for f in m.field:
            found[prefix + m.name, f.name] = (f.number, f.type, f.label, f.type_name.rpartition(".")[2])
        for inner in m.nested_type:
            of(prefix + m.name + ".", inner)

    for m in file.message_type:
        of("", m)
    for s in file.service:
        for call in s.method:
            found[s.name, call.name] = (call.input_type, call.output_type, call.client_streaming, call.server_streaming)
    return found


own, theirs = descriptor_pb2.FileDescriptorProto(), descriptor_pb2.FileDescriptorProto()
with open(descriptor, "rb") as f:
    own.ParseFromString(f.read())
service_pb2.DESCRIPTOR.CopyToProto(theirs)
assert own.package == theirs.package
own, theirs = described(own), described(theirs)
assert len(own) > 90, len(own)
for what, how in own.items():
    assert theirs.get(what) == how, (what, how, theirs.get(what))
print("done")
