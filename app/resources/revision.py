"""The ControllerRevision that keeps a pod template which became ready, for an automatic rollback to return to.

Its data is immutable, so it is named by what it holds, and a new template is a new object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.child import child
from app.resources.digests import short_digest
from app.resources.kinds import CONTROLLER_REVISION

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway


def revision(gateway: Gateway, template: Object) -> Object:
    """``template`` is a pod template as it was built or observed under :mod:`app.resources.pod_template`."""
    return child(
        CONTROLLER_REVISION,
        gateway,
        names.revision(gateway.name, short_digest(template)),
        revision=1,
        data={"spec": {"template": template}},
    )


def kept_template(revision: Object) -> Object:
    """The pod template in an observed ControllerRevision."""
    return revision["data"]["spec"]["template"]
