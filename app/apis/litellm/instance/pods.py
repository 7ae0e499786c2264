"""What shapes the proxy's pods and their number: image, placement, probes, rollout, disruption budget."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.apis.core import Affinity, Toleration
from app.apis.section import Section
from app.apis.types import Int32, SecretRef


class Image(Section):
    """Image of the proxy."""

    repository: str = "ghcr.io/berriai/litellm"
    """Repository, without the tag."""
    tag: str = "latest"
    """Tag; pin it: a moving tag makes versions and upgrades invisible."""
    pull_policy: str = "IfNotPresent"
    """When the image is pulled: Always, IfNotPresent or Never."""
    pull_secrets: list[SecretRef] | None = None
    """Secrets of the registry; the migration Job uses them too."""


class Autoscaling(Section):
    """A HorizontalPodAutoscaler; while it is on, spec.replicas counts for nothing."""

    enabled: bool
    """Make the autoscaler."""
    min_replicas: Int32 = 1
    """Least number of replicas."""
    max_replicas: Int32
    """Greatest number of replicas."""
    target_cpu_utilization: Annotated[Int32 | None, Field(alias="targetCPUUtilization")] = None
    """Mean CPU to aim at, in percent of the request."""
    target_memory_utilization: Int32 | None = None
    """Mean memory to aim at, in percent of the request."""


class ServiceAccountMetadata(Section):
    """Metadata of the proxy's ServiceAccount, for cloud identities for instance."""

    annotations: dict[str, str] | None = None
    """Merged into what is there; keys of others stay."""
    labels: dict[str, str] | None = None
    """Merged into what is there; keys of others stay."""


class DeploymentMetadata(Section):
    """Metadata of the Deployment."""

    annotations: dict[str, str] | None = None
    """Merged into the Deployment's own metadata, not into the pod template."""


class PodScheduling(Section):
    """Which nodes the pods of the proxy and of the migration Job may run on."""

    node_selector: dict[str, str] | None = None
    """Labels that a node must have."""
    tolerations: list[Toleration] | None = None
    """Taints that the pods tolerate."""
    affinity: Affinity | None = None
    """Affinity to nodes and to other pods."""


class HealthCheck(Section):
    """Timings of the proxy container's probes."""

    liveness_initial_delay: Int32 = 15
    """Seconds before the first liveness probe."""
    readiness_initial_delay: Int32 = 10
    """Seconds before the first readiness probe."""
    startup_failure_threshold: Int32 = 30
    """How many startup probes may fail before the container is restarted."""


class PodDisruptionBudget(Section):
    """How many pods a voluntary disruption, such as draining a node, may take."""

    enabled: bool
    """Make the PodDisruptionBudget."""
    min_available: Int32 | None = None
    """Pods that must stay."""
    max_unavailable: Int32 | None = None
    """Pods that may go."""


class Upgrade(Section):
    """How a changed pod template is rolled out."""

    strategy: Literal["rolling", "recreate"] = "rolling"
    """Replace pods one after the other, or all at once."""
    max_unavailable: Int32 | None = None
    """Pods that may be missing during a rolling upgrade."""
    max_surge: Int32 | None = None
    """Pods that may be too many during a rolling upgrade."""
    health_check_timeout: str = "300s"
    """How long the new pods may take to become ready."""
    auto_rollback: bool | None = None
    """Return to the last pod template that became ready when a new one does not."""
