"""LiteLLMCredential: a provider's values under a name that models refer to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from app.apis.litellm.credential import LiteLLMCredentialSpec
from app.litellm.entities.ownership import MARK
from app.sim.fake_litellm import Fault
from app.status.resync import TICK
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run

if TYPE_CHECKING:
    from app.hooks.objects import Object

KIND = "LiteLLMCredential"
RELEASES = pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
FULL: Object = {
    "credentialName": "az",
    "apiKeySecretRef": {"name": "azure", "key": "key"},
    "apiBase": "https://eu",
    "apiVersion": "2024-10-21",
    "params": {"organization": "o", "api_key": "ignored", "nested": {"a": [1]}, "zero": 0, "off": False},
}


def provided(version: str = "1.110.2") -> World:
    """A world with the provider's key."""
    world = World()
    world.proxy.version = version
    world.secret("azure", key="az-key-0123")
    return world


def wish(world: World, annotations: dict[str, str] | None = None, **spec: Any) -> None:
    """The credential ``azure``, or an edit of it."""
    wanted = {"credentialName": "az", "apiKeySecretRef": {"name": "azure", "key": "key"}, **spec}
    world.entity(KIND, "azure", annotations, **wanted)


def row(world: World, name: str = "az") -> Object:
    return world.rows("credentials")[name]


async def settled(world: World, **spec: Any) -> Object:
    """A credential in step; its row."""
    wish(world, **spec)
    await world.sync(KIND, "azure")
    assert world.condition(KIND, "azure") == ("True", "Synced"), world.message(KIND, "azure")
    return row(world, spec.get("credentialName", "az"))


def test_every_field_of_the_spec_reaches_litellm() -> None:
    async def scenario() -> None:
        assert {field.alias for field in LiteLLMCredentialSpec.model_fields.values()} == {*FULL, "instanceRef"}
        world = provided()
        made = await settled(world, **FULL)
        assert made["credential_values"] == {
            "api_key": "az-key-0123",
            "api_base": "https://eu",
            "api_version": "2024-10-21",
            "organization": "o",
            "nested": {"a": [1]},
            "zero": 0,
            "off": False,
        }
        assert made["credential_info"][MARK]["owner"] == "north/team/azure"

    run(scenario())


def test_a_credential_is_created_once_and_then_left_alone() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world)
        first = world.objects[KIND, "azure"]["status"]
        assert (first["configured"], first["credentialName"], first["referencedByModels"]) == (True, "az", 0)
        assert "synced" not in first
        world.forget_calls()
        assert await world.sync(KIND, "azure") == first
        assert world.proxy.admin_calls == []

    run(scenario())


@RELEASES
def test_an_edit_is_a_patch_that_keeps_what_others_wrote(version: str) -> None:
    async def scenario() -> None:
        world = provided(version)
        made = await settled(world)
        made["credential_info"]["description"] = "theirs"
        made["credential_values"]["theirs"] = 1
        made = await settled(world, apiBase="https://us")
        assert made["credential_values"] == {"api_key": "az-key-0123", "api_base": "https://us", "theirs": 1}
        assert made["credential_info"]["description"] == "theirs"
        assert made["credential_info"][MARK]["fields"] == ["api_base", "api_key"]
        assert world.proxy.admin_calls[-1] == "PATCH /credentials/az"

    run(scenario())


@RELEASES
def test_a_value_that_leaves_the_spec_is_gone_from_litellm(version: str) -> None:
    async def scenario() -> None:
        world = provided(version)
        await settled(world, **FULL)
        made = await settled(world)
        assert made["credential_values"] == {"api_key": "az-key-0123"}

    run(scenario())


def test_a_new_key_in_the_secret_is_pushed() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world)
        world.secret("azure", key="az-key-4567")
        await world.sync(KIND, "azure")
        assert row(world)["credential_values"]["api_key"] == "az-key-4567"

    run(scenario())


def test_a_name_with_a_blank_and_a_slash_stays_one_name() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world, credentialName="a b/c")
        await settled(world, credentialName="a b/c", apiBase="https://eu")
        assert [*world.rows("credentials")] == ["a b/c"]
        assert await world.finalize(KIND, "azure")
        assert world.rows("credentials") == {}

    run(scenario())


def test_upstreams_words_say_what_is_missing() -> None:
    async def scenario() -> None:
        world = provided()
        world.remove("Secret", "azure")
        wish(world)
        instance = world.objects.pop(("LiteLLMInstance", "gw"))
        told: list[str] = []
        for given in (
            lambda: None,
            lambda: world.objects.update({("LiteLLMInstance", "gw"): {**instance, "status": {"ready": False}}}),
            lambda: world.objects.update({("LiteLLMInstance", "gw"): instance}),
            lambda: world.unreadable.add("azure"),
            lambda: world.secret("azure", other="x"),
            lambda: (world.secret("azure", key="k"), world.proxy.faults.append(Fault("POST /credentials", status=500, times=9))),
        ):
            given()
            await world.sync(KIND, "azure")
            status, reason = world.condition(KIND, "azure")
            assert status == "False"
            assert world.objects[KIND, "azure"]["status"]["configured"] is False
            told.append(reason)
        assert told == [
            "InstanceNotFound",
            "InstanceNotReady",
            "SecretNotFound",
            "SecretFetchFailed",
            "SecretKeyMissing",
            "AwaitingStorage",
        ]
        await asyncio.sleep(61)
        await world.sync(KIND, "azure")
        assert world.condition(KIND, "azure") == ("False", "APIError")

    run(scenario())


