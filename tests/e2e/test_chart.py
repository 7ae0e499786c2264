"""The chart on a real API server: installed, upgraded, uninstalled, and what it finds out about the cluster by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.chart.helm import IMAGE, NAMESPACE, Helm, HelmMissingError
from tests.e2e.conftest import kubectl_of, running_plane
from tests.e2e.controlplane.plane import USER
from tests.e2e.unavailable import unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object
    from tests.e2e.controlplane.plane import ControlPlane
    from tests.e2e.kubectl import Kubectl

OURS = "app.kubernetes.io/part-of=palena"
SERVICE_MONITORING = ("ServiceMonitor", "PrometheusRule")
MUTUAL: Object = {**IMAGE, "mutualTLS": {"enabled": True}}
SECRETS = ("palena-hook-token", "palena-tls", "palena-client-tls")


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """One of its own: what the chart finds out about a cluster must not be what another test left there."""
    with running_plane(tmp_path_factory.mktemp("chart")) as plane:
        yield plane


@pytest.fixture(scope="module")
def kubectl(plane: ControlPlane) -> Kubectl:
    """kubectl as the user."""
    return kubectl_of(plane)


@pytest.fixture
def helm(plane: ControlPlane, kubectl: Kubectl) -> Iterator[Helm]:
    """Helm as the user; the release is gone afterwards."""
    try:
        helm = Helm(plane.kubeconfig(USER))
    except HelmMissingError as error:
        unavailable(str(error))
        raise
    hand_over_definitions(kubectl)
    yield helm
    helm.uninstall(ignore_not_found=True)
    kubectl("delete", "secrets", "--all", "--namespace", NAMESPACE)


def hand_over_definitions(kubectl: Kubectl) -> None:
    """What the install guide says about definitions that kubectl applied before."""
    names = [name for name in kubectl("get", "crd", "-o", "name").split() if name.endswith(".palena.ai")]
    kubectl("label", "--overwrite", *names, "app.kubernetes.io/managed-by=Helm")
    release = ("meta.helm.sh/release-name=palena", f"meta.helm.sh/release-namespace={NAMESPACE}")
    kubectl("annotate", "--overwrite", *names, *release)


def data_of_secrets(kubectl: Kubectl) -> dict[str, Object]:
    """The data of the Secrets that the chart makes."""
    items = json.loads(kubectl("get", "secrets", "--namespace", NAMESPACE, "-l", OURS, "-o", "json"))["items"]
    return {item["metadata"]["name"]: item["data"] for item in items}


def hook_url(kubectl: Kubectl) -> str:
    """Where Metacontroller is told to find the sync hook of instances."""
    controller = json.loads(kubectl("get", "compositecontroller", "litellminstances", "-o", "json"))
    return controller["spec"]["hooks"]["sync"]["webhook"]["url"]


def kept(stored: Any, rendered: Any) -> Any:
    """What is stored without what was not rendered: Metacontroller's real definitions have defaults."""
    if isinstance(stored, dict) and isinstance(rendered, dict):
        return {key: kept(stored[key], rendered[key]) for key in rendered if key in stored}
    if isinstance(stored, list) and isinstance(rendered, list) and len(stored) == len(rendered):
        return [kept(*pair) for pair in zip(stored, rendered, strict=True)]
    return stored


def test_an_installation_is_accepted_and_stored_as_rendered(helm: Helm, kubectl: Kubectl) -> None:
    installed = helm.install(MUTUAL, create_namespace=True)
    assert {item["metadata"]["name"] for item in installed if item["kind"] == "Secret"} == set(SECRETS)
    text = kubectl("get", "-f", "-", "-o", "name", stdin=yaml.safe_dump_all(installed))
    assert len(text.split()) == len(installed)
    for controller in (item for item in installed if item["kind"] == "CompositeController"):
        stored = json.loads(kubectl("get", "compositecontroller", controller["metadata"]["name"], "-o", "json"))
        assert kept(stored["spec"], controller["spec"]) == controller["spec"]


def test_an_upgrade_keeps_token_and_certificates_byte_for_byte_and_resyncs_nobody(helm: Helm, kubectl: Kubectl) -> None:
    helm.install(MUTUAL, create_namespace=True)
    before, url = data_of_secrets(kubectl), hook_url(kubectl)
    assert before.keys() == set(SECRETS)
    helm.upgrade({**MUTUAL, "replicas": 3})
    assert data_of_secrets(kubectl) == before
    assert hook_url(kubectl) == url


def test_a_rotation_reaches_metacontroller_with_the_next_upgrade(helm: Helm, kubectl: Kubectl) -> None:
    helm.install(MUTUAL, create_namespace=True)
    before, urls = data_of_secrets(kubectl), [hook_url(kubectl)]
    for secret in SECRETS:
        kubectl("delete", "secret", secret, "--namespace", NAMESPACE)
        helm.upgrade(MUTUAL)
        urls.append(hook_url(kubectl))
    after = data_of_secrets(kubectl)
    assert all(after[name] != before[name] for name in SECRETS)
    assert len(set(urls)) == len(urls)


