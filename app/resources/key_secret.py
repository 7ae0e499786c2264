"""The Secret that hands a virtual key to its clients.

The value is injected: made once, and from then on the observed one is passed. It is there under two keys, since clients of
LiteLLM's operators expect either: ``api_key`` (the Go operator's) and ``api-key`` (everybody else's).
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from app.hooks.canonical.form import canonicalise
from app.hooks.names import fitted
from app.resources.checks import object_name
from app.resources.child import user_annotations, user_labels
from app.resources.gateway import selector_labels
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from app.apis.litellm.virtual_key import LiteLLMVirtualKeySpec
    from app.hooks.objects import Object

API_KEY = "api_key"
KEYS = (API_KEY, "api-key")
"""Keys of the Secret; all hold the value."""

_LONGEST = 253


def key_secret_name(spec: LiteLLMVirtualKeySpec, owner: str) -> str:
    """The name that the spec chooses, or one after the object. Raises :class:`~app.resources.errors.Unbuildable`."""
    if spec.key_secret_name:
        return object_name(spec.key_secret_name, "spec.keySecretName")
    return default_name(owner)


def default_name(owner: str) -> str:
    """The name of the Secret of an object of that name, unless its spec says another."""
    return fitted(f"{owner}-key", _LONGEST)


def key_secret(spec: LiteLLMVirtualKeySpec, namespace: str, name: str, value: str) -> Object:
    """The Secret in its stored form. Raises :class:`~app.resources.errors.Unbuildable` for metadata that cannot be stored."""
    template = spec.key_secret_template
    field = "spec.keySecretTemplate"
    labels = user_labels(template.labels if template else None, f"{field}.labels")
    annotations = user_annotations(template.annotations if template else None, f"{field}.annotations")
    instance = object_name(spec.instance_ref.name, "spec.instanceRef.name")
    own = {**selector_labels(instance), "litellm.palena.ai/resource-type": "virtual-key"}
    metadata: Object = {"name": name, "namespace": namespace, "labels": {**labels, **own}}
    if annotations:
        metadata["annotations"] = dict(annotations)
    data = dict.fromkeys(KEYS, b64encode(value.encode()).decode())
    return canonicalise(
        {"apiVersion": SECRET.api_version, "kind": SECRET.kind, "metadata": metadata, "type": "Opaque", "data": data}
    ).form
