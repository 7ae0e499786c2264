"""What a container may ask for: the API server's rules about single amounts, and about a request beside its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.hooks.canonical.quantities import amount
from app.hooks.field_path import field_path
from app.hooks.names import label_problems
from app.resources.checks import quantity
from app.resources.errors import Unbuildable

if TYPE_CHECKING:
    from decimal import Decimal

    from app.hooks.objects import Object

_STANDARD = frozenset({"cpu", "memory", "ephemeral-storage"})
_HUGE_PAGES = "hugepages-"
_SECTIONS = ("limits", "requests")


def check_resources(resources: Object, field: str) -> None:
    """Raise :class:`Unbuildable` for the first amount of a container's ``resources`` that the API server would refuse.

    ``field`` is where they are. ``claims`` are not looked at: they are names of what a patch may add to the pod.
    """
    given = {section: cast("Object", resources.get(section) or {}) for section in _SECTIONS}
    limits, requests = (
        {name: _checked(name, value, field_path(f"{field}.{section}", name)) for name, value in given[section].items()}
        for section in _SECTIONS
    )
    for name, request in requests.items():
        if problem := _beside(name, request, limits.get(name)):
            raise Unbuildable(field_path(f"{field}.requests", name), problem)


def _checked(name: str, value: object, field: str) -> Decimal:
    if "/" not in name and name not in _STANDARD and not name.startswith(_HUGE_PAGES):
        raise Unbuildable(field, "is no resource: cpu, memory, ephemeral-storage, or one with a prefix such as nvidia.com/gpu")
    for _, problem in label_problems({"labels": {name: ""}}):
        raise Unbuildable(field, problem)
    much = amount(quantity(value, field))
    if _extended(name) and much % 1:
        raise Unbuildable(field, "must be a whole number")
    return much


def _beside(name: str, request: Decimal, limit: Decimal | None) -> str:
    """What is wrong with a request beside its limit; what cannot be shared has to be asked for and granted alike."""
    if _extended(name) or name.startswith(_HUGE_PAGES):
        return "" if request == limit else "must be equal to its limit; give one limit and no request"
    if limit is None or request <= limit:
        return ""
    return "must not be more than its limit; lower it, or raise the limit"


def _extended(name: str) -> bool:
    """Whether it is a device plugin's, ``nvidia.com/gpu``, and not Kubernetes' own."""
    return "/" in name and "kubernetes.io/" not in name
