"""The parts of a model file, for those who compute with its weights."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Basis:
    """The functions of an input: bernstein, spline, steps, indicator or pooled, with their values where it is missing, [nodes]."""

    kind: str
    nodes: int
    average: tuple[float, ...]
    pool: tuple[int, int] = (0, 1)
    """Levels that share a function, from one to below another, of a basis of kind pooled."""


@dataclass(frozen=True)
class Buttress:
    """A chain of layers: of each its input, the input's basis, and weights, [nodes before, nodes]."""

    inputs: tuple[int, ...]
    bases: tuple[Basis, ...]
    weights: tuple[Array, ...]


@dataclass(frozen=True)
class Scaling:
    """A piecewise linear map from a number to [0, 1]; of a category the number of its levels."""

    name: str
    category: bool
    knots: Array
    ranks: Array
    missing_level: bool = False
    """Whether rows without a level have a function of their own, the last."""
    shared: bool = False
    """Whether rare levels share the last number, which levels have, too, that are not known."""


class ModelFile:
    """A model file of format 4, or an error that says why it cannot be computed with."""

    def __init__(self, file: bytes) -> None:
        size = int.from_bytes(file[:8], "little")
        header = json.loads(file[8 : 8 + size])
        metadata = header.pop("__metadata__")
        if "beziergp.outputs" in metadata:
            raise ValueError("the model has several targets, and one is needed: give that of one, outputs_[NAME]")
        self.head: dict[str, Any] = json.loads(metadata["beziergp.model"])
        if self.head["format"] != 4:
            found = self.head["format"]
            raise ValueError(f"a model of format {found}: only models of format 4, without inputs made of neighbouring rows, can be read here")
        kinds = {"F32": "<f4", "F64": "<f8"}
        self._tensors = {
            name: np.frombuffer(file, kinds[t["dtype"]], math.prod(t["shape"]), 8 + size + t["data_offsets"][0]).astype(np.float64)
            for name, t in header.items()
            if t["dtype"] in kinds
        }
        place = self.head["bases"]
        kind, nodes, averages = self._whole(place["kind"]), self._whole(place["nodes"]), self._list(place["averages"])
        ends = np.cumsum(nodes)
        pools = np.reshape(self._whole(place["pools"]), (-1, 2)) if "pools" in place else np.zeros((len(kind), 2), dtype=int)
        self._bases = [
            Basis(place["kinds"][k], m, tuple(averages[end - m : end]), (int(pool[0]), int(pool[1])) if pool[1] else (0, 1))
            for k, m, end, pool in zip(kind, nodes, ends, pools, strict=True)
        ]
        self.scalings = [self.scaling(one) for one in self.head["inputs"]]

    def _list(self, place: list[int]) -> Array:
        return self._tensors["numbers"][place[0] : place[0] + place[1]]

    def _whole(self, place: list[int]) -> list[int]:
        return [int(v) for v in self._list(place)]

    def scaling(self, one: dict[str, Any]) -> Scaling:
        """Return a scaling as the head has it."""
        if one.get("part"):
            raise ValueError(f"input {one['name']!r} is a part of a date: give the number itself to fit")
        if one.get("kind") == "category":
            rare = one.get("rare_levels") or {"apart": True, "fingerprints": [0, 0]}
            shared = not rare.get("apart", False)
            levels = np.arange(len(one.get("levels", ())) + (1 if shared else rare["fingerprints"][1]), dtype=np.float64)
            return Scaling(one["name"], True, levels, levels, one.get("missing_level", False), shared)
        if "by_ranks" in one:
            return Scaling(one["name"], False, self._list(one["by_ranks"]["knots"]), self._list(one["by_ranks"]["ranks"]))
        return Scaling(one["name"], False, np.array([one["lo"], one["hi"]]), np.array([0.0, 1.0]))

    def wider(self) -> list[Scaling]:
        """Return the scalings of the variance's own box, those of the model where it has none."""
        own = (self.head.get("variance_process") or {}).get("inputs")
        if own is None:
            return self.scalings
        return [s if s.category else self.scaling(one) for s, one in zip(self.scalings, own, strict=True)]

    def surface(self, groups: list[dict[str, Any]], part: str, prefix: str = "") -> list[Buttress]:
        """Return the buttresses of the mean, or of log_variance, of groups."""
        found = []
        for g, group in enumerate(groups):
            weights = self._tensors.get(f"{prefix}groups.{g}.{part}")
            if weights is None:
                continue
            bases = [self._bases[k] for k in self._whole(group["basis_of_input"])]
            at = 0
            for order in np.reshape(self._whole(group["order"]), (-1, len(bases))):
                layers, before = [], 1
                for i in order:
                    m = bases[i].nodes
                    layers.append(weights[at : at + before * m].reshape(before, m))
                    at, before = at + before * m, m
                found.append(Buttress(tuple(map(int, order)), tuple(bases[i] for i in order), tuple(layers)))
        return found
