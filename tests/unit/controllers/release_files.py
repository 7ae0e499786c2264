"""Gateways as the last release left them at rest, so that a test can ask what this one does to them.

``make baseline`` writes them anew, at a release and never between: what it writes is what every later change is held
against. A file has the parent with its status, what was applied of each child with what was observed of it, and all else that the
hook was shown. ``rollouts.yaml`` names the release, and the pods that an upgrade from it replaces on purpose.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import yaml

from app import __version__
from app.controllers.litellm_instance import CHILDREN
from app.hooks.objects import CONTROLLER_UID, LAST_APPLIED, object_key, resource_key
from tests.cases.settled_gateways import life_of
from tests.unit.controllers.exchange import FULL, grouped
from tests.unit.resources.fullest import ANOTHER, FULLEST
from tests.unit.resources.gateways import MINIMAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "tests" / "golden" / "release"
ROLLOUTS = FOLDER / "rollouts.yaml"
NAMES = ("managed", "managed-production", "fullest", "another")
_OBSERVED = ("uid", "generation", "resourceVersion", "creationTimestamp")
_HEADER = """# Pods that an upgrade from this release replaces on purpose, each with the reason that CHANGELOG.md gives as well:
# - gateway: managed
#   child: StatefulSet team-gateway-db
#   why: what users gain by it
"""


def load(name: str) -> Object:
    """``parent``, ``children`` (each with ``applied`` and ``observed``) and ``related``."""
    return yaml.load((FOLDER / f"{name}.yaml").read_text("utf-8"), yaml.CSafeLoader)


def request(kept: Object) -> Object:
    """The body of sync with which a new release meets the gateway."""
    children = [_observed(child, kept["parent"]) for child in kept["children"]]
    groups = grouped(children, [rule.resource.key for rule in CHILDREN])
    return {
        "controller": FULL,
        "parent": kept["parent"],
        "children": groups,
        "related": grouped(kept["related"]),
        "finalizing": False,
    }


def _observed(child: Object, parent: Object) -> Object:
    applied, seen = child["applied"], child["observed"]
    uid, metadata = parent["metadata"]["uid"], applied["metadata"]
    owner = {"apiVersion": parent["apiVersion"], "kind": parent["kind"], "name": parent["metadata"]["name"], "uid": uid}
    identity = {
        **metadata,
        **{field: seen[field] for field in _OBSERVED if field in seen},
        "labels": {**metadata.get("labels", {}), CONTROLLER_UID: uid},
        "annotations": {**metadata.get("annotations", {}), LAST_APPLIED: orjson.dumps(applied).decode()},
        "ownerReferences": [{**owner, "controller": True, "blockOwnerDeletion": True}],
    }
    return {**applied, "metadata": identity, **({"status": seen["status"]} if "status" in seen else {})}


def _gateways() -> Iterator[tuple[str, Object]]:
    for name in NAMES[:2]:
        example = yaml.safe_load((ROOT / "examples" / "litellm-instance" / f"{name}.yaml").read_text("utf-8"))
        yield name, {**example, "metadata": {"namespace": "default", **example["metadata"]}}
    # No authority that could be read: there is nobody who would sign for these.
    tls = {field: value for field, value in FULLEST["tls"].items() if field != "trustedCASecretRef"}
    for name, spec in (("fullest", {**FULLEST, "tls": tls}), ("another", {**MINIMAL, **ANOTHER})):
        identity: Object = {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMInstance"}
        yield name, {**identity, "metadata": {"name": "gw", "namespace": "team"}, "spec": spec}


async def _kept(gateway: Object) -> Object:
    asked, answer = (await life_of(gateway))[-1]
    observed = {f"{group} {key}": item for group, items in asked["children"].items() for key, item in items.items()}
    related = [item for items in asked["related"].values() for item in items.values()]
    return {
        "parent": _without_managed_fields(asked["parent"]),
        "children": [_child(item, observed[f"{resource_key(item)} {object_key(item)}"]) for item in answer["children"]],
        # Our own children are shown a second time there, for their names.
        "related": [_without_managed_fields(one) for one in related if f"{resource_key(one)} {object_key(one)}" not in observed],
    }


def _child(applied: Object, observed: Object) -> Object:
    seen = {field: observed["metadata"][field] for field in _OBSERVED if field in observed["metadata"]}
    return {"applied": applied, "observed": {**seen, **({"status": observed["status"]} if "status" in observed else {})}}


def _without_managed_fields(item: Object) -> Object:
    return {**item, "metadata": {key: value for key, value in item["metadata"].items() if key != "managedFields"}}


def main() -> int:
    """Writes what this release leaves; the list of rollouts begins anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, gateway in _gateways():
        _write(FOLDER / f"{name}.yaml", asyncio.run(_kept(gateway)))
    _write(ROLLOUTS, {"release": __version__, "rollouts": []}, _HEADER)
    return 0


def _write(path: Path, content: Any, header: str = "") -> None:
    path.write_text(header + yaml.safe_dump(content, sort_keys=False, width=120, allow_unicode=True), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
