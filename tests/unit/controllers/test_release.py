"""What an upgrade of the service does to gateways that the last release left at rest: no pod is replaced, nothing is lost.

A rollout on purpose is listed in ``tests/golden/release/rollouts.yaml``, with the reason.
"""

from __future__ import annotations

import copy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx2
import orjson
import pytest
import yaml

from app.cli.offline import ImaginedProxies
from app.controllers.context import Context
from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks import application
from app.litellm.probe import Prober
from tests.unit.controllers.release_files import NAMES, ROLLOUTS, load, request

if TYPE_CHECKING:
    from app.hooks.objects import Object

_PODS = {"Deployment", "StatefulSet", "Job"}
_VALUES = {"Secret", "ControllerRevision"}
_LISTED: list[Object] = yaml.safe_load(ROLLOUTS.read_text("utf-8"))["rollouts"]


def _no_entropy(_: int) -> bytes:
    raise AssertionError("a key of a gateway at rest was made anew")


async def answer(kept: Object) -> Object:
    context = Context(
        now=lambda: datetime(2031, 1, 1, tzinfo=UTC), prober=Prober(lambda _: ImaginedProxies(), lambda: 0), entropy=_no_entropy
    )
    transport = httpx2.ASGITransport(app=application([LITELLM_INSTANCES], context))
    async with httpx2.AsyncClient(transport=transport, base_url="http://palena") as hooks:
        response = await hooks.post("/hooks/litellminstances/sync", content=orjson.dumps(request(kept)))
    assert response.status_code == 200, response.text
    return response.json()


def by_name(children: list[Object]) -> dict[str, Object]:
    return {f"{child['kind']} {child['metadata']['name']}": child for child in children}


def replaced(before: dict[str, Object], after: dict[str, Object]) -> set[str]:
    """Workloads whose pods are not those that ran, and Jobs that ran before and would run again."""
    workloads = {name: child for name, child in after.items() if child["kind"] in _PODS}
    return {name for name, child in workloads.items() if _pods(before.get(name)) != _pods(child)}


def _pods(workload: Object | None) -> bytes:
    template: Any = workload["spec"]["template"] if workload is not None else None
    return orjson.dumps(template, option=orjson.OPT_SORT_KEYS)


@pytest.mark.parametrize("name", NAMES)
async def test_an_upgrade_replaces_no_pods_but_those_that_are_listed(name: str) -> None:
    kept = load(name)
    answered = by_name((await answer(kept))["children"])
    listed = {one["child"] for one in _LISTED if one["gateway"] == name}
    found = replaced(by_name([one["applied"] for one in kept["children"]]), answered)
    assert found == listed, "a rollout on purpose is listed with its reason; one that is over is taken from the list"


@pytest.mark.parametrize("name", NAMES)
async def test_an_upgrade_deletes_nothing_and_changes_no_key(name: str) -> None:
    kept = load(name)
    before = by_name([one["applied"] for one in kept["children"]])
    answered = await answer(kept)
    after = by_name(answered["children"])
    assert not before.keys() - after.keys()
    assert {key: after[key].get("data") for key, child in before.items() if child["kind"] in _VALUES} == {
        key: child.get("data") for key, child in before.items() if child["kind"] in _VALUES
    }
    assert answered["status"]["ready"] is True


@pytest.mark.parametrize("workload", ["Deployment gw", "StatefulSet gw-db", "Job"])
async def test_a_pod_template_that_differs_is_found(workload: str) -> None:
    kept = load("fullest")
    before = by_name([one["applied"] for one in copy.deepcopy(kept["children"])])
    name = next(one for one in before if one.startswith(workload))
    before[name]["spec"]["template"]["spec"]["enableServiceLinks"] = "was different"
    after = by_name((await answer(kept))["children"])
    assert name in replaced(before, after)


def test_every_listed_rollout_has_a_reason() -> None:
    assert all(one.keys() == {"gateway", "child", "why"} and one["why"] and one["gateway"] in NAMES for one in _LISTED)