def test_a_credential_that_another_replica_has_is_awaited_and_not_made_twice() -> None:
    async def scenario() -> None:
        world = provided()
        world.proxy.faults += [
            Fault("POST /credentials", status=0, after=True),
            Fault("GET /credentials/by_name/az", status=404, text="Credential not found", skip=1, times=2),
        ]
        wish(world)
        told: list[str] = []
        for _ in range(3):
            await world.sync(KIND, "azure")
            told.append(world.condition(KIND, "azure")[1])
            await asyncio.sleep(world.comes_back_in)
        assert told == ["ProxyUnavailable", "AwaitingStorage", "Synced"]
        assert len(world.rows("credentials")) == 1

    run(scenario())


def test_a_credential_that_litellm_never_shows_is_asked_about_slowly_after_a_minute() -> None:
    async def scenario() -> None:
        world = provided()
        world.rows("credentials")["az"] = {"credential_name": "az", "credential_info": {}, "credential_values": {}}
        world.proxy.faults.append(Fault("GET /credentials/by_name/az", status=404, text="Credential not found", times=999))
        wish(world)
        for _ in range(14):
            await world.sync(KIND, "azure")
            await asyncio.sleep(world.comes_back_in)
        assert world.condition(KIND, "azure") == ("False", "NotStored")
        assert world.comes_back_in == TICK
        assert world.proxy.admin_calls.count("POST /credentials") <= 3

    run(scenario())


def test_a_credential_of_another_cluster_is_a_conflict() -> None:
    async def scenario() -> None:
        world = provided()
        theirs = {
            "credential_name": "az",
            "credential_info": {MARK: {"owner": "south/x/y"}},
            "credential_values": {"api_key": "k"},
        }
        world.rows("credentials")["az"] = theirs
        wish(world)
        await world.sync(KIND, "azure")
        assert world.condition(KIND, "azure") == ("False", "Conflict")
        assert await world.finalize(KIND, "azure")
        assert row(world) == theirs

    run(scenario())


def test_a_credential_that_was_there_before_is_kept_in_step_and_stays() -> None:
    async def scenario() -> None:
        world = provided()
        world.rows("credentials")["az"] = {"credential_name": "az", "credential_info": {}, "credential_values": {"api_base": "x"}}
        made = await settled(world)
        assert made["credential_values"] == {"api_base": "x", "api_key": "az-key-0123"}
        assert world.condition(KIND, "azure", "Adopted") == ("True", "ExistedBefore")
        assert await world.finalize(KIND, "azure")
        assert [*world.rows("credentials")] == ["az"]

    run(scenario())


@pytest.mark.parametrize(("info", "ours"), [({"managed_by": "litellm-operator"}, True), ({}, False)])
def test_a_credential_of_the_go_operator_goes_with_its_resource_and_one_made_since_by_hand_stays(
    info: Object, ours: bool
) -> None:
    async def scenario() -> None:
        world = provided()
        world.rows("credentials")["az"] = {
            "credential_name": "az",
            "credential_info": info,
            "credential_values": {"api_key": "k"},
        }
        wish(world)
        world.objects[KIND, "azure"]["status"] = {"configured": True}
        world.instance(ready=False)
        await world.sync(KIND, "azure")
        world.instance()
        await world.sync(KIND, "azure")
        assert world.condition(KIND, "azure") == ("True", "Synced"), world.message(KIND, "azure")
        assert (world.condition(KIND, "azure", "Adopted") == ("", "")) is ours
        assert await world.finalize(KIND, "azure")
        assert ("az" not in world.rows("credentials")) is ours

    run(scenario())


def test_a_name_that_is_edited_later_is_told_and_the_old_one_kept() -> None:
    async def scenario() -> None:
        world = provided()
        await settled(world)
        wish(world, credentialName="other")
        await world.sync(KIND, "azure")
        assert [*world.rows("credentials")] == ["az"]
        assert world.condition(KIND, "azure", "IdentityKept") == ("False", "IdChanged")
        assert await world.finalize(KIND, "azure")
        assert world.rows("credentials") == {}

    run(scenario())


@RELEASES
@pytest.mark.parametrize("lost", [False, True], ids=["bound", "status lost"])
def test_a_credential_of_ours_goes_with_its_resource(version: str, lost: bool) -> None:
    async def scenario() -> None:
        world = provided(version)
        await settled(world)
        if lost:
            del world.objects[KIND, "azure"]["status"]
        assert await world.finalize(KIND, "azure")
        assert world.rows("credentials") == {}

    run(scenario())


@RELEASES
def test_a_credential_that_is_gone_already_ends_its_resource(version: str) -> None:
    async def scenario() -> None:
        world = provided(version)
        await settled(world)
        world.rows("credentials").clear()
        assert await world.finalize(KIND, "azure")

    run(scenario())


def test_the_models_that_name_the_credential_are_counted() -> None:
    async def scenario() -> None:
        world = provided()
        for name, params in (
            ("a", {"model": "azure/x", "credentialRef": {"name": "azure"}}),
            ("b", {"model": "azure/y", "credentialRef": {"name": "azure"}}),
            ("c", {"model": "openai/z", "credentialRef": {"name": "other"}}),
            ("d", {"model": "openai/z"}),
        ):
            world.entity("LiteLLMModel", name, modelName=name, litellmParams=params)
        await settled(world)
        assert world.objects[KIND, "azure"]["status"]["referencedByModels"] == 2

    run(scenario())


def test_no_message_repeats_the_key() -> None:
    async def scenario() -> None:
        world = provided()
        world.proxy.faults.append(Fault("POST /credentials", status=422, text="input was az-key-0123"))
        wish(world)
        await world.sync(KIND, "azure")
        assert world.condition(KIND, "azure") == ("False", "APIError")
        assert "az-key-0123" not in str(world.objects[KIND, "azure"]["status"])

    run(scenario())
