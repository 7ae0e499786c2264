"""The generated installation, as ``kubectl kustomize`` renders it, with no more changed than a test on one machine needs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import yaml

from app.generate.names import TOKEN

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.e2e.kubectl import Kubectl

METACONTROLLER = Path(__file__).resolve().parents[2] / "metacontroller"
RIGHTS = ("ClusterRole", "ClusterRoleBinding")
GATHERING_SECONDS = 20.0


def rendered(kubectl: Kubectl, shape: str) -> list[Object]:
    """All objects of a shape, ``full`` or ``attach-only``."""
    return list(yaml.safe_load_all(kubectl("kustomize", str(METACONTROLLER / shape))))


def controllers(installation: list[Object], service: str, resync_seconds: int) -> list[Object]:
    """The controllers, calling ``service`` (``http://host:port``) instead of the in-cluster Service, and often."""
    found = [item for item in installation if item["apiVersion"].startswith("metacontroller.k8s.io/")]
    for item in found:
        item["spec"]["resyncPeriodSeconds"] = resync_seconds
        for hook in item["spec"]["hooks"].values():
            path = urlsplit(hook["webhook"]["url"])._replace(scheme="", netloc="").geturl()
            hook["webhook"]["url"] = f"{service}{path}"
    return found


def grant_rights(kubectl: Kubectl, installation: list[Object]) -> None:
    """Install the roles and nothing else; returns when Metacontroller's account has them, and no longer what it had before."""
    roles = [item for item in installation if item["kind"] in RIGHTS]
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(roles))
    (gathering,) = (item for item in roles if "aggregationRule" in item)
    labels = gathering["aggregationRule"]["clusterRoleSelectors"][0]["matchLabels"].items()
    wanted = [rule for item in roles if labels <= item["metadata"]["labels"].items() for rule in item["rules"]]
    deadline = time.monotonic() + GATHERING_SECONDS
    while not _same(wanted, json.loads(kubectl("get", "clusterrole", gathering["metadata"]["name"], "-o", "json")).get("rules")):
        assert time.monotonic() < deadline, "the roles were not gathered into one"
        time.sleep(0.1)


def install_token(kubectl: Kubectl, token: str) -> None:
    """The Secret with the hook token, where the controllers look for it."""
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": TOKEN.namespace}}
    metadata = {"name": TOKEN.name, "namespace": TOKEN.namespace}
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {TOKEN.key: token}}
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all([namespace, secret]))


def _same(wanted: list[Object], gathered: list[Object] | None) -> bool:
    """Whether both have the same rules; one that several roles have is gathered once."""
    return set(map(json.dumps, map(_sorted, wanted))) == set(map(json.dumps, map(_sorted, gathered or [])))


def _sorted(rule: Object) -> Object:
    return {key: sorted(values) for key, values in sorted(rule.items())}
