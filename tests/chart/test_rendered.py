"""What the values change in what is installed, in situations."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING

import kubernetes_validate
import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

from app import __version__
from app.apis.checking import check_spec
from app.apis.litellm.instance import LiteLLMInstanceSpec
from app.settings import Settings
from tests.chart.helm import IMAGE, NAMESPACE

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from tests.chart.helm import Helm

CERT_MANAGER: Object = {"enabled": True, "issuerRef": {"name": "company", "kind": "ClusterIssuer"}}
CUSTOM = ("CustomResourceDefinition", "CompositeController", "DecoratorController", "Certificate")

EVERYTHING: Object = {
    **IMAGE,
    "mutualTLS": {"enabled": True},
    "reader": {"namespaces": ["ai", "web"]},
    "settings": {"platform": "openshift", "endpointAllow": ["10.0.0.0/8", "*.corp.example"]},
    "env": [{"name": "HTTPS_PROXY", "valueFrom": {"configMapKeyRef": {"name": "proxy", "key": "url"}}}],
    "networkPolicy": {"from": [{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}]},
    "podAnnotations": {"prometheus.io/scrape": "true"},
    "podLabels": {"team": "platform"},
    "tolerations": [{"key": "dedicated", "operator": "Exists"}],
    "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}},
    "nodeSelector": {"kubernetes.io/arch": "amd64"},
    "priorityClassName": "system-cluster-critical",
    "serviceAccount": {"annotations": {"example.com/owner": "platform"}},
}


def find(items: list[Object], kind: str, name: str = "palena") -> Object:
    """The one object of a kind and name."""
    (found,) = (item for item in items if (item["kind"], item["metadata"]["name"]) == (kind, name))
    return found


def pod(items: list[Object]) -> Object:
    """The pod's spec."""
    return find(items, "Deployment")["spec"]["template"]["spec"]


def environment(items: list[Object]) -> dict[str, str]:
    """The variables with a literal value."""
    return {item["name"]: item["value"] for item in pod(items)["containers"][0]["env"] if "value" in item}


def webhook(items: list[Object]) -> Object:
    """How Metacontroller calls the sync hook of instances."""
    return find(items, "CompositeController", "litellminstances")["spec"]["hooks"]["sync"]["webhook"]


@pytest.mark.parametrize("values", [IMAGE, EVERYTHING], ids=["the least", "everything"])
@pytest.mark.parametrize("version", ["1.30", "1.36"])
def test_kubernetes_knows_every_field(values: Object, version: str, helm: Helm) -> None:
    for item in helm.template(values):
        if item["kind"] not in CUSTOM:
            kubernetes_validate.validate(item, version, strict=True)


def test_by_default_hooks_go_over_https_with_a_token_and_an_authority_made_for_this_installation(helm: Helm) -> None:
    items = helm.template(IMAGE)
    call = webhook(items)
    assert call["url"].startswith("https://palena.palena-system.svc/hooks/litellminstances/sync?rev=")
    assert call["authorization"]["secretRef"] == {"namespace": NAMESPACE, "name": "palena-hook-token", "key": "token"}
    assert call["caBundle"]["secretRef"] == {"namespace": NAMESPACE, "name": "palena-tls", "key": "ca.crt"}
    assert "clientTLS" not in call
    assert len(b64decode(find(items, "Secret", "palena-hook-token")["data"]["token"])) >= 32


def test_the_certificate_is_for_the_service_and_signed_by_the_authority_beside_it(helm: Helm) -> None:
    data = find(helm.template(IMAGE), "Secret", "palena-tls")["data"]
    authority, certificate = (x509.load_pem_x509_certificate(b64decode(data[key])) for key in ("ca.crt", "tls.crt"))
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "palena.palena-system.svc" in names.get_values_for_type(x509.DNSName)
    authority.public_key().verify(
        certificate.signature, certificate.tbs_certificate_bytes, PKCS1v15(), certificate.signature_hash_algorithm
    )


def test_a_fresh_token_gives_the_hooks_another_revision(helm: Helm) -> None:
    first, second = (webhook(helm.template(IMAGE))["url"] for _ in range(2))
    assert f"?rev={__version__}-" in first
    assert first != second


