"""Parts of a pod that a user wrote in Kubernetes' own words: passed on in their stored form, or refused by their own name."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from app.hooks.canonical.form import canonicalise
from app.hooks.guard import content_breaches
from app.resources.errors import Unbuildable

if TYPE_CHECKING:
    from app.hooks.objects import Object

T = TypeVar("T", "list[Object]", "Object")


def stored(part: T, pod_field: str, field: str) -> T:
    """``part`` as the API server stores it under ``pod_field`` of a pod or container. ``field`` is where the user wrote it.

    Raises :class:`Unbuildable` for what no form of it makes legal, such as two items of one name.
    """
    form = canonicalise({"apiVersion": "v1", "kind": "Pod", "metadata": {}, pod_field: part}).form
    for breach in content_breaches(form):
        raise Unbuildable(field + breach.field.removeprefix(pod_field), breach.problem)
    return form.get(pod_field, type(part)())
