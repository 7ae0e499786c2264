"""Children that are there and cannot become what is wanted: they stay as they are, and the user is told.

The API server would refuse the update, Metacontroller would try it for ever, and nobody but its log would say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.controllers.child_checks import invalid
from app.hooks.objects import terminating
from app.resources.immutable_fields import fixed_field
from app.resources.kinds import VOLUME_CLAIM

if TYPE_CHECKING:
    from app.controllers.sequence import Desired, View


def keep_unchangeable(view: View, answer: Desired) -> None:
    """Take such children out of the answer and keep the observed ones; each is a problem."""
    for child in list(answer.children):
        observed = view.present(child)
        if observed is None or terminating(observed) or not (field := fixed_field(observed, child)):
            continue
        kind, name = str(child["kind"]), str(child["metadata"]["name"])
        answer.problems.append(invalid(kind, name, f"{field} cannot change once it exists; {_remedy(kind)}"))
        answer.drop(child)
        answer.keep(observed)


def _remedy(kind: str) -> str:
    if kind == VOLUME_CLAIM.kind:
        return "change the claim by hand as far as its StorageClass allows, or the spec back"
    return f"take the change back, or delete the {kind} to have it made anew"
