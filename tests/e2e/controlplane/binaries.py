"""Where the three servers come from: ``KUBEBUILDER_ASSETS``, or compiled from the Go modules pinned beside this file.

Compiling takes minutes the first time, so the result is kept outside the checkout, by the digest of the pins.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

MODULE = Path(__file__).resolve().parent
PACKAGES = {
    "etcd": "go.etcd.io/etcd/server/v3",
    "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
    "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
}


class ServersMissingError(Exception):
    """The servers can't be had here; the message says why and what to do about it."""


def kubernetes_version() -> str:
    """The pinned Kubernetes release, e.g. ``v1.36.3``."""
    found = re.search(r"^\s*k8s\.io/kubernetes (v\S+)", (MODULE / "go.mod").read_text(), re.MULTILINE)
    assert found, "go.mod pins no k8s.io/kubernetes"
    return found[1]


def servers() -> Path:
    """The folder that holds the three servers, compiling what is missing. :class:`ServersMissingError` if that can't be done."""
    if given := os.environ.get("KUBEBUILDER_ASSETS"):
        if missing := [name for name in PACKAGES if not (Path(given) / name).exists()]:
            raise ServersMissingError(
                f"KUBEBUILDER_ASSETS={given} has no {', '.join(missing)}: "
                f"point it to a folder that has all of {', '.join(PACKAGES)}, or unset it and they are compiled"
            )
        return Path(given)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = cache / "palena" / "controlplane" / hashlib.sha256((MODULE / "go.sum").read_bytes()).hexdigest()[:12]
    missing = [name for name in PACKAGES if not (target / name).exists()]
    if missing and not shutil.which("go"):
        raise ServersMissingError(
            f"{', '.join(missing)} must be compiled and there is no Go: install Go 1.26 or later, or set KUBEBUILDER_ASSETS"
        )
    for name in missing:
        _compile(name, target)
    return target


def _compile(name: str, target: Path) -> None:
    """Compile one server. It appears under its name only once it is whole."""
    target.mkdir(parents=True, exist_ok=True)
    sys.stderr.write(f"compiling {name} {kubernetes_version()}, once\n")
    begun = time.monotonic()
    partial = target / f".{name}.{os.getpid()}"
    flags = f"-s -w -X k8s.io/component-base/version.gitVersion={kubernetes_version()}"
    built = subprocess.run(
        ["go", "build", "-trimpath", "-mod=readonly", "-ldflags", flags, "-o", str(partial), PACKAGES[name]],
        cwd=MODULE,
        env={**os.environ, "CGO_ENABLED": "0"},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    if built.returncode:
        raise ServersMissingError(
            f"go build of {name} failed; it needs Go 1.26 or later and the Go module proxy:\n{built.stderr[-2000:]}"
        )
    partial.rename(target / name)
    sys.stderr.write(f"compiled {name} in {time.monotonic() - begun:.0f} s\n")