def test_mutual_tls_hands_metacontroller_a_certificate_and_the_service_only_its_authority(helm: Helm) -> None:
    items = helm.template({**IMAGE, "mutualTLS": {"enabled": True}})
    assert webhook(items)["clientTLS"] == {"secretRef": {"namespace": NAMESPACE, "name": "palena-client-tls"}}
    (volume,) = (volume for volume in pod(items)["volumes"] if volume["name"] == "client-authority")
    assert volume["secret"]["items"] == [{"key": "ca.crt", "path": "ca.crt"}]
    assert environment(items)["PALENA_TLS_CLIENT_CA_FILE"].endswith("/ca.crt")


def test_with_mutual_tls_the_kubelet_which_has_no_certificate_only_connects(helm: Helm) -> None:
    (container,) = pod(helm.template({**IMAGE, "mutualTLS": {"enabled": True}}))["containers"]
    assert container["readinessProbe"]["tcpSocket"] == container["livenessProbe"]["tcpSocket"] == {"port": "hooks"}


def test_secrets_of_the_user_are_referred_to_and_never_made(helm: Helm) -> None:
    values = {
        **IMAGE,
        "hookToken": {"existingSecret": "my-token", "key": "bearer"},
        "tls": {"existingSecret": "my-server"},
        "mutualTLS": {"enabled": True, "existingSecret": "my-client"},
    }
    items = helm.template(values)
    assert not [item for item in items if item["kind"] == "Secret"]
    call = webhook(items)
    assert call["authorization"]["secretRef"]["name"] == "my-token"
    assert call["authorization"]["secretRef"]["key"] == "bearer"
    assert call["caBundle"]["secretRef"]["name"] == "my-server"
    assert call["clientTLS"]["secretRef"]["name"] == "my-client"
    assert {volume["secret"]["secretName"] for volume in pod(items)["volumes"]} == {"my-token", "my-server", "my-client"}
    assert environment(items)["PALENA_HOOK_TOKEN_FILE"].endswith("/bearer")


def test_cert_manager_makes_both_certificates(helm: Helm) -> None:
    items = helm.template({**IMAGE, "tls": {"certManager": CERT_MANAGER}, "mutualTLS": {"enabled": True}})
    server, client = (find(items, "Certificate", name)["spec"] for name in ("palena-tls", "palena-client-tls"))
    assert "palena.palena-system.svc" in server["dnsNames"]
    assert server["issuerRef"] == client["issuerRef"] == {"name": "company", "kind": "ClusterIssuer", "group": "cert-manager.io"}
    assert [item["metadata"]["name"] for item in items if item["kind"] == "Secret"] == ["palena-hook-token"]


def test_attach_only_gives_nobody_a_right_over_workloads(helm: Helm) -> None:
    items = helm.template({**IMAGE, "shape": "attach-only", "addOns": {"monitoring": True}})
    groups = {group for item in items for rule in item.get("rules", []) for group in rule["apiGroups"]}
    assert groups <= {"", "apiextensions.k8s.io", "litellm.palena.ai", "metacontroller.k8s.io"}
    assert find(items, "CompositeController", "litellminstances")["spec"]["childResources"] == []
    assert not [item for item in items if item["kind"] == "DecoratorController"]


def test_attach_only_runs_the_entities_of_proxies_whole(helm: Helm) -> None:
    # A token that the chart does not make, since each rendering would make another.
    values = {**IMAGE, "hookToken": {"existingSecret": "token"}, "tls": {"enabled": False}}
    full, attach_only = (helm.template({**values, "shape": shape}) for shape in ("full", "attach-only"))
    keys = [find(items, "CompositeController", "litellmvirtualkeys") for items in (full, attach_only)]
    assert keys[0] == keys[1]
    assert [rule["resource"] for rule in keys[1]["spec"]["childResources"]] == ["secrets"]
    assert find(attach_only, "ClusterRole", "palena-reader") == find(full, "ClusterRole", "palena-reader")


def test_listed_namespaces_turn_the_readers_cluster_role_into_roles(helm: Helm) -> None:
    items = [item for item in helm.template(EVERYTHING) if item["metadata"]["name"] == "palena-reader"]
    roles = [item for item in items if item["kind"] == "Role"]
    assert {(item["kind"], item["metadata"]["namespace"]) for item in items} == {
        (kind, namespace) for kind in ("Role", "RoleBinding") for namespace in ("ai", "web")
    }
    assert {"apiGroups": [""], "resources": ["secrets"], "verbs": ["get"]} in roles[0]["rules"]
    for item in items:
        if item["kind"] == "RoleBinding":
            assert item["roleRef"]["kind"] == "Role"
            assert item["subjects"] == [{"kind": "ServiceAccount", "name": "palena", "namespace": NAMESPACE}]


