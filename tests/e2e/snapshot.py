"""The objects of a namespace in one spelling, so that what three different drivers left behind can be compared as a whole.

Rewritten: uids (wherever they occur, ``controller-uid`` labels and owner references too), names made up for the run, times, and
a ``resourceVersion`` that a status quotes. Removed: an object's own ``resourceVersion``, ``managedFields``,
``creationTimestamp``, and what controllers of Kubernetes itself write (the status of built-in kinds, a Deployment's revision).
All else is compared, labels, owner references and last-applied included.
"""

from __future__ import annotations

import difflib
import json
import re
from typing import TYPE_CHECKING, Any

import yaml

from app.hooks.objects import LAST_APPLIED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.hooks.objects import Object

DROPPED = ("resourceVersion", "managedFields", "creationTimestamp")
REVISION = "deployment.kubernetes.io/revision"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def snapshot(items: Iterable[Object], words: Mapping[str, str]) -> list[Object]:
    """The objects, sorted by kind and name; ``words`` says what else to rewrite, and into what."""
    items = sorted(items, key=reference)
    words = {item["metadata"]["uid"]: f"uid of {reference(item)}" for item in items} | {**words}
    versions = {item["metadata"]["resourceVersion"]: f"version of {reference(item)}" for item in items}
    pattern = re.compile("|".join(map(re.escape, words)))

    def rewritten(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: versions.get(one, one) if key == "resourceVersion" else rewritten(one) for key, one in sorted(value.items())
            }
        if isinstance(value, list):
            return [rewritten(one) for one in value]
        return TIME.sub("<time>", pattern.sub(lambda found: words[found[0]], value)) if isinstance(value, str) else value

    return [rewritten(_comparable(item)) for item in items]


def difference(expected: list[list[Object]], observed: list[list[Object]]) -> str:
    """Where two runs differ, rest by rest, as a diff of YAML: ``-`` is what the run in memory had."""
    texts = [
        yaml.safe_dump([{"rest": number, "objects": one} for number, one in enumerate(run, 1)]) for run in (expected, observed)
    ]
    return "\n" + "\n".join(difflib.unified_diff(*(text.splitlines() for text in texts), "in memory", "for real", lineterm=""))


def reference(item: Object) -> str:
    """``<Kind>/<name>``."""
    return f"{item['kind']}/{item['metadata']['name']}"


def _comparable(item: Object) -> Object:
    metadata = {key: value for key, value in item["metadata"].items() if key not in DROPPED}
    annotations = {key: value for key, value in metadata.pop("annotations", {}).items() if key != REVISION}
    if LAST_APPLIED in annotations:
        annotations[LAST_APPLIED] = json.loads(annotations[LAST_APPLIED])
    if annotations:
        metadata["annotations"] = annotations
    ours = ".palena.ai/" in item["apiVersion"]
    return {**{key: value for key, value in item.items() if ours or key != "status"}, "metadata": metadata}
