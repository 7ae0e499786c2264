"""The ControllerRevision that keeps pods which became ready, template and configuration, for an automatic rollback.

Its data is immutable, so it is named by what it holds, and a new template is a new object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.hooks.observed_fields import object_in
from app.resources import names
from app.resources.child import child
from app.resources.digests import short_digest
from app.resources.kinds import CONTROLLER_REVISION

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def revision(gateway: Gateway, template: Object, config: str, number: str) -> Object:
    """``template`` is a pod template as it was built; ``config`` the configuration that its pods read, without which they are
    not the same pods; ``number`` the Deployment's revision in which they became ready, 0 where none is known."""
    return child(
        CONTROLLER_REVISION,
        gateway,
        names.revision(gateway.name, short_digest(template)),
        revision=int(number) if number.isdecimal() else 0,
        data={"spec": {"template": template}, "config": config},
    )


def holds_pods(revision: Object) -> bool:
    """Whether there is a pod template in an observed ControllerRevision: its data can be anything."""
    return isinstance(object_in(object_in(revision, "data"), "spec").get("template"), dict)


def kept_template(revision: Object) -> Object:
    """The pod template in an observed ControllerRevision that holds one."""
    return revision["data"]["spec"]["template"]


def kept_number(revision: Object) -> str:
    """The Deployment's revision in which an observed ControllerRevision's pods became ready; empty where none is known."""
    return str(revision.get("revision") or "")


def kept_config(revision: Object) -> str:
    """The text of the configuration in an observed ControllerRevision that holds pods."""
    return str(revision["data"].get("config", ""))
