"""What will be otherwise once our controllers read the specs that the Go operator has left. Pure: objects in, words out.

Its version 0.6.0 made nothing of much that a spec may ask for. Where that is done now, a key may stop to work or an object of
LiteLLM may go, so it is said while there is time to change the spec.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.apis.checking import InvalidSpec, check_spec
from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.apis.litellm.virtual_key import LiteLLMVirtualKeySpec
from app.cli.migration_plan import Left
from app.hooks.objects import resource_key, terminating
from app.litellm.entities.times import parsed_time
from app.registry import KINDS
from app.status.instance.finalizer import FINALIZER

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from app.apis.section import Section
    from app.cli.migration_plan import Found
    from app.hooks.objects import Object

_SPECS: dict[str, type[Section]] = {kind.resource.key: kind.spec for kind in KINDS}


def warnings(found: Found, now: datetime) -> tuple[Left, ...]:
    """What to know before the installation, of every object that still has the Go operator's finalizer and stays."""
    return tuple(
        Left(owner, why)
        for owner in (*found.instances, *found.entities)
        if FINALIZER in (owner["metadata"].get("finalizers") or []) and not terminating(owner)
        for why in _of(owner, now)
    )


def _of(owner: Object, now: datetime) -> Iterator[str]:
    spec = check_spec(_SPECS[resource_key(owner)], owner.get("spec"))
    match spec:
        case InvalidSpec():
            yield f"Palena does not take its spec, and does nothing for the object until you correct it: {spec.message}"
        case LiteLLMInstanceSpec():
            sync = spec.config_sync
            if sync is not None and sync.enabled and sync.unmanaged_resource_policy == "prune":
                yield (
                    "spec.configSync.unmanagedResourcePolicy is prune: Palena deletes models and keys in LiteLLM that no custom "
                    "resource describes, which the Go operator 0.6.0 never did; preserve deletes nothing"
                )
        case LiteLLMVirtualKeySpec():
            end = parsed_time(spec.expires_at)
            if end is not None and end <= now:
                yield (
                    "spec.expiresAt has passed: Palena has LiteLLM refuse the key, which the Go operator 0.6.0 never did; "
                    "set a later time if the key is in use"
                )
        case _:
            pass
