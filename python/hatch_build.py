"""Builds the program into a wheel, for the platform that GOOS and GOARCH name or this one, and its sources into an sdist."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The program links no library of the system, so that any libc is good. The versions of macOS are the oldest that Go 1.26 builds for.
TAGS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
}

# What the program is not made of.
APART = ("python/", "js/", "docs/", "bench/peers/", ".")


class Hook(BuildHookInterface):
    """See https://hatch.pypa.io/latest/plugins/build-hook/custom."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the program to a wheel, or its sources to an sdist."""
        if version == "editable":
            return  # which takes the program that BEZIERGP_PROGRAM names
        if self.target_name == "sdist":
            self._add_sources(build_data)
        else:
            self._add_program(build_data)

    def _module(self) -> Path:
        """Return the folder of the Go module: beside the sources of the package, or in an sdist."""
        for folder in (Path(self.root) / "go", Path(self.root).parent):
            if (folder / "go.mod").is_file():
                return folder
        raise RuntimeError(f"there is no Go module in or above {self.root}: build from the repository, or from an sdist")

    def _add_program(self, build_data: dict[str, Any]) -> None:
        if shutil.which("go") is None:
            raise RuntimeError("building beziergp needs Go (https://go.dev/dl); wheels need nothing")
        module = self._module()
        system, processor = subprocess.check_output(["go", "env", "GOOS", "GOARCH"], text=True, cwd=module).split()
        tag = TAGS.get((system, processor))
        if tag is None:
            raise RuntimeError(f"there are no wheels for {system}/{processor}; there are for {sorted(TAGS)}")
        self._made = Path(tempfile.mkdtemp())
        name = "beziergp.exe" if system == "windows" else "beziergp"
        stamp = f"-s -w -X beziergp/cmd/beziergp/internal/version.release=v{self.metadata.version}"
        subprocess.check_call(
            ["go", "build", "-trimpath", "-buildvcs=false", "-ldflags", stamp, "-o", str(self._made / name), "./cmd/beziergp"],
            cwd=module, env=os.environ | {"CGO_ENABLED": "0"},
        )  # fmt: skip
        build_data["force_include"][str(self._made / name)] = f"beziergp/_bin/{name}"
        for text in ("LICENSE", "NOTICE"):
            build_data["force_include"][str(module / text)] = f"beziergp/_bin/{text}"
        build_data["pure_python"], build_data["tag"] = False, f"py3-none-{tag}"

    def _add_sources(self, build_data: dict[str, Any]) -> None:
        module = self._module()
        if module.name == "go":
            return  # of an sdist, whose files are all its
        tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=module, text=True).split("\0")
        for path in filter(None, tracked):
            if not path.startswith(APART) and not path.endswith("_test.go") and "/testdata/" not in path:
                build_data["force_include"][str(module / path)] = f"go/{path}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made on the way."""
        if hasattr(self, "_made"):
            shutil.rmtree(self._made, ignore_errors=True)
