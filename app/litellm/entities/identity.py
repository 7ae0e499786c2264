"""The id of an object that nobody chose: a version 5 UUID of where its custom resource is.

Chosen before the first call, it makes creation repeatable, and a restored cluster finds its objects again.
"""

from __future__ import annotations

from uuid import UUID, uuid5

_SPACE = UUID("6f5e0c4e-6d0b-5c1e-9a53-1d1a6f3c7a10")


def derived_id(cluster: str, kind: str, namespace: str, name: str) -> str:
    """Lower-case, with dashes. Another cluster, kind, namespace or name is another id."""
    return str(uuid5(_SPACE, "/".join((cluster, kind, namespace, name))))
