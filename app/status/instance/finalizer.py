"""A finalizer that the Go operator has left on an object. No hook of ours uses it, so nobody would ever take it away."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any, cast

from app.status.instance.reasons import FINALIZER_LEFT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from app.status.reason import Condition

FINALIZER = "litellm.palena.ai/finalizer"
"""The Go operator's. Metacontroller's own begin with ``metacontroller.io/``."""


def finalizer_conditions(parent: Object) -> Iterator[Condition]:
    """The condition that names it, with the command that removes it and nothing else; none where it is not there."""
    metadata: Object = parent["metadata"]
    finalizers: Any = metadata.get("finalizers")
    if not isinstance(finalizers, list) or FINALIZER not in finalizers:
        return
    path = f"/metadata/finalizers/{cast('list[Any]', finalizers).index(FINALIZER)}"
    patch = json.dumps([{"op": "test", "path": path, "value": FINALIZER}, {"op": "remove", "path": path}])
    command = (
        f"kubectl -n {metadata.get('namespace')} patch {str(parent['kind']).lower()} {metadata['name']} "
        f"--type=json -p {shlex.quote(patch)}"
    )
    yield FINALIZER_LEFT.because(f"deleting this object would never end; once the Go operator is gone for good: {command}")
