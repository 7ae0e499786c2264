"""What lint tells of slips that anybody makes: a field that is written nearly right, a name that is given twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from app.cli.checks.folder import Folder, identity
from app.cli.checks.same_names import same_name_warnings
from app.cli.files import Manifest
from tests.unit.cli.command import palena

if TYPE_CHECKING:
    from pathlib import Path

    from app.hooks.objects import Object

KEYS_ALIAS = (
    "spec.keyAlias: LiteLLMVirtualKey ai/a in a.json:1 has the same at LiteLLMInstance gw; LiteLLM takes only one of them"
)


def at(instance: str, kind: str, name: str, spec: Object, namespace: str = "ai") -> Manifest:
    """An object of an instance, in a file of its own."""
    item = {
        "apiVersion": "litellm.palena.ai/v1alpha1",
        "kind": kind,
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"instanceRef": {"name": instance}, **spec},
    }
    return Manifest(item, f"{name}.json:1")


def lint(folder: Path, *manifests: Manifest) -> list[tuple[str, str]]:
    """Origin and message of each finding."""
    for one in manifests:
        (folder / one.origin.removesuffix(":1")).write_text(json.dumps(one.item))
    return [(one["origin"], one["message"]) for one in json.loads(palena("lint", ".", "-o", "json", folder=folder).out)]


@pytest.mark.parametrize(
    ("kind", "spec", "told"),
    [
        (
            "LiteLLMVirtualKey",
            {"keyAlais": "k", "max_budget": "5"},
            'unknown field "spec.keyAlais", unknown field "spec.max_budget"; did you mean "spec.keyAlias" and "spec.maxBudget"?',
        ),
        (
            "LiteLLMModel",
            {"modelName": "m", "litellmParams": {"model": "openai/m", "api_key": "x"}},
            'unknown field "spec.litellmParams.api_key"; did you mean "spec.litellmParams.apiKeySecretRef"?',
        ),
        (
            "LiteLLMTeam",
            {"teamAlias": "t", "members": [{"email": "a@example.com"}, {"mail": "b@example.com"}]},
            'unknown field "spec.members[1].mail"; did you mean "spec.members[1].email"?',
        ),
        ("LiteLLMTeam", {"instanceRef": {"name": "gw", "namespace": "x"}}, 'unknown field "spec.instanceRef.namespace"'),
        (
            "LiteLLMTeam",
            {"_": 1, "a.b": 1, "[0]": 1},
            'unknown field "spec.[0]", unknown field "spec._", unknown field "spec.a.b"',
        ),
    ],
)
def test_a_misspelt_field_is_told_with_the_one_that_may_be_meant(tmp_path: Path, kind: str, spec: Object, told: str) -> None:
    assert lint(tmp_path, at("gw", kind, "a", spec))[0] == ("a.json:1", f"strict decoding error: {told}")


def test_two_keys_of_one_alias_are_told_at_the_later(tmp_path: Path) -> None:
    keys = [at("gw", "LiteLLMVirtualKey", name, {"keyAlias": "search"}) for name in ("a", "b")]
    told = [(origin, message) for origin, message in lint(tmp_path, *keys) if "keyAlias" in message]
    assert told == [("b.json:1", KEYS_ALIAS)]


@pytest.mark.parametrize(
    ("kind", "spec", "fields"),
    [
        ("LiteLLMBudget", {"budgetId": "x"}, ["budgetId"]),
        ("LiteLLMCredential", {"credentialName": "x"}, ["credentialName"]),
        ("LiteLLMCustomer", {"customerId": "x"}, ["customerId"]),
        ("LiteLLMMCPServer", {"serverName": "x", "alias": "y"}, ["serverName", "alias"]),
        ("LiteLLMTeam", {"teamId": "x", "teamAlias": "y"}, ["teamId"]),
        ("LiteLLMUser", {"userId": "x", "userEmail": "y"}, ["userId", "userEmail"]),
        ("LiteLLMVectorStore", {"vectorStoreId": "x"}, ["vectorStoreId"]),
        ("LiteLLMVirtualKey", {"keySecretName": "x"}, ["keySecretName"]),
        ("LiteLLMModel", {"modelName": "x"}, []),
        ("LiteLLMOrganization", {"organizationAlias": "x"}, []),
    ],
)
def test_what_litellm_has_once_is_told_of_and_nothing_else(kind: str, spec: Object, fields: list[str]) -> None:
    one, other = at("gw", kind, "a", spec), at("gw", kind, "b", spec)
    told = same_name_warnings(Folder([one, other]))
    assert [message.partition(":")[0] for message in told.pop(identity(other.item), [])] == [f"spec.{field}" for field in fields]
    assert told == {}


@pytest.mark.parametrize(
    ("kind", "one", "other", "told"),
    [
        (
            "LiteLLMBudget",
            {},
            {"budgetId": "a"},
            "spec.budgetId: LiteLLMBudget ai/a in a.json:1 has the same, a, at LiteLLMInstance gw; "
            "LiteLLM takes only one of them",
        ),
        (
            "LiteLLMMCPServer",
            {"url": "http://a"},
            {"url": "http://b", "serverName": "a"},
            "spec.serverName: LiteLLMMCPServer ai/a in a.json:1 has the same, a, at LiteLLMInstance gw; "
            "LiteLLM takes only one of them",
        ),
        (
            "LiteLLMVirtualKey",
            {"keyAlias": "a"},
            {"keyAlias": "b", "keySecretName": "a-key"},
            "spec.keySecretName: LiteLLMVirtualKey ai/a in a.json:1 has the same, a-key, for its Secret; "
            "only one of them gets it",
        ),
    ],
)
def test_a_name_that_only_one_of_two_specs_says_is_the_same(kind: str, one: Object, other: Object, told: str) -> None:
    first, second = at("gw", kind, "a", one), at("gw", kind, "b", other)
    assert same_name_warnings(Folder([first, second])) == {identity(second.item): [told]}
    assert same_name_warnings(Folder([first, at("gw", kind, "b", other, namespace="elsewhere")])) == {}


def test_one_secret_serves_no_two_keys_of_whatever_instances() -> None:
    keys = [at(gw, "LiteLLMVirtualKey", gw, {"keyAlias": "k", "keySecretName": "shared"}) for gw in ("one", "other")]
    told = "spec.keySecretName: LiteLLMVirtualKey ai/one in one.json:1 has the same for its Secret; only one of them gets it"
    assert same_name_warnings(Folder(keys)) == {identity(keys[1].item): [told]}


def secret(name: str, namespace: str = "ai", **metadata: object) -> Manifest:
    item = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": namespace, **metadata}}
    return Manifest(item, f"{name}-secret.json:1")


@pytest.mark.parametrize(
    ("spec", "name"), [({}, "app-key"), ({"keySecretName": "app-llm"}, "app-llm")], ids=["default", "chosen"]
)
def test_a_secret_of_the_files_where_a_key_will_write_its_own_is_told(tmp_path: Path, spec: Object, name: str) -> None:
    key = at("gw", "LiteLLMVirtualKey", "app", {"keyAlias": "app", **spec})
    told = (
        f"spec.keySecretName: Secret ai/{name} in {name}-secret.json:1 has the name under which this key's Secret is made; "
        "it is left untouched, and the key is not made beside it: choose another name, or leave that Secret out"
    )
    assert [message for origin, message in lint(tmp_path, key, secret(name)) if origin == "app.json:1"][-1:] == [told]


@pytest.mark.parametrize(
    "beside",
    [
        secret("app-key", namespace="elsewhere"),
        secret("app"),
        secret(
            "app-key",
            ownerReferences=[
                {
                    "apiVersion": "litellm.palena.ai/v1alpha1",
                    "kind": "LiteLLMVirtualKey",
                    "name": "app",
                    "uid": "1",
                    "controller": True,
                }
            ],
        ),
    ],
    ids=["another namespace", "another name", "the key's own, exported"],
)
def test_a_secret_that_is_not_in_the_way_of_a_key_is_not_told(beside: Manifest) -> None:
    key = at("gw", "LiteLLMVirtualKey", "app", {"keyAlias": "app"})
    assert same_name_warnings(Folder([key, beside])) == {}


@pytest.mark.parametrize("owner", [{"name": "other", "controller": True}, {"name": "app"}], ids=["another key", "no controller"])
def test_an_exported_secret_that_the_key_did_not_make_is_in_the_way_as_any(owner: Object) -> None:
    owner = {"apiVersion": "litellm.palena.ai/v1alpha1", "kind": "LiteLLMVirtualKey", **owner}
    key = at("gw", "LiteLLMVirtualKey", "app", {"keyAlias": "app"})
    told = same_name_warnings(Folder([key, secret("app-key", ownerReferences=[owner])]))
    assert [len(messages) for messages in told.values()] == [1]


def test_another_instance_or_namespace_may_have_the_same_alias() -> None:
    spec = {"keyAlias": "search"}
    keys = [
        at("gw", "LiteLLMVirtualKey", "a", spec),
        at("other", "LiteLLMVirtualKey", "b", spec),
        at("gw", "LiteLLMVirtualKey", "c", spec, namespace="elsewhere"),
    ]
    assert same_name_warnings(Folder(keys)) == {}


@pytest.mark.parametrize(
    ("kind", "spec", "told"),
    [
        (
            "LiteLLMCustomer",
            {"customerId": "c", "budgetId": "gold", "maxBudget": 1},
            "spec.budgetId sets the limits of this customer: take it out of the spec, or spec.maxBudget",
        ),
        (
            "LiteLLMVirtualKey",
            {"keyAlias": "k", "maxBudget": "fifty"},
            'spec.maxBudget: must be an amount of US dollars such as "12.50", not below 0',
        ),
    ],
)
def test_a_spec_that_only_an_edit_helps_is_told_without_the_master_key(
    tmp_path: Path, kind: str, spec: Object, told: str
) -> None:
    attached = {"workload": {"managed": False}, "masterKey": {"secretRef": {"name": "master", "key": "KEY"}}, "database": {}}
    gateway = at("gw", "LiteLLMInstance", "gw", attached)
    del gateway.item["spec"]["instanceRef"]
    assert lint(tmp_path, at("gw", kind, "a", spec), gateway) == [
        ("a.json:1", f"this release answers Ready=False InvalidSpec: {told}"),
        ("gw.json:1", "spec.masterKey.secretRef: Secret ai/master is in none of the files; the cluster must have it"),
    ]
