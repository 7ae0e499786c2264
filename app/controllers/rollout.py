"""The Deployment as observed, and the mark by which one pod template is told from another.

The mark is an annotation of the Deployment, not of its template: it starts no rollout, and it says what was applied without
comparing templates that the API server has filled in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.hooks.objects import annotations_of
from app.hooks.observed_fields import number_in, object_in, objects_in
from app.resources.image import tag_of
from app.resources.pod_template import proxy_image_of
from app.status.instance.gateway import Rollout

if TYPE_CHECKING:
    from app.hooks.objects import Object

TEMPLATE_DIGEST = "litellm.palena.ai/template-hash"
FAILED_TEMPLATE = "litellm.palena.ai/rolled-back-template"
"""Annotation of a Deployment whose pods were rolled back: the digest of the template that failed. It is written together with
the pods that run instead; status comes later, and may not be seen yet when the next sync begins."""
REVISION = "deployment.kubernetes.io/revision"


def stamped(deployment: Object, template: Object, digest: str, failed: str = "") -> Object:
    """The Deployment with that pod template, its digest as the mark, and that of the one in whose place it runs, if any."""
    metadata: Object = deployment["metadata"]
    annotations = {**annotations_of(deployment), TEMPLATE_DIGEST: digest, **({FAILED_TEMPLATE: failed} if failed else {})}
    return {
        **deployment,
        "metadata": {**metadata, "annotations": annotations},
        "spec": {**deployment["spec"], "template": template},
    }


def observed_rollout(deployment: Object | None, wanted: str) -> Rollout:
    """How far the pods are; ``wanted`` is the digest of the template that they should have."""
    if deployment is None:
        return Rollout()
    status = object_in(deployment, "status")
    metadata = deployment["metadata"]
    seen = status.get("observedGeneration") == metadata.get("generation")
    replicas: Any = deployment["spec"].get("replicas")
    return Rollout(
        wanted=replicas if isinstance(replicas, int) else 1,
        replicas=number_in(status, "replicas"),
        ready=number_in(status, "readyReplicas"),
        updated=number_in(status, "updatedReplicas"),
        available=number_in(status, "availableReplicas"),
        version=tag_of(proxy_image_of(deployment)),
        exists=True,
        current=seen and annotations_of(deployment).get(TEMPLATE_DIGEST) == wanted,
        stalled=any(
            condition.get("type") == "Progressing" and condition.get("reason") == "ProgressDeadlineExceeded"
            for condition in objects_in(status, "conditions")
        ),
    )


def deployment_revision(deployment: Object | None) -> str:
    """The Deployment controller's own number of the present rollout."""
    return str(annotations_of(deployment).get(REVISION, "")) if deployment is not None else ""


def failed_template(deployment: Object | None) -> str:
    """The digest of the template in whose place the Deployment's pods run; empty if there is none."""
    return str(annotations_of(deployment).get(FAILED_TEMPLATE, "")) if deployment is not None else ""
