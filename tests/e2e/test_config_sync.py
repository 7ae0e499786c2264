"""Config sync on a real API server: what somebody changes in LiteLLM beside us, and what it costs to look for it.

Three gateways in one namespace, each with a policy of its own, live through the same: an interval is what takes time here.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

import httpx2
import yaml

from app.litellm.entities.ownership import MARK
from app.litellm.snapshot import LISTED
from app.sim.loop import Strategy
from tests.e2e.controlplane.plane import METACONTROLLER
from tests.e2e.driven import PATIENCE_SECONDS, until
from tests.e2e.fleet import KINDS, MASTER_KEY, TIER, name, provider, specs
from tests.e2e.objects import condition, instance, master_key, ready
from tests.e2e.stage import proxy_on_loopback
from tests.e2e.world import INSTANCE

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.hooks.objects import Object
    from app.sim.cluster import Cluster
    from tests.e2e.controlplane.audit import AuditLog
    from tests.e2e.kubectl import Kubectl
    from tests.e2e.proxy import Proxy
    from tests.e2e.stage import Stage

STRATEGIES = (Strategy.DYNAMIC_APPLY,)

INTERVAL = 10.0
"""Seconds; the shortest there is."""
QUIET_SECONDS = 2.0
"""A snapshot that is under way makes calls in less than this."""
STRAY_KEYS = 500
PAGE = "GET /key/list"
PAGES = 6
"""Of the stray keys, and the one that is ours."""

TEAM, BUDGET = "LiteLLMTeam", "LiteLLMBudget"
MEMBER = "lead@example.com"


class Gateway:
    """An attached instance with config sync, one entity of each kind, and the proxy in which they come to be."""

    def __init__(self, number: int, proxy: Proxy, user: Cluster, namespace: str, **config_sync: Any) -> None:
        self.number, self.proxy, self.name = number, proxy, f"gw-{number}"
        self._user, self._namespace = user, namespace
        self._config_sync = {"enabled": True, "interval": f"{INTERVAL:.0f}s", **config_sync}
        proxy.fake.database.licensed = True

    def objects(self) -> list[Object]:
        """All that is applied."""
        own = specs(self.number)
        own[TEAM] = {**own[TEAM], "memberManagement": "crd", "members": [{"email": MEMBER}]}
        # The user would be a second one in the team, which has those that it lists and no others.
        own["LiteLLMUser"].pop("teams")
        secret = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": provider(self.number)},
            "stringData": {"key": "sk-p"},
        }
        entities = [self.entity(kind, name(kind, self.number), spec) for kind, spec in own.items()]
        return [secret, instance(self.name, self.proxy.url, configSync=self._config_sync), *entities]

    def entity(self, kind: str, called: str, spec: Object, **annotations: str) -> Object:
        """An object of this gateway's."""
        metadata = {"name": called, "annotations": annotations}
        whole = {"instanceRef": {"name": self.name}, **spec}
        return {"apiVersion": KINDS[kind].api_version, "kind": kind, "metadata": metadata, "spec": whole}

    def rows(self, table: str) -> dict[str, Object]:
        """What the proxy has stored."""
        return self.proxy.fake.database.table(table)

    def calls(self) -> list[str]:
        """What the admin API was asked so far."""
        return list(self.proxy.fake.admin_calls)

    async def get(self, kind: str) -> Object:
        """One of the entities, live."""
        return await self._user.get(KINDS[kind], self._namespace, name(kind, self.number))

    async def told(self, kind: str, type_: str) -> tuple[str, str, str]:
        """Status, reason and message of a condition of an entity."""
        return _told(await self.get(kind), type_)

    async def said(self, type_: str) -> tuple[str, str, str]:
        """The same of the instance."""
        return _told(await self._user.get(INSTANCE, self._namespace, self.name), type_)

    async def counts(self) -> Object:
        """What the instance's status tells of config sync."""
        found = await self._user.get(INSTANCE, self._namespace, self.name)
        return found.get("status", {}).get("configSync", {})

    async def all_ready(self) -> bool:
        """The entities and the instance."""
        entities = [await self.get(kind) for kind in KINDS]
        return all(ready(one) == ("True", "Synced") for one in entities) and (await self.said("ConfigSynced"))[0] == "True"

    async def tampered(self) -> int:
        """Somebody works with the admin API between two looks, and LiteLLM has objects of its own; how many looks there were."""
        before = _looks(self.calls())
        await until(lambda: _looks(self.calls()) > before, "the lists are not read any more")
        await self.quiet()
        looks = _looks(self.calls())
        team = (await self.get(TEAM))["status"]["litellmTeamId"]
        await self._ask("/team/update", {"team_id": team, "max_budget": 9_999})
        await self._ask("/team/member_add", {"team_id": team, "member": [{"user_id": "eve", "role": "user"}]})
        await self._ask("/budget/delete", {"id": f"{TIER}{self.number}"})
        made = {"model_name": "by-hand", "litellm_params": {"model": "openai/gpt-4o"}, "model_info": {"id": "by-hand"}}
        await self._ask("/model/new", made)
        await self._ask("/team/new", {"team_id": "by-hand", "team_alias": "by-hand"})
        await self._ask("/key/generate", {"key": "sk-by-hand-0123456789", "key_alias": "by-hand"})
        row, mark = self.rows("teams")[team], self.rows("teams")[team]["metadata"][MARK]
        gone = {**mark, "owner": f"{mark['owner'].rpartition('/')[0]}/gone"}
        self.rows("teams")["left"] = {**row, "team_id": "left", "team_alias": "left", "metadata": {MARK: gone}}
        key = next(iter(self.rows("keys").values()))
        self.rows("keys")["5" * 64] = {**key, "key_alias": None, "team_id": "litellm-dashboard", "metadata": {}}
        model = self.rows("models")["by-hand"]
        self.rows("models")["of-the-file"] = {**model, "model_info": {"id": "of-the-file", "db_model": False}}
        self.rows("users")["default_user_id"] = {**self.rows("users")["eve"], "user_id": "default_user_id"}
        return looks

    def strewn(self, count: int) -> None:
        """So many keys that people made for themselves."""
        row: Object = {**next(iter(self.rows("keys").values())), "metadata": {}, "team_id": None, "user_id": None}
        self.rows("keys").update({f"{number:064x}": {**row, "key_alias": f"stray-{number}"} for number in range(count)})

    async def quiet(self) -> int:
        """The end of a snapshot: how many calls there were until then."""
        count, since = len(self.calls()), time.monotonic()
        while time.monotonic() - since < QUIET_SECONDS:
            await asyncio.sleep(0.1)
            if count != (count := len(self.calls())):
                since = time.monotonic()
        return count

    async def _ask(self, path: str, body: Object) -> None:
        async with httpx2.AsyncClient(base_url=self.proxy.url, headers={"Authorization": f"Bearer {MASTER_KEY}"}) as client:
            (await client.post(path, json=body)).raise_for_status()


