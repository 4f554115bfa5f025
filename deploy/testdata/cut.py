#!/usr/bin/env python3
"""Cuts testdata/schema.json out of the schemas of Kubernetes and KServe.

    python3 deploy/testdata/cut.py KUBERNETES KSERVE deploy/*.yaml > deploy/testdata/schema.json

KUBERNETES and KSERVE are checkouts: k8s.io/kubernetes v1.33.1 and github.com/kserve/kserve
v0.15.2 made the file that is here. Of every object that a manifest has the names of all fields
are kept, so that a wrong one is found, and of those fields that no manifest uses nothing more.
"""
import json
import pathlib
import sys

import yaml


def main():
    kubernetes, kserve, *manifests = map(pathlib.Path, sys.argv[1:])
    definitions = json.loads((kubernetes / "api/openapi-spec/swagger.json").read_text())["definitions"]
    known = {}
    for definition in definitions.values():
        for kind in definition.get("x-kubernetes-group-version-kind", ()):
            known[(kind["group"] + "/" + kind["version"]).lstrip("/"), kind["kind"]] = definition
    for name in ("inferenceservices", "clusterservingruntimes"):
        crd = yaml.safe_load((kserve / f"config/crd/full/serving.kserve.io_{name}.yaml").read_text())["spec"]
        for version in crd["versions"]:
            schema = version["schema"]["openAPIV3Schema"]
            schema["properties"]["metadata"] = {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}
            known[crd["group"] + "/" + version["name"], crd["names"]["kind"]] = schema

    def cut(schema, values):
        while "$ref" in schema:
            schema = definitions[schema["$ref"].rsplit("/", 1)[1]]
        out = {key: schema[key] for key in ("type", "enum", "pattern", "required") if key in schema}
        if schema.get("x-kubernetes-int-or-string") or schema.get("format") == "int-or-string":
            out["type"] = ["integer", "string"]
        if "properties" in schema:
            out["properties"] = {}
            for name, field in sorted(schema["properties"].items()):
                inside = [v[name] for v in values if isinstance(v, dict) and name in v]
                out["properties"][name] = cut(field, inside) if inside else {}
        if isinstance(schema.get("additionalProperties"), dict):
            out["values"] = cut(schema["additionalProperties"], [x for v in values if isinstance(v, dict) for x in v.values()])
        if "items" in schema:
            out["items"] = cut(schema["items"], [x for v in values if isinstance(v, list) for x in v])
        return out

    found = {}
    for file in manifests:
        for document in yaml.safe_load_all(file.read_text()):
            found.setdefault((document["apiVersion"], document["kind"]), []).append(document)
    print(json.dumps({" ".join(kind): cut(known[kind], documents) for kind, documents in sorted(found.items())}, indent=1))


if __name__ == "__main__":
    main()
