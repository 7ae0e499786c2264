"""The service's own objects: what a cluster's policies ask of them, and that their parts fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import kubernetes_validate
import pytest

from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.generate import rbac, service
from app.hooks.server import DRAIN_SECONDS, STOP_SECONDS

if TYPE_CHECKING:
    from app.hooks.objects import Object

OBJECTS = [
    service.namespace(),
    service.service_account(),
    service.deployment(),
    service.service(),
    service.disruption_budget(),
    service.network_policy(),
    *rbac.core_roles(),
    *rbac.reader_roles([LITELLM_INSTANCES.parent]),
]


@pytest.mark.parametrize("item", OBJECTS, ids=[f"{item['kind']} {item['metadata']['name']}" for item in OBJECTS])
@pytest.mark.parametrize("version", ["1.30", "1.36"])
def test_kubernetes_knows_every_field(item: Object, version: str) -> None:
    kubernetes_validate.validate(item, version, strict=True)


def test_the_pods_meet_the_restricted_standard() -> None:
    pod = service.deployment()["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }


def test_the_services_own_pods_alone_have_the_accounts_token() -> None:
    assert service.deployment()["spec"]["template"]["spec"]["automountServiceAccountToken"] is True
    assert service.service_account()["automountServiceAccountToken"] is False


def test_a_rotated_token_reaches_a_running_pod() -> None:
    pod = service.deployment()["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    (mount,) = container["volumeMounts"]
    assert "subPath" not in mount
    variable, _ = container["env"]
    assert variable["value"].startswith(mount["mountPath"])


def test_everything_selects_the_pods_by_labels_that_they_carry() -> None:
    labels = service.deployment()["spec"]["template"]["metadata"]["labels"]
    selectors = [
        service.deployment()["spec"]["selector"]["matchLabels"],
        service.service()["spec"]["selector"],
        service.disruption_budget()["spec"]["selector"]["matchLabels"],
        service.network_policy()["spec"]["podSelector"]["matchLabels"],
    ]
    for selector in selectors:
        assert selector.items() <= labels.items()


def test_a_pod_is_given_longer_than_the_server_takes_to_stop() -> None:
    assert service.GRACE_SECONDS > DRAIN_SECONDS + STOP_SECONDS


def test_only_metacontrollers_namespace_gets_in_and_traffic_out_is_free() -> None:
    spec = service.network_policy()["spec"]
    assert spec["policyTypes"] == ["Ingress"]
    (rule,) = spec["ingress"]
    assert rule["from"] == [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "metacontroller"}}}]