class Place:
    """The three of them, and who writes what."""

    def __init__(self, user: Cluster, namespace: str, audit: AuditLog, kubectl: Kubectl, stage: Stage) -> None:
        self._user, self.namespace, self._audit, self._kubectl, self._stage = user, namespace, audit, kubectl, stage

    async def apply(self, *items: Object) -> None:
        """As a user does."""
        text = yaml.safe_dump_all(items)
        await asyncio.to_thread(self._kubectl, "--namespace", self.namespace, "apply", "-f", "-", stdin=text)

    def written(self) -> list[str]:
        """What the driver wrote so far."""
        return [str(entry) for entry in self._audit.writes(user=METACONTROLLER.user, namespace=self.namespace)]

    async def metric(self, change: str, kind: str) -> float:
        """How many such changes the service has made since it started."""
        async with httpx2.AsyncClient() as client:
            lines = (await client.get(f"{self._stage.service.url}/metrics")).text.splitlines()
        start = f'palena_config_sync_changes_total{{change="{change}",kind="{kind}"}} '
        return next(float(line.removeprefix(start)) for line in lines if line.startswith(start))


@contextlib.asynccontextmanager
async def three_gateways(stage: Stage, kubectl: Kubectl) -> AsyncGenerator[tuple[Place, Gateway, Gateway, Gateway]]:
    """With every policy among them."""
    with proxy_on_loopback() as first, proxy_on_loopback() as second, proxy_on_loopback() as third:
        async with stage.at_work() as (user, namespace, audit):
            gateways = (
                Gateway(0, first, user, namespace, unmanagedResourcePolicy="prune", auditChanges=True),
                Gateway(1, second, user, namespace, unmanagedResourcePolicy="adopt", conflictResolution="manual"),
                Gateway(2, third, user, namespace, conflictResolution="api-wins"),
            )
            place = Place(user, namespace, audit, kubectl, stage)
            await place.apply(master_key(MASTER_KEY), *(item for one in gateways for item in one.objects()))
            yield place, *gateways
            kinds = ",".join(["litellminstances", *(resource.plural for resource in KINDS.values())])
            gone = ("delete", kinds, "--all", f"--timeout={PATIENCE_SECONDS:.0f}s")
            await asyncio.to_thread(kubectl, "--namespace", namespace, *gone)


