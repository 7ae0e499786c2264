"""A hook whose answers are written in the parent: ``spec.script`` of a Widget says what to return.

Pure functions (:func:`sync`, :func:`finalize`, :func:`customize`, joined by :func:`answer`): same request, same answer, no
state, no clock.

Keys of ``spec.script``, all optional:

children            list of ``{mode, body}``, or bare bodies, which means mode ``short``. Modes:
                    short     the body as written
                    replay    the observed child's last-applied annotation, parsed; without one: identity
                    identity  apiVersion, kind, metadata.name and metadata.namespace only
                    stripped  the observed child without status and what the API server sets in metadata
                    mirror    the body, with each related Secret's data added to its ``data`` as ``<name>.<key>``
                    drop      not returned
                    Replay and stripped return nothing for a child that isn't observed or is terminating.
status              the answer's status (default ``{phase: Scripted}``)
omit                top-level keys left out of the answer
extra               top-level keys added to the answer
resyncAfterSeconds  as in the protocol
fail                ``{code, headers, body}``: sync and finalize answer this instead
related             the relatedResources that customize answers
finalize            ``{order: [[name, …], …], at_once: bool}``: children are torn down group by group; a group is no longer
                    returned once its turn has come, the next one's turn comes when none of it is observed any more.
                    Default: everything at once. ``at_once``: finalized though children are left.
decorate            for a decorator: ``{labels, annotations, remove_labels, remove_annotations, attachments}``
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Object = dict[str, Any]

LAST_APPLIED = "metacontroller.k8s.io/last-applied-configuration"
SYSTEM_METADATA = (
    "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
    "managedFields", "ownerReferences", "selfLink",
)


@dataclass(frozen=True)
class Answer:
    """What goes back over HTTP."""

    body: Any
    code: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def answer(hook: str, request: Object) -> Answer:
    """The answer of one hook (``sync``, ``finalize`` or ``customize``), scripted failures included."""
    if hook == "customize":
        return Answer(customize(request))
    failure = script_of(request).get("fail")
    if failure:
        return Answer(failure.get("body", "scripted failure"), failure["code"], failure.get("headers", {}))
    return Answer(finalize(request) if hook == "finalize" else sync(request))


def sync(request: Object) -> Object:
    """The desired state as scripted."""
    if "object" in request:
        return _decorated(request)
    script = script_of(request)
    response: Object = {
        "status": script.get("status", {"phase": "Scripted"}),
        "children": [child for entry in script.get("children", []) for child in _child(entry, request)],
    }
    return _with_script_keys(response, script)


def finalize(request: Object) -> Object:
    """What still has to exist while the parent goes; ``finalized`` once no child is observed."""
    plan = script_of(request).get("finalize", {})
    if "object" in request:
        gone = not list(_observed(request["attachments"]))
        return {"labels": {}, "annotations": {}, "attachments": [], "finalized": gone}
    desired = sync(request)
    present = {child["metadata"]["name"] for child in _observed(request["children"])}
    torn_down: set[str] = set()
    returned = desired.get("children", [])
    for group in plan.get("order", [[child["metadata"]["name"] for child in returned]]):
        torn_down |= set(group)
        if present & torn_down:
            break
    desired["children"] = [child for child in returned if child["metadata"]["name"] not in torn_down]
    desired["finalized"] = bool(plan.get("at_once")) or not present
    return desired


def customize(request: Object) -> Object:
    """The related objects to watch, as scripted."""
    return {"relatedResources": script_of(request).get("related", [])}


def script_of(request: Object) -> Object:
    """``spec.script`` of the parent (composite, customize) or of the decorated object."""
    parent = request.get("parent") or request["object"]
    return parent.get("spec", {}).get("script", {})


def _decorated(request: Object) -> Object:
    plan = script_of(request).get("decorate", {})
    response: Object = {
        "labels": {**plan.get("labels", {}), **dict.fromkeys(plan.get("remove_labels", []))},
        "annotations": {**plan.get("annotations", {}), **dict.fromkeys(plan.get("remove_annotations", []))},
        "attachments": copy.deepcopy(plan.get("attachments", [])),
    }
    return _with_script_keys(response, script_of(request))


def _with_script_keys(response: Object, script: Object) -> Object:
    if "resyncAfterSeconds" in script:
        response["resyncAfterSeconds"] = script["resyncAfterSeconds"]
    kept = {key: value for key, value in response.items() if key not in script.get("omit", [])}
    return copy.deepcopy({**kept, **script.get("extra", {})})


def _child(entry: Object, request: Object) -> Iterator[Object]:
    """The child of one script entry: none or one."""
    mode, body = (entry.get("mode", "short"), entry["body"]) if "body" in entry else ("short", entry)
    if mode == "short":
        yield body
    elif mode == "mirror":
        yield {**body, "data": {**body["data"], **_related_data(request)}}
    elif mode == "identity":
        yield _identity(body)
    elif mode in ("replay", "stripped"):
        observed = _find(body, request)
        if observed is not None and "deletionTimestamp" not in observed["metadata"]:
            yield _replayed(observed) if mode == "replay" else _stripped(observed)


def _replayed(observed: Object) -> Object:
    record = observed["metadata"].get("annotations", {}).get(LAST_APPLIED)
    return json.loads(record) if record else _identity(observed)


def _stripped(observed: Object) -> Object:
    child = {key: value for key, value in observed.items() if key != "status"}
    child["metadata"] = {key: value for key, value in observed["metadata"].items() if key not in SYSTEM_METADATA}
    return child


def _identity(body: Object) -> Object:
    metadata = {key: body["metadata"][key] for key in ("name", "namespace") if key in body["metadata"]}
    return {"apiVersion": body["apiVersion"], "kind": body["kind"], "metadata": metadata}


def _find(body: Object, request: Object) -> Object | None:
    group = request["children"].get(f"{body['kind']}.{body['apiVersion']}", {})
    return next((child for child in group.values() if child["metadata"]["name"] == body["metadata"]["name"]), None)


def _observed(groups: dict[str, dict[str, Object]]) -> Iterator[Object]:
    for group in groups.values():
        yield from group.values()


def _related_data(request: Object) -> dict[str, str]:
    secrets = _observed({key: group for key, group in request["related"].items() if key == "Secret.v1"})
    return {f"{secret['metadata']['name']}.{key}": value for secret in secrets for key, value in secret.get("data", {}).items()}
