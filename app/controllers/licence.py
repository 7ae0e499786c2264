"""Which Secret brings the gateway its licence. It is found by its name, so nothing in the spec tells that there should be one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.controllers.relations import license_secrets
from app.controllers.secrets import has_key
from app.hooks.observed_fields import object_in, objects_in, text_in
from app.resources.environment.proxy import LICENSE_KEY
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from app.hooks.request import SyncRequest


def present_license(request: SyncRequest) -> str:
    """The Secret that holds a licence now; empty if there is none."""
    return next((name for name in license_secrets(request.name) if has_key(request, name, LICENSE_KEY)), "")


def license_reference(request: SyncRequest, deployment: Object | None) -> str:
    """The Secret that the pods are to read the licence from; empty if they are to have none.

    One that they read it from and that has vanished is still the one: a Secret that is lost must replace no pod, and pods that
    start later wait for it. A Secret that is there without the key says that there is to be no licence any more.
    """
    if found := present_license(request):
        return found
    used = set(_licenses_of(deployment))
    gone = (name for name in license_secrets(request.name) if request.related.find(SECRET, request.namespace, name) is None)
    return next((name for name in gone if name in used), "")


def _licenses_of(deployment: Object | None) -> Iterator[str]:
    """The Secrets that variables of the pods take a licence from."""
    pods = object_in(object_in(object_in(deployment, "spec"), "template"), "spec")
    for container in objects_in(pods, "containers"):
        for variable in objects_in(container, "env"):
            if "valueFrom" in variable:
                reference = object_in(variable["valueFrom"], "secretKeyRef")
                if text_in(reference, "key") == LICENSE_KEY:
                    yield text_in(reference, "name")