async def test_what_others_do_in_litellm_is_put_back_or_told_as_the_policies_say_and_a_look_costs_pages(
    stage: Stage, kubectl: Kubectl
) -> None:
    async with three_gateways(stage, kubectl) as (place, winning, manual, api):
        gateways = (winning, manual, api)
        for one in gateways:
            await until(one.all_ready, f"{one.name} is not in step")
        api.strewn(STRAY_KEYS)
        changes = (("put_back", TEAM), ("recreated", BUDGET), ("pruned", TEAM), ("pruned", "LiteLLMModel"))
        before = {change: await place.metric(*change) for change in changes}
        looks, _, _ = await asyncio.gather(*(one.tampered() for one in gateways))

        await asyncio.gather(
            is_put_back(winning, looks),
            are_told_and_left(manual),
            are_told_and_left(api),
            is_pruned(winning),
            is_named_and_adopted(place, manual),
        )
        made = {change: await place.metric(*change) - count for change, count in before.items()}
        assert made == dict.fromkeys(changes, 1)
        counted = await api.counts()
        assert (counted["unmanagedKeys"], counted["unmanagedModels"], counted["syncedKeys"]) == (STRAY_KEYS + 1, 1, 1)
        assert "by-hand" in api.rows("models")
        assert await api.said("UnmanagedObjects") == ("", "", ""), "names are told where they are asked for"

        await asyncio.gather(is_looked_at_by_pages(api), is_at_rest(place, winning, gateways))


async def is_put_back(gateway: Gateway, looks: int) -> None:
    """The spec wins, by the first look that begins after the change, and says so until the next one."""
    team = (await gateway.get(TEAM))["status"]["litellmTeamId"]

    def mended() -> bool:
        row = gateway.rows("teams")[team]
        there = {one["user_id"] for one in row["members_with_roles"]}
        # The holder of the master key, and the one that is listed.
        return row["max_budget"] == 500 and "eve" not in there and len(there) == 2

    await until(mended, "budget and members of the team are not put back")
    assert _looks(gateway.calls()) - looks == 1
    await until(lambda: f"{TIER}{gateway.number}" in gateway.rows("budgets"), "the budget is not made again")

    async def told() -> bool:
        changed, made = await gateway.told(TEAM, "Drifted"), await gateway.told(BUDGET, "Drifted")
        return changed[:2] == ("True", "PutBack") and made[:2] == ("True", "Recreated")

    await until(told, "nobody is told of it")
    assert "differed in max_budget, members.eve" in (await gateway.told(TEAM, "Drifted"))[2]