def test_a_token_of_the_user_is_followed_too(helm: Helm, kubectl: Kubectl) -> None:
    values = {**IMAGE, "hookToken": {"existingSecret": "mine"}, "tls": {"enabled": False}}
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}))
    urls = []
    for token in ("first", "second"):
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "mine", "namespace": NAMESPACE}}
        kubectl("apply", "-f", "-", stdin=yaml.safe_dump({**secret, "stringData": {"token": token}}))
        (helm.install if not urls else helm.upgrade)(values)
        urls.append(hook_url(kubectl))
    assert urls[0] != urls[1]
    assert data_of_secrets(kubectl) == {}


def test_uninstalling_leaves_definitions_and_gateways(helm: Helm, kubectl: Kubectl) -> None:
    helm.install(IMAGE, create_namespace=True)
    spec = {"workload": {"managed": False}, "masterKey": {"secretRef": {"name": "key", "key": "key"}}, "database": {}}
    gateway = {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMInstance", "spec": spec}
    kubectl("apply", "-f", "-", stdin=yaml.safe_dump({**gateway, "metadata": {"name": "gateway", "namespace": "default"}}))
    try:
        helm.uninstall()
        assert kubectl("get", "litellminstance", "gateway", "--namespace", "default", "-o", "name")
        assert not kubectl("get", "all,secrets", "--namespace", NAMESPACE, "-l", OURS, "-o", "name")
        assert not kubectl("get", "clusterroles,clusterrolebindings", "-l", OURS, "-o", "name")
        assert not kubectl("get", "compositecontroller", "litellminstances", "--ignore-not-found", "-o", "name")
        helm.install(IMAGE)
        assert kubectl("get", "litellminstance", "gateway", "--namespace", "default", "-o", "name")
    finally:
        kubectl("delete", "litellminstance", "gateway", "--namespace", "default")


def test_going_to_attach_only_takes_the_rights_over_workloads_away(helm: Helm, kubectl: Kubectl) -> None:
    helm.install(IMAGE, create_namespace=True)
    before = kubectl("get", "clusterrole", "palena-reader", "-o", "jsonpath={.rules}")
    helm.upgrade({**IMAGE, "shape": "attach-only"})
    assert kubectl("get", "clusterrole", "palena-reader", "-o", "jsonpath={.rules}") == before
    role = json.loads(kubectl("get", "clusterrole", "palena-metacontroller-litellminstances", "-o", "json"))
    assert not {"apps", "batch"} & {group for rule in role["rules"] for group in rule["apiGroups"]}


def test_an_add_on_comes_once_the_cluster_serves_all_of_its_apis(helm: Helm, kubectl: Kubectl) -> None:
    def decorators() -> list[str]:
        planned = helm.install(IMAGE, create_namespace=True, dry_run="server")
        return [item["metadata"]["name"] for item in planned if item["kind"] == "DecoratorController"]

    assert decorators() == []
    try:
        for kind in SERVICE_MONITORING:
            assert decorators() == [], f"{kind} is missing"
            kubectl("apply", "-f", "-", stdin=yaml.safe_dump(definition("monitoring.coreos.com", kind)))
            kubectl("wait", "--for=condition=Established", "crd", f"{kind.lower()}s.monitoring.coreos.com", "--timeout=30s")
        assert decorators() == ["litellminstances-monitoring"]
    finally:
        names = [f"{kind.lower()}s.monitoring.coreos.com" for kind in SERVICE_MONITORING]
        kubectl("delete", "crd", "--ignore-not-found", *names)


def test_openshift_is_recognised(helm: Helm, kubectl: Kubectl) -> None:
    try:
        constraints = definition("security.openshift.io", "SecurityContextConstraints", "securitycontextconstraints")
        kubectl("apply", "-f", "-", stdin=yaml.safe_dump(constraints))
        kubectl("wait", "--for=condition=Established", "crd", constraints["metadata"]["name"], "--timeout=30s")
        planned = helm.install(IMAGE, create_namespace=True, dry_run="server")
        (deployment,) = (item for item in planned if item["kind"] == "Deployment")
        pod = deployment["spec"]["template"]["spec"]
        assert {"name": "PALENA_PLATFORM", "value": "openshift"} in pod["containers"][0]["env"]
        assert "runAsUser" not in pod["securityContext"]
    finally:
        kubectl("delete", "crd", "--ignore-not-found", "securitycontextconstraints.security.openshift.io")


def test_the_release_is_far_from_the_size_that_no_secret_can_hold(helm: Helm, kubectl: Kubectl) -> None:
    """Helm keeps chart and rendered objects in a Secret, definitions included; a Secret ends at one MiB."""
    helm.install(IMAGE, create_namespace=True)
    release = json.loads(kubectl("get", "secret", "sh.helm.release.v1.palena.v1", "--namespace", NAMESPACE, "-o", "json"))
    assert len(release["data"]["release"]) < 2**19


def definition(group: str, kind: str, plural: str = "") -> Object:
    """A definition without any rules, enough for the API to be there."""
    plural = plural or f"{kind.lower()}s"
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}", "annotations": {"api-approved.kubernetes.io": "unapproved, a stand-in"}},
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": plural},
            "scope": "Namespaced",
            "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}],
        },
    }
