"""What the LiteLLMInstance controller declares; manifests and rights are made from it."""

from __future__ import annotations

from app.apis.litellm.guardrail import LITELLM_GUARDRAIL
from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks.controller import Update
from app.registry import CONTROLLERS, KINDS

IN_PLACE = {
    "Deployment.apps/v1",
    "StatefulSet.apps/v1",
    "Service.v1",
    "ServiceAccount.v1",
    "ConfigMap.v1",
    "Secret.v1",
    "Ingress.networking.k8s.io/v1",
    "HorizontalPodAutoscaler.autoscaling/v2",
    "PodDisruptionBudget.policy/v1",
    "NetworkPolicy.networking.k8s.io/v1",
}
ON_DELETE = {"Job.batch/v1", "PersistentVolumeClaim.v1", "ControllerRevision.apps/v1"}


def test_the_full_list_of_children_is_declared_before_there_are_builders() -> None:
    """Metacontroller shows no child of an undeclared kind, so a flip would lose sight of it."""
    rules = {rule.resource.key: rule.update for rule in LITELLM_INSTANCES.children}
    assert rules == dict.fromkeys(IN_PLACE, Update.IN_PLACE) | dict.fromkeys(ON_DELETE, Update.ON_DELETE)


def test_every_related_kind_is_served_wherever_the_instance_is() -> None:
    """A related kind that is not served would stop every sync, so there is none but Kubernetes' own and ours."""
    related = {resource.key for resource in LITELLM_INSTANCES.related}
    children = {rule.resource.key for rule in LITELLM_INSTANCES.children}
    assert related - children == {"Pod.v1", "LiteLLMGuardrail.litellm.palena.ai/v1alpha1"}
    assert LITELLM_GUARDRAIL in KINDS


def test_every_controller_is_of_a_registered_kind() -> None:
    kinds = {kind.resource for kind in KINDS}
    assert all(controller.watched in kinds for controller in CONTROLLERS)