async def are_told_and_left(gateway: Gateway) -> None:
    """Neither side is changed."""

    async def told() -> bool:
        left, gone = await gateway.told(TEAM, "Drifted"), await gateway.told(BUDGET, "Ready")
        return left[:2] == ("True", "LeftAsItIs") and gone[:2] == ("False", "DeletedInLiteLLM")

    await until(told, f"{gateway.name} does not tell of it")
    status = await gateway.get(TEAM)
    assert "differs from the spec in max_budget, members.eve" in condition(status, "Drifted")["message"]
    assert ready(status) == ("True", "Synced")
    assert gateway.rows("teams")[status["status"]["litellmTeamId"]]["max_budget"] == 9_999
    assert f"{TIER}{gateway.number}" not in gateway.rows("budgets")


async def is_pruned(gateway: Gateway) -> None:
    """What is ours and was left, and the model and the key that nobody lays claim to; nothing else."""
    names: set[str] = set()

    async def told() -> bool:
        _, _, pruned = (await gateway.said("ConfigSynced"))[2].partition(" (see ")[0].partition("pruned ")
        names.update(pruned.split(", ") if pruned else ())
        return len(names) == 3

    await until(told, "what was pruned is not told")
    assert "left" not in gateway.rows("teams")
    assert "by-hand" not in gateway.rows("models")
    assert "by-hand" not in str(gateway.rows("keys"))
    assert "by-hand" in gateway.rows("teams"), "teams come to be by hand, too"
    assert "of-the-file" in gateway.rows("models")
    assert gateway.rows("keys").keys() >= {"5" * 64}, "somebody is signed in"
    assert gateway.rows("users").keys() >= {"default_user_id", "eve"}

    assert names == {"team left", "model by-hand", "key by-hand"}


async def is_named_and_adopted(place: Place, gateway: Gateway) -> None:
    """Names lead to a custom resource with the id and the annotation."""

    async def named() -> bool:
        return "team by-hand" in (await gateway.said("UnmanagedObjects"))[2]

    await until(named, "what only LiteLLM has is not named")
    spec = {"teamId": "by-hand", "teamAlias": "by-hand", "memberManagement": "sso"}
    await place.apply(gateway.entity(TEAM, "by-hand", spec, **{"litellm.palena.ai/adopt": "true"}))
    await until(lambda: MARK in gateway.rows("teams")["by-hand"]["metadata"], "the team is not adopted")

    async def unnamed() -> bool:
        message = (await gateway.said("UnmanagedObjects"))[2]
        return "model by-hand" in message and "team by-hand" not in message

    await until(unnamed, "what was adopted is still named")


async def is_at_rest(place: Place, winning: Gateway, gateways: tuple[Gateway, ...]) -> None:
    """What was put back is told until the next look; then for longer than an interval nothing is written and only lists read."""

    async def forgotten() -> bool:
        drifted = [await winning.told(kind, "Drifted") for kind in KINDS]
        return set(drifted) == {("", "", "")} and "pruned" not in (await winning.said("ConfigSynced"))[2]

    await until(forgotten, "what was mended is still told")
    await asyncio.sleep(QUIET_SECONDS)
    written, begin = place.written(), [len(one.calls()) for one in gateways]
    await asyncio.sleep(INTERVAL + QUIET_SECONDS)
    assert place.written() == written
    for one, count in zip(gateways, begin, strict=True):
        assert set(one.calls()[count:]) == LISTS, one.name


async def is_looked_at_by_pages(gateway: Gateway) -> None:
    """Two intervals cost each list once, and the keys as many calls as they have pages: nobody asks for one object."""
    begin = await gateway.quiet()
    looks = _looks(gateway.calls())
    await until(lambda: _looks(gateway.calls()) >= looks + 2, "the lists are not read any more")
    end = await gateway.quiet()
    asked = Counter(gateway.calls()[begin:end])
    assert asked.pop(PAGE) == 2 * PAGES
    assert asked == dict.fromkeys(LISTS - {PAGE}, 2)


LISTS = {f"{call.method} {call.path}" for entity in LISTED if (call := entity.listing(1)) is not None}


def _looks(calls: list[str]) -> int:
    """How many snapshots were begun."""
    return calls.count("GET /budget/list")


def _told(item: Object, type_: str) -> tuple[str, str, str]:
    found = condition(item, type_)
    return found.get("status", ""), found.get("reason", ""), found.get("message", "")
