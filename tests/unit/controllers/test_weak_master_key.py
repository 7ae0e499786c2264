"""A gateway whose master key LiteLLM does not start with: told before the pods fail, and never with the key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.resources.kinds import SECRET
from tests.unit.controllers.gateway_world import SPEC, TEAM, instance, secret, world

EXAMPLE = "sk-1234"
KEY = {"masterKey": {"secretRef": {"name": "mk", "key": "KEY"}}}
OVERRIDE = {"name": "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY", "value": "True"}


def spec(tag: str = "v1.108.14", **fields: Any) -> dict[str, Any]:
    return {**SPEC, **KEY, "image": {"tag": tag}, **fields}


async def told(wanted: dict[str, Any], key: str) -> str:
    """What ``SpecWarnings`` says of the master key; empty without a word."""
    secrets = secret("pg", url="postgresql://h/d"), secret("mk", KEY=key, OTHER=EXAMPLE, SALT="salt")
    async with world(*secrets, instance(wanted)) as made:
        status = json.dumps(await made.status())
        assert EXAMPLE not in status
        conditions = {item["type"]: item["message"] for item in (await made.status())["conditions"]}
        return next((one for one in conditions.get("SpecWarnings", "").split("; ") if "aster" in one), "")


@pytest.mark.parametrize("key", [EXAMPLE, f"{EXAMPLE}\n", f" {EXAMPLE} "], ids=["plain", "from a file", "in blanks"])
async def test_the_key_of_the_examples_is_told_with_its_secret_and_the_remedy(key: str) -> None:
    message = await told(spec(), key)
    assert message.startswith("spec.masterKey names key KEY of Secret mk, which has LiteLLM's example of a master key")
    assert "LiteLLM does not start with it from 1.104 on" in message
    assert "put a random one there" in message


async def test_a_blank_key_is_told() -> None:
    assert "key KEY of Secret mk, which has nothing but blanks" in await told(spec(), " \n")


@pytest.mark.parametrize("key", ["sk-12345", "sk-abc", "x", f"{EXAMPLE}-{EXAMPLE}"])
async def test_every_other_key_is_litellms_to_take(key: str) -> None:
    assert await told(spec(), key) == ""


async def test_the_key_is_replaced_without_losing_what_is_encrypted_with_it() -> None:
    for unsalted in ({}, {"saltKey": {"autoGenerate": False}}):
        assert "LITELLM_MIGRATE_FROM_MASTER_KEY" in await told(spec(**unsalted), EXAMPLE)
    for salt in ({"autoGenerate": True}, {"secretRef": {"name": "mk", "key": "SALT"}}):
        assert "LITELLM_MIGRATE_FROM_MASTER_KEY" not in await told(spec(saltKey=salt), EXAMPLE)


@pytest.mark.parametrize("tag", ["v1.104.0", "main-v1.110.2", "latest", "sha256:" + "0" * 64])
async def test_a_release_that_may_refuse_is_told_of(tag: str) -> None:
    assert await told(spec(tag), EXAMPLE)


@pytest.mark.parametrize("tag", ["v1.81.14", "main-v1.103.3-stable"])
async def test_a_release_that_starts_with_any_key_is_not(tag: str) -> None:
    assert await told(spec(tag), EXAMPLE) == ""


@pytest.mark.parametrize(
    "fields",
    [
        {"extraEnvVars": [OVERRIDE]},
        {"generalSettings": {"extra": {"dangerously_permit_weak_or_unset_master_key": True}}},
        {"generalSettings": {"extra": {"master_key": "os.environ/MINE"}}},
        {"extraEnvVars": [{"name": "LITELLM_MASTER_KEY", "value": "sk-of-my-own"}]},
    ],
    ids=["a variable permits it", "a setting permits it", "the configuration has a key", "a variable has another key"],
)
async def test_a_key_that_is_not_weighed_is_not_told(fields: dict[str, Any]) -> None:
    assert await told(spec(**fields), EXAMPLE) == ""


@pytest.mark.parametrize(
    "variables",
    [
        [{"name": "LITELLM_MASTER_KEY", "valueFrom": {"configMapKeyRef": {"name": "mk", "key": "OTHER"}}}],
        [{"name": "LITELLM_MASTER_KEY", "valueFrom": {"secretKeyRef": {"name": "gone", "key": "KEY"}}}],
        [{"name": "A=B", "value": "1"}],
    ],
    ids=["in a ConfigMap", "in no Secret", "beside what is no variable"],
)
async def test_a_key_that_cannot_be_read_here_is_not_told(variables: list[dict[str, Any]]) -> None:
    assert await told(spec(extraEnvVars=variables), EXAMPLE) == ""


async def test_a_key_that_is_no_text_is_not_told() -> None:
    binary = secret("mk", KEY="")
    binary["data"]["KEY"] = "//79"
    async with world(secret("pg", url="postgresql://h/d"), binary, instance(spec())) as made:
        assert "SpecWarnings" not in {one["type"] for one in (await made.status())["conditions"]}


async def test_a_permission_that_is_none_permits_nothing() -> None:
    assert await told(spec(extraEnvVars=[{**OVERRIDE, "value": "1"}]), EXAMPLE)
    assert await told(spec(generalSettings={"extra": {"dangerously_permit_weak_or_unset_master_key": "yes"}}), EXAMPLE)


async def test_the_key_that_a_variable_brings_is_the_one_that_counts() -> None:
    other = {"name": "LITELLM_MASTER_KEY", "valueFrom": {"secretKeyRef": {"name": "mk", "key": "OTHER"}}}
    message = await told(spec(extraEnvVars=[other]), "sk-fine")
    assert message.startswith("spec.extraEnvVars names key OTHER of Secret mk, which has LiteLLM's example")


async def test_an_example_in_the_spec_itself_is_told() -> None:
    async with world(
        secret("pg", url="postgresql://h/d"),
        secret("mk", KEY="sk-fine"),
        instance(spec(extraEnvVars=[{"name": "LITELLM_MASTER_KEY", "value": EXAMPLE}])),
    ) as made:
        assert "spec.extraEnvVars gives LITELLM_MASTER_KEY LiteLLM's example of a master key" in await made.message(
            "SpecWarnings"
        )


@pytest.mark.parametrize("variable", [{"value": " "}, {"value": ""}, {}], ids=["blanks", "empty", "no value"])
@pytest.mark.parametrize("field", ["extraEnvVars", "callbacks.envVars"])
async def test_a_blank_key_in_the_spec_itself_is_told(variable: dict[str, Any], field: str) -> None:
    variables = [{"name": "LITELLM_MASTER_KEY", **variable}]
    fields = {"extraEnvVars": variables} if field == "extraEnvVars" else {"callbacks": {"envVars": variables}}
    message = await told(spec(**fields), "sk-fine")
    assert message.startswith(f"spec.{field} gives LITELLM_MASTER_KEY nothing but blanks")


async def test_a_generated_key_that_somebody_replaced_by_the_example_is_told() -> None:
    async with world(secret("pg", url="postgresql://h/d"), instance({**SPEC, "image": {"tag": "v1.108.14"}})) as made:
        assert [one["type"] for one in (await made.status())["conditions"]].count("SpecWarnings") == 0
        weak = secret("gw-master-key", **{"master-key": EXAMPLE})["data"]
        found = next(one for one in await made.cluster.list(SECRET, TEAM) if one["metadata"]["name"] == "gw-master-key")
        await made.cluster.update({**found, "data": weak})
        await made.settle()
        assert "key master-key of Secret gw-master-key, which has LiteLLM's example" in await made.message("SpecWarnings")
