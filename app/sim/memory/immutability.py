"""Fields of built-in kinds that no update may change: those that a controller is likely to try.

A table, since the schemas of built-in kinds are not known here. The texts are the API server's, but for the value it prints:
that is the client's, not its own internal form with every default spelled out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sim.json_values import is_object
from app.sim.validation.field_error import FieldError, forbidden, invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from app.sim.memory.store import Collection

_IMMUTABLE = "field is immutable"

# Collection, path, text: the whole value must stay. An absent new value counts as unchanged where the API server fills it in.
_FIXED: dict[Collection, tuple[tuple[tuple[str, ...], str], ...]] = {
    ("apps", "deployments"): ((("spec", "selector"), _IMMUTABLE),),
    ("apps", "replicasets"): ((("spec", "selector"), _IMMUTABLE),),
    ("apps", "daemonsets"): ((("spec", "selector"), _IMMUTABLE),),
    ("apps", "controllerrevisions"): ((("data",), _IMMUTABLE),),
    ("batch", "jobs"): (
        (("spec", "completions"), _IMMUTABLE),
        (("spec", "selector"), _IMMUTABLE),
        (("spec", "template"), _IMMUTABLE),
        (("spec", "completionMode"), _IMMUTABLE),
    ),
    ("", "secrets"): ((("type",), _IMMUTABLE),),
    ("rbac.authorization.k8s.io", "rolebindings"): ((("roleRef",), "cannot change roleRef"),),
    ("rbac.authorization.k8s.io", "clusterrolebindings"): ((("roleRef",), "cannot change roleRef"),),
}
_FILLED_IN = {("spec", "selector"), ("spec", "completions"), ("spec", "completionMode"), ("type",)}

# Kinds of which only some fields of the spec may change.
_STATEFUL_SET = (
    "replicas",
    "ordinals",
    "template",
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds",
)
_STATEFUL_SET_TEXT = (
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', "
    "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
)
_CLAIM = ("resources", "volumeAttributesClassName", "volumeName")
_CLAIM_TEXT = "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims"
_ONLY: dict[Collection, tuple[tuple[str, ...], str]] = {
    ("apps", "statefulsets"): (_STATEFUL_SET, _STATEFUL_SET_TEXT),
    ("", "persistentvolumeclaims"): (_CLAIM, _CLAIM_TEXT),
}


def immutable_errors(item: Object, live: Object, collection: Collection) -> Iterator[FieldError]:
    """What an update of a built-in kind changes though it may not."""
    for path, text in _FIXED.get(collection, ()):
        new, old = _at(item, path), _at(live, path)
        if new != old and not (new is None and path in _FILLED_IN):
            yield invalid(path, new, text)
    if collection in _ONLY:
        free, text = _ONLY[collection]
        new, old = item.get("spec", {}), live.get("spec", {})
        if any(new.get(name) != old.get(name) for name in (new.keys() | old.keys()) - set(free)):
            yield forbidden(("spec",), text)
    if collection == ("", "services"):
        yield from _service_errors(item, live)
    if collection in (("", "configmaps"), ("", "secrets")) and live.get("immutable"):
        for name in ("immutable", "data", "binaryData"):
            if item.get(name) != live.get(name):
                yield forbidden((name,), "field is immutable when `immutable` is set")


def _service_errors(item: Object, live: Object) -> Iterator[FieldError]:
    """A service keeps its address unless it turns into an ExternalName."""
    new, old = _at(item, ("spec", "clusterIP")), _at(live, ("spec", "clusterIP"))
    if old and new != old and new is not None and _at(item, ("spec", "type")) != "ExternalName":
        yield invalid(("spec", "clusterIPs[0]"), [new], "may not change once set")


def _at(item: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        item = item.get(name) if is_object(item) else None
    return item
