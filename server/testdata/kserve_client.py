"""Asks a running server by KServe's client over REST, apart from Triton's, whose messages have the same names.

    python kserve_client.py REST_ADDRESS TOKEN MODEL
"""
import asyncio
import sys

import numpy as np
from kserve import InferenceRESTClient, InferInput, InferRequest, RESTConfig

rest, token, model = sys.argv[1:4]
auth = {"Authorization": "Bearer " + token}
COLUMNS = {"x": np.array([0.25, 0.5]), "z": np.array([1.0, 0.0]), "c": np.array([b"bee", b"ant"], object), "when": np.array([b"2024-03-01", b"2024-02-01"], object)}


async def main():
    client, base = InferenceRESTClient(RESTConfig(protocol="v2")), "http://" + rest
    assert await client.is_server_live(base) and await client.is_server_ready(base)
    assert await client.is_model_ready(base, model, headers=dict(auth))
    inputs = []
    for binary in (False, True):
        inputs = []
        for name, values in COLUMNS.items():
            inputs.append(InferInput(name, [2], "BYTES" if values.dtype == object else "FP64"))
            inputs[-1].set_data_from_numpy(values, binary_data=binary)
        answer = await client.infer(base, model_name=model, data=InferRequest(model, inputs, parameters={"out_of_box": "clip"}), headers=dict(auth))
        assert [o.name for o in answer.outputs][:2] == ["mean", "std"], answer.outputs


asyncio.run(main())
print("done")
