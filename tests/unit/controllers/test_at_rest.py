"""When the answer to a gateway at rest may be given again without deciding: nothing was asked but the request and the proxy."""

from __future__ import annotations

import gc
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from app.controllers.asked import Asked
from app.controllers.context import Context
from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks.request import composite_request
from app.kube.reader import SECRET, ReaderOff
from app.litellm.probe import Prober
from app.sim.fake_litellm import Behaviour, FakeLiteLLM, FakeNetwork
from tests.unit.controllers.release_files import load, request

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.hooks.response import SyncResponse

NOW = datetime(2031, 1, 1, tzinfo=UTC)
URL = "http://team-gateway.ai.svc:4000"


class Surroundings:
    """The proxy and the time around a gateway."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.proxy = FakeLiteLLM()
        prober = Prober(lambda _: FakeNetwork({URL: self.proxy}), lambda: self.seconds)
        self.context = Context(now=lambda: NOW + timedelta(seconds=self.seconds), prober=prober, entropy=lambda size: bytes(size))

    async def sync(self, body: Object) -> SyncResponse:
        decision: Any = LITELLM_INSTANCES.sync(composite_request(body), self.context)
        return await decision


@pytest.fixture
def body() -> Object:
    """What the hook is asked for a gateway at rest."""
    return request(load("managed"))


async def test_at_rest_the_answer_holds_while_the_proxy_is_seen_the_same(body: Object) -> None:
    around = Surroundings()
    answer = await around.sync(body)
    assert answer.holds is not None
    assert await answer.holds()
    around.seconds += 60
    calls = len(around.proxy.calls)
    assert await answer.holds()
    assert len(around.proxy.calls) > calls, "a minute later the proxy is asked again, as by any sync"


async def test_the_answer_holds_no_more_when_the_proxy_died(body: Object) -> None:
    around = Surroundings()
    answer = await around.sync(body)
    around.seconds += 60
    around.proxy.behaviour = Behaviour.DEAD
    assert answer.holds is not None
    assert not await answer.holds()
    assert (await around.sync(body)).status != answer.status


async def test_a_decision_leaves_nothing_to_the_garbage_collector(body: Object) -> None:
    """The service collects rarely, so circles of a large request's parts would stay for minutes."""
    around = Surroundings()
    await around.sync(body)
    body["parent"]["spec"]["extraEnvVars"] = [{"name": "A", "value": "$(B)"}, {"name": "B", "value": "new"}]
    gc.collect()
    gc.disable()
    try:
        await around.sync(body)
        assert gc.collect() == 0
    finally:
        gc.enable()


def _without_service(body: Object) -> None:
    body["children"]["Service.v1"].popitem()


def _without_key(body: Object) -> None:
    del body["children"]["Secret.v1"]["ai/team-gateway-master-key"]


def _with_another_condition(body: Object) -> None:
    body["parent"]["status"]["conditions"] = []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(_without_service, id="a child is lacking: in a minute that is a problem"),
        pytest.param(_without_key, id="a key is made up"),
        pytest.param(_with_another_condition, id="a condition begins now"),
    ],
)
async def test_an_answer_that_depends_on_more_is_decided_each_time(body: Object, change: Any) -> None:
    change(body)
    assert (await Surroundings().sync(body)).holds is None


async def test_where_nobody_looked_whether_children_came_to_be_an_answer_holds_until_it_is_time_to_look(body: Object) -> None:
    around = Surroundings()
    await around.sync(body)
    around.seconds += 5
    answer = await around.sync(body)
    assert answer.holds is not None
    around.seconds += 14
    assert await answer.holds()
    around.seconds += 1
    assert not await answer.holds()


async def test_an_answer_holds_no_more_where_the_clock_was_set_back_before_it_was_made(body: Object) -> None:
    around = Surroundings()
    around.seconds = 3600
    for _ in range(2):
        answer = await around.sync(body)
    around.seconds = 0
    assert answer.holds is not None
    assert not await answer.holds()


async def test_an_answer_holds_no_more_once_a_child_was_lacking_meanwhile(body: Object) -> None:
    around = Surroundings()
    answer = await around.sync(body)
    without = deepcopy(body)
    _without_service(without)
    around.seconds += 30
    await around.sync(without)
    assert answer.holds is not None
    assert not await answer.holds()
    around.seconds += 1
    assert (await around.sync(body)).holds is not None, "it was looked, and nothing is lacking any more"


async def test_a_clock_that_was_set_back_keeps_nobody_from_looking(body: Object) -> None:
    around = Surroundings()
    around.seconds = 3600
    await around.sync(body)
    _without_service(body)
    for around.seconds in (0, 61):
        answer = await around.sync(body)
    assert "ChildNotApplied" in {condition["reason"] for condition in answer.status["conditions"]}


async def test_every_question_beside_the_request_is_noted() -> None:
    context = Surroundings().context

    async def asking(question: Any) -> bool:
        asked = Asked(context)
        assert not asked.anything
        try:
            answer = question(asked.context)
            if hasattr(answer, "__await__"):
                await answer
        except ReaderOff:
            pass
        return asked.anything

    assert await asking(lambda lent: lent.now())
    assert await asking(lambda lent: lent.entropy(1))
    assert await asking(lambda lent: lent.reader.secret("team", "keys"))
    assert await asking(lambda lent: lent.reader.get(SECRET, "team", "keys"))
    assert await asking(lambda lent: lent.reader.list(SECRET, "team"))
