"""What custom resources lay claim to in LiteLLM. Pure.

An object with our mark belongs to whom the mark names. One without belongs to whoever has its id in its status or spec, or would
derive it; a key also to whoever has its alias.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from app.apis.checking import InvalidSpec, check_spec
from app.apis.section import Section
from app.hooks.objects import terminating
from app.litellm.entities.identity import derived_id
from app.litellm.entities.ownership import Owner
from app.status.conditions import observed_conditions
from app.status.entity.drift import DRIFTED, GONE, LEFT_AS_IT_IS, NOT_KEPT
from app.status.entity.recorded import recorded
from app.status.reason import READY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.controllers.entities.kind import EntityKind
    from app.hooks.objects import Object

S = TypeVar("S", bound=Section)

_DIFFERS = {(DRIFTED, LEFT_AS_IT_IS.reason), (DRIFTED, NOT_KEPT.reason), (READY, GONE.ready.reason)}


@dataclass(frozen=True, slots=True)
class Claims:
    """Of all custom resources of one kind."""

    owners: frozenset[str] = frozenset()
    """As marks name them."""
    ids: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()
    certain: bool = True
    """Whether every spec could be read, so that no claim is missing."""
    bound: frozenset[str] = frozenset()
    """The ids under which the instance's own objects are in LiteLLM, as far as they know."""
    differing: int = 0
    """How many of the instance's own say that LiteLLM differs from their specs."""


def claims_of(kind: EntityKind[S], items: Iterable[Object], instance: str, cluster_id: str) -> Claims:
    """All claims of those custom resources; ``instance`` is the LiteLLMInstance whose own ones are counted."""
    owners: set[str] = set()
    ids: set[str] = set()
    aliases: set[str] = set()
    bound: set[str] = set()
    certain, differing = True, 0
    for item in items:
        metadata: Any = item["metadata"]
        namespace, name = str(metadata["namespace"]), str(metadata["name"])
        owners.add(Owner(cluster_id, namespace, name, "").path)
        ids.add(derived_id(cluster_id, kind.resource.resource.kind, namespace, name))
        known = recorded(item.get("status"), kind.id_field).id
        spec = check_spec(kind.spec, item.get("spec"))
        if isinstance(spec, InvalidSpec):
            certain = False
        else:
            ids.add(kind.chosen_id(spec, name))
            aliases.add(str(getattr(spec, "key_alias", "")))
            if kind.instance(spec) == instance:
                bound |= {known} if known and not terminating(item) else set()
                differing += _differs(item)
        ids.add(known)
    return Claims(frozenset(owners), frozenset(ids - {""}), frozenset(aliases - {""}), certain, frozenset(bound), differing)


def _differs(item: Object) -> bool:
    conditions = observed_conditions(item.get("status"))
    return any((name, cast("str", one["reason"])) in _DIFFERS for name, one in conditions.items())
