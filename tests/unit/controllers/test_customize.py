"""Which objects an instance relates to: by name wherever there are names, whatever the spec looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.unit.controllers.exchange import ATTACH_ONLY, FULL, SPEC, Palena, instance
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

LICENSES = ["gw-license", "litellm-license"]
OWN_SECRETS = ["gw-database-url", "gw-db", "gw-master-key", "gw-salt-key", "gw-scim-token"]


def rules(spec: Any, controller: Object = FULL) -> dict[str, Object]:
    """The rules by resource; each is for the instance's own namespace and restricts something."""

    async def scenario() -> dict[str, Object]:
        parent = instance(spec)
        if spec == "absent":
            del parent["spec"]
        found = await Palena(controller=controller).customize(parent)
        assert all(rule["namespace"] == "team" for rule in found)
        return {rule["resource"]: rule for rule in found}

    return run(scenario())


def names(spec: Any) -> list[str]:
    """Of the Secrets that an attached instance relates to; it relates to nothing else."""
    (rule,) = rules(spec).values()
    assert (rule["apiVersion"], rule["resource"]) == ("v1", "secrets")
    return rule["names"]


def test_an_attached_proxy_needs_its_key_its_cas_and_the_licence() -> None:
    tls = {"trustedCASecretRef": {"name": "ca"}, "serverCertSecretRef": {"name": "server"}}
    assert names({**SPEC, "tls": tls}) == ["ca", "gw-license", "litellm-license", "lk", "server"]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("absent", "an object without spec"),
        ({}, "an empty one"),
        ([], "not an object"),
        ({"masterKey": None}, "null"),
        ({"masterKey": "text"}, "not an object"),
        ({"masterKey": {"secretRef": {"name": 7}}}, "not a name"),
        ({"masterKey": {"secretRef": {"name": ""}}}, "an empty name"),
        ({"masterKey": {"secretRef": {"name": "No/Name"}}}, "no object can have it"),
        ({"tls": {"trustedCASecretRef": []}}, "not a reference"),
    ],
)
def test_a_spec_that_makes_no_sense_still_gets_a_rule_with_names(spec: Any, why: str) -> None:
    assert rules(spec)["secrets"]["names"] == sorted([*LICENSES, *OWN_SECRETS]), why


def test_a_name_is_asked_for_once() -> None:
    assert names({**SPEC, "tls": {"trustedCASecretRef": {"name": "lk"}}}) == [*LICENSES, "lk"]


MANAGED: dict[str, Any] = {
    "masterKey": {"secretRef": {"name": "mk", "key": "k"}},
    "database": {"cloudnativepg": {"clusterName": "pg"}},
    "extraEnvFrom": [{"configMapRef": {"name": "settings"}}],
    "extraVolumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "projected"}}]}}],
    "scim": {"enabled": True, "generatedTokenSecretName": "scim"},
    "sso": {"customSsoHandler": {"configMapRef": {"name": "handler"}}},
}


def test_a_managed_instance_asks_for_what_it_refers_to_and_for_the_names_that_it_needs() -> None:
    found = rules(MANAGED)
    assert set(found["secrets"]["names"]) >= {"mk", "pg-app", "projected", "scim", "gw-db", "gw-license"}
    assert set(found["configmaps"]["names"]) == {"gw-config", "gw-grafana-dashboard", "handler", "settings"}
    for kind in ("deployments", "services", "serviceaccounts", "ingresses", "statefulsets", "persistentvolumeclaims"):
        assert found[kind]["names"], kind


def test_pods_come_by_label_and_guardrails_by_namespace() -> None:
    found = rules(MANAGED)

    async def selected() -> list[Object]:
        asked = await Palena().customize(instance(MANAGED))
        return [rule["labelSelector"]["matchLabels"] for rule in asked if rule["resource"] == "pods"]

    proxy, migration = run(selected())
    assert proxy["litellm.palena.ai/instance"] == migration["litellm.palena.ai/instance"] == "gw"
    assert (proxy["app.kubernetes.io/name"], migration["app.kubernetes.io/name"]) == ("litellm", "litellm-migration")
    assert found["litellmguardrails"] == {
        "apiVersion": "litellm.palena.ai/v1alpha1",
        "resource": "litellmguardrails",
        "namespace": "team",
    }


def test_an_attach_only_installation_is_asked_for_no_more_than_it_may_see() -> None:
    assert set(rules(MANAGED, ATTACH_ONLY)) == {"secrets"}
