"""One spelling for what differs from run to run, so that two recordings of one behaviour are equal as text.

Used when the real thing was recorded, and by the tests on what our loop does. A :class:`Normaliser`
is told of every object in the order of creation (:meth:`Normaliser.learn`) and then rewrites objects and hook requests:

- a uid, wherever it occurs in a string or key (``controller-uid`` labels too), becomes ``uid:<Kind>/<namespace>/<name>``;
  the second object of that name is ``…#2``; a uid of nothing known stays as it is;
- a namespace made up for the run becomes the scenario's word for it;
- ``metadata.resourceVersion``, ``managedFields`` and ``creationTimestamp`` are removed;
- every other RFC 3339 time becomes ``<time>``;
- the last-applied annotation becomes its parsed content (a mapping instead of a string), rewritten likewise;
- what other controllers write is removed: ``status`` of built-in kinds and ``deployment.kubernetes.io/revision``;
- a request's ``controller`` becomes ``<Kind>/<name>``.
"""

from __future__ import annotations

import json
import re
from typing import Any

Object = dict[str, Any]

LAST_APPLIED = "metacontroller.k8s.io/last-applied-configuration"
TOY_GROUP = "toy.example.com/"
DROPPED_METADATA = ("resourceVersion", "managedFields", "creationTimestamp")
OTHERS_ANNOTATIONS = ("deployment.kubernetes.io/revision",)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def reference(item: Object) -> str:
    """``<Kind>/<namespace>/<name>``."""
    metadata = item["metadata"]
    return f"{item['kind']}/{metadata.get('namespace', '')}/{metadata['name']}"


def comparable(item: Object) -> Object:
    """A copy without what changes on its own: versions, managed fields, and what other controllers write."""
    metadata = {key: value for key, value in item["metadata"].items() if key not in DROPPED_METADATA}
    if "annotations" in metadata:
        metadata["annotations"] = {key: value for key, value in metadata["annotations"].items() if key not in OTHERS_ANNOTATIONS}
        if not metadata["annotations"]:
            del metadata["annotations"]
    others_status = not item["apiVersion"].startswith(TOY_GROUP)
    kept = {key: value for key, value in item.items() if not (key == "status" and others_status)}
    return {**kept, "metadata": metadata}


class Normaliser:
    """Rewrites objects of one run; ``namespaces`` maps names made up for the run to the scenario's words."""

    def __init__(self, namespaces: dict[str, str] | None = None) -> None:
        self._words: dict[str, str] = dict(namespaces or {})
        self._incarnations: dict[str, int] = {}
        self._pattern: re.Pattern[str] | None = None

    def learn(self, item: Object) -> None:
        """Take note of an object's uid. Objects of one name must come in the order of their creation."""
        uid = item["metadata"].get("uid")
        if not uid or uid in self._words:
            return
        name = self._rewritten(reference(item))
        count = self._incarnations[name] = self._incarnations.get(name, 0) + 1
        self._words[uid] = f"uid:{name}" if count == 1 else f"uid:{name}#{count}"
        self._pattern = None

    def uid_of(self, word: str) -> str:
        """The uid behind ``uid:<Kind>/<namespace>/<name>[#n]``, in the scenario's words."""
        return next(uid for uid, known in self._words.items() if known == word)

    def object(self, item: Object) -> Object:
        """An object in the one spelling."""
        kept = comparable(item)
        annotations = kept["metadata"].get("annotations", {})
        if LAST_APPLIED in annotations:
            record = json.loads(annotations[LAST_APPLIED])
            kept["metadata"] = {**kept["metadata"], "annotations": {**annotations, LAST_APPLIED: record}}
        return self.value(kept)

    def request(self, request: Object) -> Object:
        """A hook request in the one spelling."""
        groups = ("children", "attachments", "related")
        rewritten = {key: self.value(value) for key, value in request.items() if key not in (*groups, "controller", "parent", "object")}
        controller = request["controller"]
        rewritten["controller"] = f"{controller['kind']}/{controller['metadata']['name']}"
        for key in ("parent", "object"):
            if key in request:
                rewritten[key] = self.object(request[key])
        for key in groups:
            if key in request:
                rewritten[key] = {kind: self._group(group) for kind, group in sorted(request[key].items())}
        return dict(sorted(rewritten.items()))

    def value(self, value: Any) -> Any:
        """Any JSON value with uids, namespaces and times rewritten, and keys sorted."""
        if isinstance(value, dict):
            return {self._rewritten(key): self.value(one) for key, one in sorted(value.items())}
        if isinstance(value, list):
            return [self.value(one) for one in value]
        return self._rewritten(value) if isinstance(value, str) else value

    def _group(self, group: dict[str, Object]) -> dict[str, Object]:
        return {self._rewritten(key): self.object(item) for key, item in sorted(group.items())}

    def _rewritten(self, text: str) -> str:
        if self._words:
            if self._pattern is None:
                self._pattern = re.compile("|".join(re.escape(word) for word in sorted(self._words, key=len, reverse=True)))
            text = self._pattern.sub(lambda match: self._words[match.group()], text)
        return TIME.sub("<time>", text)
