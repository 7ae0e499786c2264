"""The Deployment and its pods: image, number, rollout, files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.resources.deployment import deployment
from app.resources.errors import Unbuildable
from app.resources.pod_template import pod_template
from tests.unit.resources.gateways import gateway

if TYPE_CHECKING:
    from app.hooks.objects import Object

NON_ROOT: Object = {"runAsNonRoot": True}


def pod(spec: Object | None = None, **facts: Any) -> Object:
    return pod_template(gateway(spec, **facts))["spec"]


def test_the_default_image_runs_as_it_was_built() -> None:
    built = pod()
    assert built["containers"][0]["image"] == "ghcr.io/berriai/litellm:latest"
    assert "securityContext" not in built
    assert built["containers"][0]["securityContext"] == {"allowPrivilegeEscalation": False}


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        ({}, "ghcr.io/berriai/litellm-non_root:latest"),
        ({"tag": "v1"}, "ghcr.io/berriai/litellm-non_root:v1"),
        ({"repository": "ghcr.io/berriai/litellm", "tag": "v1"}, "ghcr.io/berriai/litellm-non_root:v1"),
        ({"repository": "registry.example.com/litellm"}, "registry.example.com/litellm:latest"),
        ({"repository": "registry.example.com/litellm", "tag": "sha256:ab"}, "registry.example.com/litellm@sha256:ab"),
    ],
    ids=["no image", "only a tag", "the schema filled in the default", "an image of the user's own", "a digest"],
)
def test_the_non_root_image_is_taken_unless_another_is_given(image: Object, expected: str) -> None:
    assert pod({"image": image, "security": NON_ROOT})["containers"][0]["image"] == expected


def test_without_root_the_pod_meets_the_restricted_standard() -> None:
    built = pod({"security": NON_ROOT})
    assert built["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": 65534,
        "fsGroup": 65534,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    assert built["containers"][0]["securityContext"] == {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}


def test_openshift_chooses_the_user_itself() -> None:
    assert "runAsUser" not in pod({"security": NON_ROOT}, openshift=True)["securityContext"]


@pytest.mark.parametrize(
    ("replicas", "autoscaled", "observed", "expected"),
    [
        (3, False, 7, 3),
        (0, False, None, 1),
        (3, True, 7, 7),
        (3, True, 0, 0),
        (3, True, None, None),
    ],
    ids=["the spec decides", "0 means 1", "the autoscaler decided", "and scaled to nothing", "nothing to go by yet"],
)
def test_replicas(replicas: int, autoscaled: bool, observed: int | None, expected: int | None) -> None:
    spec = {"replicas": replicas, "autoscaling": {"enabled": autoscaled, "maxReplicas": 9}}
    assert deployment(gateway(spec, observed_replicas=observed))["spec"].get("replicas") == expected


def test_a_rolling_strategy_spells_its_defaults_out_so_that_recreate_removes_them() -> None:
    rolling = deployment(gateway())["spec"]["strategy"]
    assert rolling == {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": "25%"}}
    assert deployment(gateway({"upgrade": {"strategy": "recreate"}}))["spec"]["strategy"] == {"type": "Recreate"}


def test_the_time_for_an_upgrade_is_the_deployments_deadline() -> None:
    assert deployment(gateway({"upgrade": {"healthCheckTimeout": "10m"}}))["spec"]["progressDeadlineSeconds"] == 600
    assert "progressDeadlineSeconds" not in deployment(gateway())["spec"]


def test_serving_tls_probes_over_https() -> None:
    container = pod({"tls": {"serverCertSecretRef": {"name": "server"}}})["containers"][0]
    schemes = {container[probe]["httpGet"]["scheme"] for probe in ("livenessProbe", "readinessProbe", "startupProbe")}
    assert schemes == {"HTTPS"}


def test_a_sign_on_handler_lies_beside_the_configuration() -> None:
    handler = {"configMapRef": {"name": "handler", "functionName": "handle"}}
    sso = {
        "enabled": True,
        "provider": "okta",
        "clientId": {"name": "s", "key": "i"},
        "clientSecret": {"name": "s", "key": "s"},
        "customSsoHandler": handler,
    }
    config = next(volume for volume in pod({"sso": sso})["volumes"] if volume["name"] == "config")
    assert config["projected"]["sources"] == [
        {"configMap": {"name": "gw-config"}},
        {"configMap": {"name": "handler", "items": [{"key": "handler.py", "path": "custom_sso_handlers/handler.py"}]}},
    ]


def test_a_client_certificate_and_its_key_are_put_into_the_one_file_that_litellm_reads() -> None:
    built = pod({"tls": {"clientCertSecretRef": {"name": "client"}}})
    assert [container["name"] for container in built["initContainers"]] == ["client-certificate"]
    path = next(entry["value"] for entry in built["containers"][0]["env"] if entry["name"] == "SSL_CERTIFICATE")
    assert built["initContainers"][0]["command"][2].endswith(f"> {path}")


def test_amounts_are_written_as_they_are_stored() -> None:
    resources = {"requests": {"cpu": "1000m", "memory": "1024Mi"}}
    assert pod({"resources": resources})["containers"][0]["resources"] == {"requests": {"cpu": "1", "memory": "1Gi"}}


def test_services_nearby_do_not_set_variables() -> None:
    assert pod()["enableServiceLinks"] is False


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"replicas": -1}, "spec.replicas"),
        ({"image": {"pullPolicy": "Sometimes"}}, "spec.image.pullPolicy"),
        ({"upgrade": {"maxUnavailable": 0, "maxSurge": 0}}, "spec.upgrade.maxUnavailable"),
        ({"upgrade": {"healthCheckTimeout": "soon"}}, "spec.upgrade.healthCheckTimeout"),
        ({"healthCheck": {"livenessInitialDelay": -1}}, "spec.healthCheck.livenessInitialDelay"),
        ({"resources": {"limits": {"cpu": "much"}}}, "spec.resources.limits.cpu"),
        ({"extraVolumes": [{"name": "tmp", "emptyDir": {}}]}, "spec.extraVolumes[0].name"),
        ({"extraVolumes": [{"name": "my.cache", "emptyDir": {}}]}, "spec.extraVolumes[0].name"),
        ({"extraVolumes": [{"name": "both", "emptyDir": {}, "secret": {"secretName": "s"}}]}, "spec.extraVolumes[0]"),
        ({"extraVolumeMounts": [{"name": "tmp", "mountPath": "/x", "subPath": "/a"}]}, "spec.extraVolumeMounts[0].subPath"),
        ({"extraVolumeMounts": [{"name": "tmp", "mountPath": "/x", "subPath": "a/../b"}]}, "spec.extraVolumeMounts[0].subPath"),
        (
            {"extraVolumeMounts": [{"name": "tmp", "mountPath": "/x", "subPath": "a", "subPathExpr": "b"}]},
            "spec.extraVolumeMounts[0].subPathExpr",
        ),
        ({"extraEnvFrom": [{"prefix": "A_"}]}, "spec.extraEnvFrom[0]"),
        ({"extraEnvFrom": [{"secretRef": {"name": "s"}, "configMapRef": {"name": "c"}}]}, "spec.extraEnvFrom[0]"),
        ({"extraVolumeMounts": [{"name": "tmp", "mountPath": "/app/config"}]}, "spec.extraVolumeMounts[0].mountPath"),
        ({"extraVolumeMounts": [{"name": "nowhere", "mountPath": "/x"}]}, "spec.extraVolumeMounts[0].name"),
        ({"deployment": {"annotations": {"a/b/c": ""}}}, "spec.deployment.annotations.a/b/c"),
    ],
)
def test_what_makes_no_deployment_is_refused_by_its_field(spec: Object, field: str) -> None:
    with pytest.raises(Unbuildable) as refused:
        deployment(gateway(spec))
    assert refused.value.field == field
