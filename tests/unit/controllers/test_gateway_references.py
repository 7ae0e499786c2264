"""What pods read: missing, gone later, rotated, and what guardrails refer to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.kube.reader import NoReader, ReadFailed
from app.resources.kinds import CONFIG_MAP, DEPLOYMENT, JOB, SECRET
from tests.unit.controllers.gateway_world import SPEC, TEAM, env_of, instance, running, secret, template_of, world

if TYPE_CHECKING:
    from app.hooks.objects import Object

GUARDRAIL: dict[str, Any] = {
    "apiVersion": "litellm.palena.ai/v1alpha1",
    "kind": "LiteLLMGuardrail",
    "metadata": {"name": "pii", "namespace": TEAM},
    "spec": {
        "instanceRef": {"name": "gw"},
        "guardrailName": "pii",
        "provider": "presidio",
        "mode": "pre_call",
        "apiKeySecretRef": {"name": "presidio", "key": "token"},
    },
}


class Cluster(NoReader):
    """A reader of Secrets that a test changes."""

    def __init__(self, **secrets: Object) -> None:
        super().__init__()
        self.secrets = secrets
        self.broken = False

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        if self.broken:
            raise ReadFailed(f"Secret {name} cannot be read: the API server does not answer")
        return self.secrets.get(name)


async def annotations(made: Any) -> dict[str, str]:
    return template_of(await made.get(DEPLOYMENT))["metadata"].get("annotations", {})


async def test_a_secret_that_is_not_there_yet_is_named_with_field_and_key() -> None:
    async with world(instance(SPEC)) as made:
        assert await made.find(DEPLOYMENT) is None
        assert await made.reason("ReferencesResolved") == "False/ReferenceMissing"
        assert "Secret pg does not exist (spec.database.external.connectionSecretRef)" in await made.message("ReferencesResolved")
        assert await made.reason() == "False/ReconcileError"
        await made.create(secret("pg", other="x"))
        assert "Secret pg has no key url" in await made.message("ReferencesResolved")
        await made.cluster.merge_patch(SECRET, TEAM, "pg", {"data": {"url": "cG9zdGdyZXM6Ly8="}})
        await made.settle()
        assert await made.find(DEPLOYMENT) is not None
        assert await made.reason("ReferencesResolved") == ""


async def test_a_secret_that_is_gone_later_rolls_no_pod() -> None:
    async with running() as made:
        before = await made.get(DEPLOYMENT)
        await made.cluster.delete(SECRET, TEAM, "pg")
        await made.settle()
        assert await made.reason("ReferencesResolved") == "False/ReferenceMissing"
        assert await made.reason("RolloutComplete") == "False/Held"
        after = await made.get(DEPLOYMENT)
        assert after["metadata"]["generation"] == before["metadata"]["generation"]
        assert (await made.status())["ready"] is True
        await made.create(secret("pg", url="postgresql://u:p@h/d"))
        assert await made.reason() == "True/AllResourcesReady"
        assert (await made.get(DEPLOYMENT))["metadata"]["generation"] == before["metadata"]["generation"]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (
            {"extraEnvVars": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "a", "key": "k"}}}]},
            "Secret a does not exist (spec.extraEnvVars[0].valueFrom.secretKeyRef)",
        ),
        ({"extraEnvFrom": [{"configMapRef": {"name": "a"}}]}, "ConfigMap a does not exist (spec.extraEnvFrom[0].configMapRef)"),
        (
            {"extraVolumes": [{"name": "v", "secret": {"secretName": "a"}}]},
            "Secret a does not exist (spec.extraVolumes[0].secret)",
        ),
        ({"tls": {"serverCertSecretRef": {"name": "a"}}}, "Secret a does not exist (spec.tls.serverCertSecretRef)"),
        (
            {"redis": {"enabled": True, "host": "r", "passwordSecretRef": {"name": "a", "key": "k"}}},
            "Secret a does not exist (spec.redis.passwordSecretRef)",
        ),
        (
            {"adminUI": {"colorThemeConfigMapRef": {"name": "a"}}},
            "ConfigMap a does not exist (spec.adminUI.colorThemeConfigMapRef)",
        ),
    ],
)
async def test_every_way_to_refer_is_told_by_its_field(spec: dict[str, Any], words: str) -> None:
    async with running() as made:
        await made.edit(spec)
        assert words in await made.message("ReferencesResolved")


async def test_an_empty_setting_of_a_config_map_is_there() -> None:
    metadata = {"name": "settings", "namespace": TEAM}
    settings = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"EMPTY": ""}}
    variable = {"name": "PROXY", "valueFrom": {"configMapKeyRef": {"name": "settings", "key": "EMPTY"}}}
    async with running({**SPEC, "extraEnvVars": [variable]}, settings) as made:
        assert env_of(await made.get(DEPLOYMENT))["PROXY"] == variable


async def test_a_certificate_without_its_key_is_told() -> None:
    async with running(None, secret("cert", **{"tls.crt": "x"})) as made:
        await made.edit({"tls": {"clientCertSecretRef": {"name": "cert"}}})
        assert "Secret cert has no key tls.key (spec.tls.clientCertSecretRef)" in await made.message("ReferencesResolved")


MAYBE_WHOLE = {"extraEnvFrom": [{"secretRef": {"name": "maybe", "optional": True}}]}
MAYBE_KEY = {
    "extraEnvVars": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "maybe", "key": "a", "optional": True}}}],
}


@pytest.mark.parametrize("spec", [MAYBE_WHOLE, MAYBE_KEY], ids=["whole", "one key"])
async def test_an_optional_reference_is_not_missed_and_counts_when_it_comes_and_changes_but_not_when_it_goes(
    spec: dict[str, Any],
) -> None:
    async with running(None, secret("sure", b="1")) as made:
        await made.edit({**spec, "extraVolumes": [{"name": "v", "secret": {"secretName": "sure"}}]})
        assert await made.reason("ReferencesResolved") == ""
        absent = await annotations(made)
        await made.create(secret("maybe", a="1"))
        come = await annotations(made)
        assert come != absent, "pods that lack it are replaced"
        await made.cluster.merge_patch(SECRET, TEAM, "maybe", {"data": {"a": "Mg=="}})
        await made.settle()
        changed = await annotations(made)
        assert changed != come
        await made.cluster.delete(SECRET, TEAM, "maybe")
        await made.settle()
        assert await annotations(made) == changed, "who may go without it goes on with what was read"
        assert await made.reason("ReferencesResolved") == ""
        await made.cluster.merge_patch(SECRET, TEAM, "sure", {"data": {"b": "Mg=="}})
        await made.settle()
        rotated = await annotations(made)
        assert {key for key in rotated if rotated[key] != changed[key]} == {"litellm.palena.ai/secret-hash"}
        await made.create(secret("maybe", a="2"))
        assert await annotations(made) == rotated, "it came back as it was"


async def test_an_optional_key_that_goes_rolls_nothing() -> None:
    async with running({**SPEC, **MAYBE_KEY}, secret("maybe", a="1", b="1")) as made:
        before = await annotations(made)
        await made.cluster.merge_patch(SECRET, TEAM, "maybe", {"data": {"a": None}})
        await made.settle()
        assert await annotations(made) == before


async def test_what_is_optional_in_one_place_and_needed_in_another_is_needed() -> None:
    needed = {"name": "B", "valueFrom": {"secretKeyRef": {"name": "maybe", "key": "a"}}}
    spec = {**SPEC, "extraEnvVars": [*MAYBE_KEY["extraEnvVars"], needed]}
    async with running(spec, secret("maybe", a="1")) as made:
        before = await made.get(DEPLOYMENT)
        await made.cluster.delete(SECRET, TEAM, "maybe")
        await made.settle()
        assert await made.reason("ReferencesResolved") == "False/ReferenceMissing"
        assert template_of(await made.get(DEPLOYMENT)) == template_of(before)


@pytest.mark.parametrize(
    ("change", "rolls", "why"),
    [
        ({"data": {"url": "cG9zdGdyZXM6Ly9uZXc="}}, True, "the value that pods read"),
        ({"data": {"unread": "eA=="}}, False, "a key that nobody reads"),
        ({"metadata": {"annotations": {"a": "b"}}}, False, "no content at all"),
    ],
)
async def test_a_rotated_secret_rolls_the_pods_and_an_unread_key_does_not(change: dict[str, Any], rolls: bool, why: str) -> None:
    async with running() as made:
        before = await annotations(made)
        await made.cluster.merge_patch(SECRET, TEAM, "pg", change)
        await made.settle()
        assert (await annotations(made) != before) == rolls, why


async def test_a_changed_setting_rolls_the_pods_by_the_configuration() -> None:
    async with running() as made:
        before = await annotations(made)
        await made.edit({"routerSettings": {"numRetries": 5}})
        after = await annotations(made)
        assert {key for key in after if after[key] != before.get(key)} == {"litellm.palena.ai/config-hash"}


async def test_a_restart_by_kubectl_survives_beside_the_digests() -> None:
    async with running() as made:
        restart = {"spec": {"template": {"metadata": {"annotations": {"kubectl.kubernetes.io/restartedAt": "2030"}}}}}
        await made.cluster.merge_patch(DEPLOYMENT, TEAM, "gw", restart)
        await made.settle()
        await made.edit({"image": {"tag": "v1.81.0"}})
        assert (await annotations(made))["kubectl.kubernetes.io/restartedAt"] == "2030"


# Guardrails: what they refer to is two references away.


async def test_a_guardrail_is_rendered_and_its_secret_is_read_from_the_cluster() -> None:
    cluster = Cluster(presidio=secret("presidio", token="t1"))
    async with running(None, GUARDRAIL, reader=cluster) as made:
        assert "guardrail_name: pii" in (await made.get(CONFIG_MAP, "gw-config"))["data"]["proxy_server_config.yaml"]
        assert "GUARDRAIL_PII_API_KEY" in env_of(await made.get(DEPLOYMENT))
        assert await made.reason("GuardrailsApplied") == "True/GuardrailsApplied"
        assert (await made.status())["guardrails"] == [{"name": "pii", "guardrailName": "pii", "configured": True}]
        before = await annotations(made)
        cluster.secrets["presidio"] = secret("presidio", token="t2")
        await made.settle(120)
        assert await annotations(made) != before, "a rotation is seen at the next resync"


async def test_a_failure_to_read_is_no_sign_that_a_secret_is_gone() -> None:
    cluster = Cluster(presidio=secret("presidio", token="t1"))
    async with running(None, GUARDRAIL, reader=cluster) as made:
        before = await made.get(DEPLOYMENT)
        cluster.broken = True
        await made.settle(120)
        assert template_of(await made.get(DEPLOYMENT)) == template_of(before)
        assert await made.reason("ReferencesResolved") == "Unknown/ReferenceUnreadable"
        assert await made.reason() == "True/AllResourcesReady"
        await made.edit({"image": {"tag": "v1.81.0"}})
        assert await made.image() == "v1.81.0", "an edit goes on with the digest that is known"


async def test_a_guardrails_secret_that_is_gone_holds_the_pods() -> None:
    cluster = Cluster(presidio=secret("presidio", token="t1"))
    async with running(None, GUARDRAIL, reader=cluster) as made:
        before = await made.get(DEPLOYMENT)
        cluster.secrets.clear()
        await made.settle(120)
        assert "Secret presidio does not exist (guardrail pii spec.apiKeySecretRef)" in await made.message("ReferencesResolved")
        assert template_of(await made.get(DEPLOYMENT)) == template_of(before)


async def test_without_a_cluster_to_read_from_the_gateway_runs_and_says_so() -> None:
    async with running(None, GUARDRAIL) as made:
        assert await made.reason("ReferencesResolved") == "Unknown/ReferenceUnreadable"
        assert "no cluster is configured" in await made.message("ReferencesResolved")


async def test_guardrails_that_cannot_be_used_are_left_out_and_told() -> None:
    invalid = {
        **GUARDRAIL,
        "metadata": {"name": "odd", "namespace": TEAM},
        "spec": {**GUARDRAIL["spec"], "guardrailClass": "a.B"},
    }
    twin = {
        **GUARDRAIL,
        "metadata": {"name": "twin", "namespace": TEAM},
        "spec": {**GUARDRAIL["spec"], "guardrailName": "PII", "apiKeySecretRef": {"name": "other", "key": "token"}},
    }
    foreign = {
        **GUARDRAIL,
        "metadata": {"name": "foreign", "namespace": TEAM},
        "spec": {**GUARDRAIL["spec"], "instanceRef": {"name": "x"}},
    }
    cluster = Cluster(presidio=secret("presidio", token="t1"))
    async with running(None, GUARDRAIL, reader=cluster) as made:
        await made.create(invalid, twin, foreign)
        assert await made.reason("GuardrailsApplied") == "False/GuardrailsLeftOut"
        notes = {note["name"]: note.get("reason", "") for note in (await made.status())["guardrails"]}
        assert notes == {"pii": "", "odd": "GuardrailClassNotAllowed", "twin": "GuardrailNameCollision"}
        assert "guardrail_name: PII" not in (await made.get(CONFIG_MAP, "gw-config"))["data"]["proxy_server_config.yaml"]


async def test_a_guardrail_that_is_deleted_leaves_the_configuration() -> None:
    cluster = Cluster(presidio=secret("presidio", token="t1"))
    async with running(None, GUARDRAIL, reader=cluster) as made:
        resource = await made.cluster.resource(GUARDRAIL["apiVersion"], "litellmguardrails")
        await made.cluster.delete(resource, TEAM, "pii")
        await made.settle()
        assert "guardrail" not in (await made.get(CONFIG_MAP, "gw-config"))["data"]["proxy_server_config.yaml"]


# A name alone tells nothing: a Secret, a ConfigMap and a key of either are different things.


async def test_a_config_map_with_the_name_of_an_unreadable_secret_is_still_looked_at() -> None:
    cluster = Cluster(presidio=secret("presidio", token="t1"))
    config = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "presidio", "namespace": TEAM},
        "data": {"A": "1"},
    }
    spec = {**SPEC, "extraEnvFrom": [{"configMapRef": {"name": "presidio"}}]}
    async with running(spec, config, GUARDRAIL, reader=cluster) as made:
        before = await annotations(made)
        cluster.broken = True
        await made.settle(120)
        assert await annotations(made) == before
        await made.cluster.merge_patch(CONFIG_MAP, TEAM, "presidio", {"data": {"A": "2"}})
        await made.settle()
        changed = await annotations(made)
        assert {key for key in changed if changed[key] != before[key]} == {"litellm.palena.ai/config-hash"}
        await made.cluster.delete(CONFIG_MAP, TEAM, "presidio")
        await made.settle()
        assert "ConfigMap presidio does not exist (spec.extraEnvFrom[0].configMapRef)" in await made.message("ReferencesResolved")
        assert await annotations(made) == changed


async def test_a_config_map_with_the_name_of_a_generated_secret_is_missed() -> None:
    async with running() as made:
        before = await made.get(DEPLOYMENT)
        await made.edit({"extraEnvFrom": [{"configMapRef": {"name": "gw-master-key"}}]})
        assert "ConfigMap gw-master-key does not exist" in await made.message("ReferencesResolved")
        assert template_of(await made.get(DEPLOYMENT)) == template_of(before)


async def test_a_key_that_a_generated_secret_does_not_have_is_missed() -> None:
    async with running() as made:
        before = await made.get(DEPLOYMENT)
        await made.edit({"extraEnvVars": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "gw-master-key", "key": "a"}}}]})
        assert "Secret gw-master-key has no key a (spec.extraEnvVars[0]" in await made.message("ReferencesResolved")
        assert template_of(await made.get(DEPLOYMENT)) == template_of(before)
        await made.cluster.merge_patch(SECRET, TEAM, "gw-master-key", {"data": {"a": "eA=="}})
        await made.settle()
        assert await made.reason("ReferencesResolved") == "", "somebody added it"


async def test_a_migration_waits_for_a_key_that_a_generated_secret_does_not_have() -> None:
    lacking = {"connectionSecretRef": {"name": "gw-master-key", "key": "url"}}
    spec = {**SPEC, "database": {"external": lacking, "migration": {"enabled": True}}}
    async with world(instance(spec)) as made:
        assert await made.names(JOB) == []
        assert "Secret gw-master-key has no key url" in await made.message("DatabaseReady")


async def test_a_secret_that_the_spec_mentions_too_is_missed_whatever_the_reader_says() -> None:
    cluster = Cluster()
    cluster.broken = True
    variable = {"name": "A", "valueFrom": {"secretKeyRef": {"name": "presidio", "key": "token"}}}
    given = secret("presidio", token="t1")
    async with running({**SPEC, "extraEnvVars": [variable]}, given, GUARDRAIL, reader=cluster) as made:
        before = await made.get(DEPLOYMENT)
        await made.cluster.delete(SECRET, TEAM, "presidio")
        await made.settle()
        assert "Secret presidio does not exist (spec.extraEnvVars[0]" in await made.message("ReferencesResolved")
        assert template_of(await made.get(DEPLOYMENT)) == template_of(before)


async def test_a_missing_pull_secret_is_told_and_stops_nothing() -> None:
    """The kubelet pulls without it, which a public image or a node's own credentials allow."""
    async with running() as made:
        await made.edit({"image": {"pullSecrets": [{"name": "registry"}]}})
        await made.run_pods()
        pod = template_of(await made.get(DEPLOYMENT))["spec"]
        assert pod["imagePullSecrets"] == [{"name": "registry"}]
        assert await made.reason("ReferencesResolved") == "False/PullSecretMissing"
        assert "Secret registry does not exist (spec.image.pullSecrets[0])" in await made.message("ReferencesResolved")
        assert await made.reason() == "True/AllResourcesReady"
        before = template_of(await made.get(DEPLOYMENT))
        await made.create(secret("registry", **{".dockerconfigjson": "{}"}))
        assert await made.reason("ReferencesResolved") == ""
        assert template_of(await made.get(DEPLOYMENT)) == before, "no pod reads it"


