"""Secrets that are made up: once, stored before they are used, and never changed while they are there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.resources.kinds import DEPLOYMENT, SECRET, STATEFUL_SET, VOLUME_CLAIM
from tests.unit.controllers.gateway_world import SPEC, TEAM, env_of, instance, plain, running, secret, template_of, world

ALL: dict[str, Any] = {
    **SPEC,
    "saltKey": {"autoGenerate": True},
    "scim": {"enabled": True},
    "database": {"managed": {"enabled": True}},
}
NAMES = ["gw-db", "gw-master-key", "gw-salt-key", "gw-scim-token"]


async def test_each_secret_is_made_once_with_a_value_of_its_own() -> None:
    async with world(instance(ALL)) as made:
        assert await made.names(SECRET) == NAMES
        values = {name: (await made.get(SECRET, name))["data"] for name in NAMES}
        await made.run_pods()
        await made.settle(600)
        assert {name: (await made.get(SECRET, name))["data"] for name in NAMES} == values
        assert len({json.dumps(value) for value in values.values()}) == len(NAMES)
        assert plain(await made.get(SECRET, "gw-master-key"), "master-key").startswith("sk-")


@pytest.mark.parametrize(("name", "key"), [("gw-master-key", "master-key"), ("gw-db", "password"), ("gw-db", "database-url")])
async def test_an_emptied_value_comes_back_as_it_was(name: str, key: str) -> None:
    async with running(ALL) as made:
        before = (await made.get(SECRET, name))["data"]
        await made.cluster.merge_patch(SECRET, TEAM, name, {"data": {key: ""}})
        await made.settle()
        assert (await made.get(SECRET, name))["data"] == before


async def test_a_key_that_was_removed_comes_back_as_it_was() -> None:
    async with running() as made:
        before = (await made.get(SECRET, "gw-master-key"))["data"]
        await made.cluster.merge_patch(SECRET, TEAM, "gw-master-key", {"data": None})
        await made.settle()
        assert (await made.get(SECRET, "gw-master-key"))["data"] == before


async def test_a_value_that_somebody_put_there_stays_and_rolls_the_pods() -> None:
    async with running() as made:
        before = (await made.get(DEPLOYMENT))["spec"]["template"]["metadata"]["annotations"]
        await made.cluster.merge_patch(SECRET, TEAM, "gw-master-key", {"data": {"master-key": "c2stb3du"}})
        await made.settle()
        assert plain(await made.get(SECRET, "gw-master-key"), "master-key") == "sk-own"
        assert (await made.get(DEPLOYMENT))["spec"]["template"]["metadata"]["annotations"] != before


async def test_a_key_generated_later_waits_until_it_is_stored() -> None:
    async with running() as made:
        seen = len(made.syncs())
        await made.edit({"saltKey": {"autoGenerate": True}})
        first = made.syncs()[seen][1]
        deployment = next(child for child in first["children"] if child["kind"] == "Deployment")
        assert "LITELLM_SALT_KEY" not in env_of(deployment), "used nowhere before it was observed"
        assert "LITELLM_SALT_KEY" in env_of(await made.get(DEPLOYMENT))


async def test_a_setting_that_is_switched_off_keeps_what_cannot_be_made_again_and_tells() -> None:
    async with running(ALL) as made:
        await made.create(secret("mk", key="sk-mine"))
        await made.edit(
            {
                "masterKey": {"autoGenerate": None, "secretRef": {"name": "mk", "key": "key"}},
                "database": {"managed": None, "external": {"connectionSecretRef": {"name": "pg", "key": "url"}}},
            }
        )
        assert set(NAMES) <= set(await made.names(SECRET))
        assert await made.names(VOLUME_CLAIM) == ["gw-db"]
        assert await made.reason("ChildrenRetained") == "True/DataKept"
        for name in ("PersistentVolumeClaim gw-db", "Secret gw-db", "Secret gw-master-key"):
            assert name in await made.message("ChildrenRetained")


async def test_no_value_is_anywhere_but_in_secrets() -> None:
    async with running(ALL) as made:
        values = [
            plain(await made.get(SECRET, name), key)
            for name, key in [("gw-db", "password"), ("gw-master-key", "master-key"), ("gw-salt-key", "salt-key")]
        ]
        for _, answer in made.syncs():
            text = json.dumps({**answer, "children": [child for child in answer["children"] if child["kind"] != "Secret"]})
            assert not any(value in text for value in values)


async def test_a_cloudnativepg_secret_without_a_url_is_put_together_in_a_secret_of_ours() -> None:
    parts = {"username": "app", "password": "p@ss/w#rd%?&:$(HOME)", "host": "pg-rw", "port": "5432", "dbname": "app"}
    spec = {**SPEC, "database": {"cloudnativepg": {"clusterName": "pg"}}}
    async with world(secret("pg-app", **parts), instance(spec)) as made:
        url = plain(await made.get(SECRET, "gw-database-url"), "database-url")
        assert url == "postgresql://app:p%40ss%2Fw%23rd%25%3F%26%3A%24%28HOME%29@pg-rw:5432/app"
        wired = env_of(await made.get(DEPLOYMENT))["DATABASE_URL"]["valueFrom"]["secretKeyRef"]
        assert wired == {"name": "gw-database-url", "key": "database-url"}
        await made.cluster.merge_patch(SECRET, TEAM, "pg-app", {"data": {"password": "bmV3"}})
        await made.settle()
        assert ":new@" in plain(await made.get(SECRET, "gw-database-url"), "database-url"), "it follows a rotation"


async def test_a_part_without_which_no_url_can_be_put_together_is_told_and_rolls_nothing() -> None:
    parts = {"username": "app", "password": "p", "host": "pg-rw", "dbname": "app"}
    spec = {**SPEC, "database": {"cloudnativepg": {"clusterName": "pg"}}}
    told = "Secret pg-app has no key password (spec.database.cloudnativepg)"
    async with world(secret("pg-app", **{**parts, "password": ""}), instance(spec)) as made:
        assert (await made.message("ReferencesResolved")).startswith(f"{told}; running pods")
        await made.cluster.merge_patch(SECRET, TEAM, "pg-app", {"data": secret("pg-app", **parts)["data"]})
        await made.settle()
        await made.run_pods()
        before = template_of(await made.get(DEPLOYMENT))
        await made.cluster.merge_patch(SECRET, TEAM, "pg-app", {"data": {"password": None}})
        await made.settle()
        assert told in await made.message("ReferencesResolved")
        assert template_of(await made.get(DEPLOYMENT)) == before


@pytest.mark.parametrize("off", [{}, {"saltKey": None}], ids=["all generated", "the salt key only kept"])
@pytest.mark.parametrize("name", ["gw-master-key", "gw-salt-key", "gw-db", "gw-database-url"])
async def test_a_scim_token_gets_no_name_of_another_secret_of_the_instance(name: str, off: dict[str, Any]) -> None:
    async with running(ALL) as made:
        await made.edit(off)
        await made.run_pods()
        before = {one: (await made.get(SECRET, one))["data"] for one in NAMES}
        template = template_of(await made.get(DEPLOYMENT))
        await made.edit({"scim": {"generatedTokenSecretName": name}})
        assert {one: (await made.get(SECRET, one))["data"] for one in NAMES} == before
        assert await made.names(SECRET) == [*NAMES, "pg"]
        assert template_of(await made.get(DEPLOYMENT)) == template
        assert await made.reason("ChildrenApplied") == "False/ChildInvalid"
        assert "spec.scim.generatedTokenSecretName is the name of another Secret" in await made.message("ChildrenApplied")
        names = [child["metadata"]["name"] for child in made.syncs()[-1][1]["children"] if child["kind"] == "Secret"]
        assert len(names) == len(set(names))
        assert (await made.status())["scim"] == {"configured": False}, "the other Secret holds no token"


async def test_a_scim_token_that_gets_another_name_stays_the_one_that_the_identity_provider_has() -> None:
    async with running({**SPEC, "scim": {"enabled": True}}) as made:
        token = plain(await made.get(SECRET, "gw-scim-token"), "token")
        await made.edit({"scim": {"generatedTokenSecretName": "idp"}})
        assert plain(await made.get(SECRET, "idp"), "token") == token
        assert env_of(await made.get(DEPLOYMENT))["SCIM_TOKEN"]["valueFrom"]["secretKeyRef"]["name"] == "idp"


async def test_a_scim_token_in_a_secret_of_somebody_else_is_not_claimed() -> None:
    async with running(None, secret("theirs", token="t")) as made:
        await made.edit({"scim": {"enabled": True, "generatedTokenSecretName": "theirs"}})
        assert await made.reason("ChildrenApplied") == "False/NameTaken"
        assert (await made.status())["scim"] == {"configured": False}


@pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])
async def test_keys_that_somebody_adds_to_a_generated_secret_stay(strategy: str) -> None:
    async with running(strategy=strategy) as made:
        await made.cluster.merge_patch(SECRET, TEAM, "gw-master-key", {"data": {"other": "eA=="}})
        await made.settle()
        children = made.syncs()[-1][1]["children"]
        (answered,) = [child for child in children if child["metadata"]["name"] == "gw-master-key"]
        assert set(answered["data"]) == {"master-key", "other"}
        assert set((await made.get(SECRET, "gw-master-key"))["data"]) == {"master-key", "other"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gw-db", "a new password opens no old volume"),
        ("gw-salt-key", "a new salt key opens no stored credential"),
        ("gw-master-key", "a new master key is none that anybody has"),
        ("gw-scim-token", "a new token is none that the identity provider has"),
    ],
)
async def test_a_lost_secret_that_is_in_use_is_not_made_anew_but_told_until_it_is_restored(name: str, why: str) -> None:
    async with running(ALL) as made:
        lost = await made.get(SECRET, name)
        template = template_of(await made.get(DEPLOYMENT))
        await made.cluster.delete(SECRET, TEAM, name)
        await made.settle(600)
        assert await made.find(SECRET, name) is None, why
        assert template_of(await made.get(DEPLOYMENT)) == template
        assert await made.names(STATEFUL_SET) == await made.names(VOLUME_CLAIM) == ["gw-db"]
        assert f"Secret {name} does not exist" in await made.message("ReferencesResolved")
        assert await made.reason() == "False/ReconcileError"
        await made.create(secret(name, **{key: plain(lost, key) for key in lost["data"]}))
        assert await made.reason() == "True/AllResourcesReady"
        assert template_of(await made.get(DEPLOYMENT)) == template
        assert (await made.get(SECRET, name))["data"] == lost["data"]
        assert (await made.status())["scim"]["tokenSecretName"] == "gw-scim-token"
        assert "resourceVersion" in (await made.status())["masterKey"]


async def test_a_lost_master_key_that_encrypts_what_is_stored_is_not_made_anew() -> None:
    """Without a salt key LiteLLM encrypts stored credentials with the master key."""
    async with running() as made:
        template = template_of(await made.get(DEPLOYMENT))
        await made.cluster.delete(SECRET, TEAM, "gw-master-key")
        await made.settle(600)
        assert await made.names(SECRET) == ["pg"]
        assert template_of(await made.get(DEPLOYMENT)) == template
        await made.create(secret("gw-master-key", **{"master-key": "sk-new"}))
        assert template_of(await made.get(DEPLOYMENT)) != template, "a value that somebody puts there is believed"


async def test_a_lost_master_key_that_no_pod_reads_is_made_anew() -> None:
    spec = {**SPEC, "masterKey": {"autoGenerate": True, "secretRef": {"name": "mk", "key": "key"}}}
    async with running(spec, secret("mk", key="sk-mine")) as made:
        await made.cluster.delete(SECRET, TEAM, "gw-master-key")
        await made.settle()
        assert "gw-master-key" in await made.names(SECRET)
        assert await made.reason() == "True/AllResourcesReady"


async def test_a_lost_secret_on_which_nothing_depends_is_made_anew() -> None:
    async with world(instance({**ALL, "scim": None})) as made:
        await made.cluster.delete(SECRET, TEAM, "gw-salt-key")
        await made.settle()
        assert "gw-salt-key" in await made.names(SECRET)


# Under server-side apply nothing remembers what a value was.


async def test_a_removed_database_password_comes_back_from_the_url() -> None:
    async with running(ALL, strategy="server-side-apply") as made:
        before = (await made.get(SECRET, "gw-db"))["data"]
        await made.cluster.merge_patch(SECRET, TEAM, "gw-db", {"data": {"password": None}})
        await made.settle()
        assert (await made.get(SECRET, "gw-db"))["data"] == before


@pytest.mark.parametrize(("name", "key"), [("gw-salt-key", "salt-key"), ("gw-master-key", "master-key")])
async def test_an_emptied_value_that_is_in_use_is_told_and_not_replaced(name: str, key: str) -> None:
    async with running(ALL, strategy="server-side-apply") as made:
        template = template_of(await made.get(DEPLOYMENT))
        await made.cluster.merge_patch(SECRET, TEAM, name, {"data": {key: ""}})
        await made.settle()
        assert not (await made.get(SECRET, name))["data"][key]
        assert template_of(await made.get(DEPLOYMENT)) == template
        assert f"Secret {name} has no key {key}" in await made.message("ReferencesResolved")
        assert await made.reason("ChildrenRetained") == "", "the spec still asks for it"


async def test_a_new_database_password_comes_with_its_url() -> None:
    async with world(instance(ALL), strategy="server-side-apply") as made:
        await made.cluster.delete(VOLUME_CLAIM, TEAM, "gw-db")
        odd = {"password": None, "database-url": "b2Rk"}
        await made.cluster.merge_patch(SECRET, TEAM, "gw-db", {"data": odd})
        await made.settle()
        stored = await made.get(SECRET, "gw-db")
        assert plain(stored, "database-url") == f"postgresql://litellm:{plain(stored, 'password')}@gw-db.team.svc:5432/litellm"
