"""Everything that builders know of a managed gateway. Gathered once per sync by the controller; nothing here does I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.resources import names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.apis.litellm.guardrail import LiteLLMGuardrailSpec
    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.resources.references import Reference

PROXY_PORT = 4000
"""The port on which the proxy container listens, whatever the Service's port is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretKey:
    """Where a pod reads a value."""

    name: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Gateway:
    """A managed LiteLLMInstance and what was found out about its surroundings."""

    name: str
    namespace: str
    spec: LiteLLMInstanceSpec
    license_secret: str = ""
    """Name of the Secret with a licence under ``license-key``; empty without one."""
    guardrails: Sequence[LiteLLMGuardrailSpec] = ()
    """The guardrails that are rendered, oldest first; collisions and invalid ones are left out before."""
    guardrail_record: str = ""
    """Those guardrails by name of their objects, as JSON, for when an edit spoils one."""
    guardrail_references: tuple[Reference, ...] = ()
    """What those guardrails refer to, for messages: ``guardrail pii spec.apiKeySecretRef``."""
    observed_replicas: int | None = None
    """What the observed Deployment has, for when an autoscaler decides."""
    certificate_authority: SecretKey | None = None
    """Where the authority of the proxy's own certificate is, for whoever calls it; None for the system's authorities."""
    openshift: bool = False
    """User ids are then chosen by the cluster's security context constraints."""
    assembled_database_url: bool = False
    """Whether the Secret of CloudNativePG lacks ``uri``, and DATABASE_URL comes from the Secret put together of its parts."""

    def pod_labels(self, component: str) -> dict[str, str]:
        """Labels of pods that are not the proxy's. They must not match its selector: its Service would send them requests."""
        return {**self.labels, "app.kubernetes.io/name": component}

    @property
    def labels(self) -> dict[str, str]:
        """The three labels by which pods are selected: the ones of the Go operator, since a selector cannot change."""
        return selector_labels(self.name)


def selector_labels(instance: str) -> dict[str, str]:
    """The three labels of an instance's pods."""
    return {
        "app.kubernetes.io/name": "litellm",
        "app.kubernetes.io/managed-by": "litellm-operator",
        "litellm.palena.ai/instance": names.label_value(instance),
    }