def test_metacontroller_may_run_elsewhere(helm: Helm) -> None:
    items = helm.template({**IMAGE, "metacontroller": {"namespace": "ops", "serviceAccountName": "mc"}})
    (subject,) = find(items, "ClusterRoleBinding", "palena-metacontroller")["subjects"]
    assert (subject["namespace"], subject["name"]) == ("ops", "mc")
    (source,) = find(items, "NetworkPolicy")["spec"]["ingress"][0]["from"]
    assert source["namespaceSelector"]["matchLabels"] == {"kubernetes.io/metadata.name": "ops"}


def test_on_openshift_the_pod_names_no_numbers_for_user_and_group(helm: Helm) -> None:
    items = helm.template({**IMAGE, "settings": {"platform": "openshift"}})
    assert pod(items)["securityContext"] == {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    assert environment(items)["PALENA_PLATFORM"] == "openshift"


def test_add_ons_come_with_their_rights_and_the_service_is_told_of_them(helm: Helm) -> None:
    items = helm.template({**IMAGE, "addOns": {"monitoring": True}})
    assert [item["metadata"]["name"] for item in items if item["kind"] == "DecoratorController"] == [
        "litellminstances-monitoring"
    ]
    find(items, "ClusterRole", "palena-metacontroller-litellminstances-monitoring")
    assert environment(items)["PALENA_OPTIONAL_APIS"] == "monitoring.coreos.com"


def test_the_service_takes_every_variable_that_the_chart_sets(helm: Helm) -> None:
    settings = {"clusterID": "eu-1", "applyStrategy": "server-side-apply", "logLevel": "debug", "logFormat": "console"}
    values = {**EVERYTHING, "settings": {**EVERYTHING["settings"], **settings}, "addOns": {"monitoring": True}}
    read = Settings.from_environment(environment(helm.template(values)))
    assert read.unknown_variables == ()
    assert (read.cluster_id, read.apply_strategy, read.platform) == ("eu-1", "server-side-apply", "openshift")
    assert read.endpoint_allow == ("10.0.0.0/8", "*.corp.example")
    assert read.optional_apis == {"monitoring.coreos.com"}


def test_definitions_survive_the_release_and_can_be_left_to_others(helm: Helm) -> None:
    definitions = [item for item in helm.template(IMAGE) if item["kind"] == "CustomResourceDefinition"]
    assert definitions
    assert {item["metadata"]["annotations"]["helm.sh/resource-policy"] for item in definitions} == {"keep"}
    kinds = {item["kind"] for item in helm.template({**IMAGE, "crds": {"install": False}})}
    assert "CustomResourceDefinition" not in kinds


def test_what_is_switched_off_is_not_installed(helm: Helm) -> None:
    off = {"enabled": False}
    values = {**IMAGE, "networkPolicy": off, "podDisruptionBudget": off, "serviceAccount": {"create": False, "name": "other"}}
    items = helm.template({**values, "metacontroller": {"rights": False}})
    kinds = {item["kind"] for item in items if item["metadata"]["name"] != "palena-reader"}
    assert not kinds & {"NetworkPolicy", "PodDisruptionBudget", "ServiceAccount", "ClusterRoleBinding"}
    assert pod(items)["serviceAccountName"] == "other"


def test_a_digest_wins_over_a_tag(helm: Helm) -> None:
    digest = f"sha256:{'a' * 64}"
    items = helm.template({"image": {"repository": "registry.example.com/palena", "tag": "1", "digest": digest}})
    assert pod(items)["containers"][0]["image"] == f"registry.example.com/palena@{digest}"


@pytest.mark.parametrize("shape", ["full", "attach-only"])
def test_the_notes_begin_with_a_gateway_that_the_schema_takes(shape: str, helm: Helm) -> None:
    notes = helm.notes({**IMAGE, "shape": shape})
    (manifest,) = (part for part in notes.split("\n\n") if part.startswith("apiVersion: "))
    example = yaml.safe_load(manifest)
    assert isinstance(check_spec(LiteLLMInstanceSpec, example["spec"]), LiteLLMInstanceSpec)


def test_the_notes_warn_of_what_is_open(helm: Helm) -> None:
    assert "in the clear" in helm.notes({**IMAGE, "tls": {"enabled": False}})
    assert "Secret mine with the hook token" in helm.notes({**IMAGE, "hookToken": {"existingSecret": "mine"}})
