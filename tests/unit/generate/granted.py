"""What ClusterRoles give, told as the declarations tell it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.generate.rbac import Rights
    from app.hooks.objects import Object


def rights_of(roles: Sequence[Object]) -> Rights:
    """The rights that the roles give together."""
    rights: defaultdict[tuple[str, str], frozenset[str]] = defaultdict(frozenset)
    for role in roles:
        for rule in role.get("rules", []):
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    rights[group, resource] |= frozenset(rule["verbs"])
    return dict(rights)
