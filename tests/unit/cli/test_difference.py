"""How rendered objects differ from those that are there."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import orjson
import pytest

from app.cli.difference import applied, difference
from app.cli.problem import Problem
from app.resources.kinds import DEPLOYMENT, SERVICE
from app.sim.cluster import Forbidden
from tests.unit.cli.command import EXAMPLES, palena
from tests.unit.controllers.gateway_world import SPEC, TEAM, plain, running

if TYPE_CHECKING:
    from app.hooks.objects import Object, Resource


def written(item: Object) -> str:
    return orjson.dumps(item, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()


@pytest.mark.parametrize("strategy", ["dynamic-apply", "server-side-apply"])
async def test_a_cluster_at_rest_shows_no_difference_and_an_edit_does(strategy: str) -> None:
    async with running(strategy=strategy) as made:
        wanted: list[Object] = made.syncs()[-1][1]["children"]
        assert difference(wanted, await applied(made.cluster, wanted), written) == []
        edited = deepcopy(wanted)
        (service,) = (child for child in edited if child["kind"] == "Service")
        service["spec"]["ports"][0]["port"] = 5000
        found = difference(edited, await applied(made.cluster, edited), written)
        assert found[:2] == [f"--- Service {TEAM}/gw (there)", f"+++ Service {TEAM}/gw (rendered)"]
        assert [line.strip() for line in found if line[0] in "+-"][2:] == ['-        "port": 4000,', '+        "port": 5000,']


async def test_what_is_not_in_the_cluster_is_shown_whole() -> None:
    async with running() as made:
        wanted: list[Object] = made.syncs()[-1][1]["children"]
        await made.cluster.delete(SERVICE, TEAM, "gw")
        found = difference(wanted, await applied(made.cluster, wanted), written)
        assert {line for line in found if line.startswith(("---", "+++"))} == {
            f"--- Service {TEAM}/gw (there)",
            f"+++ Service {TEAM}/gw (rendered)",
        }
        assert not [line for line in found if line.startswith("-") and not line.startswith("---")]


async def test_what_secrets_hold_is_neither_compared_nor_shown() -> None:
    async with running() as made:
        wanted: list[Object] = deepcopy(made.syncs()[-1][1]["children"])
        (secret,) = (child for child in wanted if child["kind"] == "Secret")
        key = plain(secret, "master-key")
        secret["data"] = {"master-key": "b3RoZXI=", "one-more": "eA=="}
        found = "\n".join(difference(wanted, await applied(made.cluster, wanted), written))
        assert '+    "one-more": "(not compared)"' in found
        assert key not in found
        assert secret["data"]["master-key"] not in found


AUTOSCALED: Object = {"autoscaling": {"enabled": True, "minReplicas": 2, "maxReplicas": 5}}


async def test_how_many_pods_an_autoscaler_has_chosen_is_not_compared() -> None:
    async with running({**SPEC, **AUTOSCALED}) as made:
        await made.cluster.merge_patch(DEPLOYMENT, TEAM, "gw", {"spec": {"replicas": 4}})
        await made.edit({"service": {"port": 5000}})
        there: list[Object] = made.syncs()[-1][1]["children"]
        assert next(child["spec"]["replicas"] for child in there if child["kind"] == "Deployment") == 4
        wanted = deepcopy(there)
        for child in wanted:
            if child["kind"] == "Deployment":
                del child["spec"]["replicas"]
        assert difference(wanted, await applied(made.cluster, wanted), written) == []
        unscaled = [child for child in wanted if child["kind"] != "HorizontalPodAutoscaler"]
        lines = difference(unscaled, await applied(made.cluster, unscaled), written)
        assert [line.strip() for line in lines if line[:2] in ("- ", "+ ")] == ['-    "replicas": 4,']


async def test_a_cluster_that_refuses_is_one_line() -> None:
    class Closed:
        async def resource_of(self, api_version: str, kind: str) -> Resource:
            raise Forbidden("secrets is forbidden")

    with pytest.raises(Problem, match="Service team/gw cannot be read: secrets is forbidden"):
        await applied(Closed(), [{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "gw", "namespace": "team"}}])  # type: ignore[arg-type]


def test_no_kubeconfig_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "/nowhere/config")
    outcome = palena("render", f"{EXAMPLES}/attach.yaml", "--diff-cluster")
    assert (outcome.code, outcome.out) == (2, "")
    assert "palena: /nowhere/config: there is no such kubeconfig; name yours with --kubeconfig or KUBECONFIG" in outcome.err