async def test_a_missing_pull_secret_is_told_beside_what_pods_miss() -> None:
    spec = {**SPEC, "image": {"tag": "v1.80.0", "pullSecrets": [{"name": "registry"}]}}
    async with world(instance(spec)) as made:
        assert await made.reason("ReferencesResolved") == "False/ReferenceMissing"
        for missing in ("Secret pg does not exist", "Secret registry does not exist"):
            assert missing in await made.message("ReferencesResolved")


async def test_what_is_optional_and_cannot_be_read_keeps_no_rotation_back() -> None:
    cluster = Cluster(maybe=secret("maybe", token="t1"))
    variable = {"name": "A", "valueFrom": {"secretKeyRef": {"name": "maybe", "key": "token", "optional": True}}}
    spec = {key: value for key, value in GUARDRAIL["spec"].items() if key != "apiKeySecretRef"}
    async with running(None, {**GUARDRAIL, "spec": {**spec, "envVars": [variable]}}, reader=cluster) as made:
        before = await annotations(made)
        cluster.broken = True
        await made.settle(120)
        assert await annotations(made) == before
        await made.cluster.merge_patch(SECRET, TEAM, "pg", {"data": {"url": "cG9zdGdyZXM6Ly9uZXc="}})
        await made.settle()
        after = await annotations(made)
        assert {key for key in after if after[key] != before[key]} == {"litellm.palena.ai/secret-hash"}


async def test_a_licence_that_vanishes_replaces_no_pod_and_one_that_is_emptied_is_given_up() -> None:
    async with running(SPEC) as made:
        await made.create(secret("gw-license", **{"license-key": "x"}))
        await made.run_pods()
        template = (await made.get(DEPLOYMENT))["spec"]["template"]
        await made.cluster.delete(SECRET, TEAM, "gw-license")
        await made.settle()
        assert (await made.get(DEPLOYMENT))["spec"]["template"] == template
        assert "gw-license" in await made.message("ReferencesResolved")
        assert (await made.status())["license"] == {"active": False}
        await made.create(secret("gw-license", note="none any more"))
        assert "LITELLM_LICENSE" not in str((await made.get(DEPLOYMENT))["spec"]["template"])
