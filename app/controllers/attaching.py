"""What a spec makes of the objects that add-ons attach.

The add-ons answer them. The instance's own controller looks at the same outcomes to tell what is wrong: an add-on answers no
status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.controllers.child_checks import checked, invalid
from app.controllers.taken_names import names_noted
from app.hooks.guard import Place
from app.resources.attachments import ATTACHMENTS
from app.resources.errors import Unbuildable
from app.status.instance.gateway import ChildProblem
from app.status.instance.gateway_reasons import NAME_TAKEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from app.hooks.objects import Object
    from app.resources.attachments import Attachment
    from app.resources.gateway import Gateway

_DECLARED = {attachment.resource.key: attachment.resource for attachment in ATTACHMENTS}


def outcomes(gateway: Gateway, attachment: Attachment) -> Iterator[tuple[str, Object | ChildProblem]]:
    """Each object of the kind, by name, or why it cannot be made. Of a field that makes none, one problem for them all."""
    place = Place(gateway.namespace, _DECLARED, _DECLARED.keys())
    try:
        built = attachment.build(gateway)
    except Unbuildable as error:
        names = attachment.names(gateway.name)
        yield from ((name, invalid(attachment.resource.kind, names[0], str(error))) for name in names)
        return
    for item in built:
        yield str(item["metadata"]["name"]), checked(item, gateway, place)


def taken(gateway: Gateway, parent: Object, installed: Set[str]) -> Iterator[ChildProblem]:
    """What installed add-ons noted about names of theirs, as far as the spec still asks for what has them."""
    for attachment in ATTACHMENTS:
        api, kind = attachment.resource.group, attachment.resource.kind
        held = names_noted(parent, api) if api in installed else ()
        for name, _ in outcomes(gateway, attachment) if held else ():
            if (child := f"{kind} {name}") in held:
                yield ChildProblem(child, NAME_TAKEN, f"{child} exists already and is left untouched")


def all_outcomes(gateway: Gateway) -> tuple[list[Object], list[ChildProblem]]:
    """What all add-ons together would attach, and what could not be made; each problem once."""
    found = [outcome for attachment in ATTACHMENTS for _, outcome in outcomes(gateway, attachment)]
    problems = dict.fromkeys(one for one in found if isinstance(one, ChildProblem))
    return [one for one in found if not isinstance(one, ChildProblem)], list(problems)
