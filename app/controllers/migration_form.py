"""The migration Job as it is sent: for the image that the pods run, with the spec's patches, named by all that it then does.

A patch on the Deployment may set another image than the spec's, and one on the Job another command. What is patched counts
like what is written in the spec: another patch is another Job, and what finished is remembered by what it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from app.controllers.patching import patched
from app.resources import names
from app.resources.deployment import deployment
from app.resources.digests import short_digest
from app.resources.errors import Unbuildable
from app.resources.migration_job import migration_hash, migration_job
from app.resources.pod_template import proxy_image_of

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

MIGRATION_DIGEST = "litellm.palena.ai/migration"
"""Annotation of a migration Job: what it does, wherever it runs."""

_WORK = ("image", "command", "args", "env", "envFrom")
"""Fields of a container that say what it does."""


def unpatched_migration(gateway: Gateway, pods: Object | None) -> Object | None:
    """The Job before patches, for the image of ``pods``, the Deployment as it is sent. None while no migration is asked for.

    Without ``pods``, which then cannot be made, for the image of the spec. Raises :class:`Unbuildable`.
    """
    image = proxy_image_of(pods) if pods is not None else ""
    job = migration_job(gateway, image)
    if job is None:
        return None
    return {**job, "metadata": {**job["metadata"], "annotations": {MIGRATION_DIGEST: migration_hash(gateway, image)}}}


def named_by_content(gateway: Gateway, job: Object, form: Object) -> Object:
    """``form``, which patches have made of ``job``, under the name and with the digest of what it is now."""
    if form == job:
        return job
    metadata, digest = form["metadata"], job["metadata"]["annotations"][MIGRATION_DIGEST]
    if _work(form) != _work(job):
        digest = short_digest([digest, _work(form)])
    name = names.migration_job(gateway.name, short_digest(form))
    return {
        **form,
        "metadata": {**metadata, "name": name, "annotations": {**metadata["annotations"], MIGRATION_DIGEST: digest}},
    }


def migration_name(gateway: Gateway) -> str:
    """What the Job will be called, as far as the spec tells; empty without one.

    Raises :class:`Unbuildable` and :class:`~app.controllers.patching.PatchFailed`.
    """
    try:
        pods = patched(deployment(gateway), gateway.spec.patches)
    except Unbuildable:
        pods = None
    job = unpatched_migration(gateway, pods)
    return str(named_by_content(gateway, job, patched(job, gateway.spec.patches))["metadata"]["name"]) if job is not None else ""


def _work(job: Object) -> list[Any]:
    pod: Object = job["spec"]["template"]["spec"]
    containers = [*cast("list[Object]", pod.get("initContainers") or []), *cast("list[Object]", pod["containers"])]
    return [[container.get(field) for field in _WORK] for container in containers] + [pod.get("volumes") or []]
