"""A made-up Secret that the cluster has, and that the request lacks because its cache is one write behind."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks.objects import LAST_APPLIED
from app.hooks.request import composite_request
from app.kube.reader import LIVE, NoReader, ReadFailed
from tests.unit.controllers.release_files import load, request
from tests.unit.controllers.test_at_rest import Surroundings

if TYPE_CHECKING:
    from app.hooks.objects import Object

NAME = "team-gateway-master-key"


class OneSecret(NoReader):
    """A cluster that has this Secret, or does not answer; how often it was asked."""

    def __init__(self, stored: Object | None) -> None:
        super().__init__()
        self.stored = stored
        self.asked = 0

    async def secret(self, namespace: str, name: str, *, version: str = "") -> Object | None:
        """By name; what is remembered would be no better than the cache."""
        assert version == LIVE
        self.asked += 1
        if self.stored is None:
            raise ReadFailed("the API server does not answer")
        return self.stored if (namespace, name) == ("ai", NAME) else None


async def answered(body: Object, reader: OneSecret) -> Object:
    """The data of the Secret that is answered."""
    context = replace(Surroundings().context, reader=reader)
    decision: Any = LITELLM_INSTANCES.sync(composite_request(body), context)
    answer = await decision
    return next(child["data"] for child in answer.children if child["metadata"]["name"] == NAME)


@pytest.fixture
def body() -> Object:
    """A new gateway: its first key was stored a moment ago, and nothing reads it yet."""
    found = request(load("managed"))
    found["children"]["Deployment.apps/v1"] = {}
    return found


def lacking(body: Object) -> tuple[Object, Object]:
    """The body without the Secret, and the Secret."""
    without = deepcopy(body)
    return without, without["children"]["Secret.v1"].pop(f"ai/{NAME}")


async def test_no_second_value_is_made_up(body: Object) -> None:
    without, stored = lacking(body)
    assert await answered(without, OneSecret(stored)) == stored["data"]


async def test_one_of_somebody_else_is_not_read_for_ours(body: Object) -> None:
    without, stored = lacking(body)
    stored["metadata"]["ownerReferences"][0]["uid"] = "another"
    assert await answered(without, OneSecret(stored)) != stored["data"]


async def test_one_that_somebody_else_controls_is_not_read_for_ours(body: Object) -> None:
    without, stored = lacking(body)
    (ours,) = stored["metadata"]["ownerReferences"]
    stored["metadata"]["ownerReferences"] = [{**ours, "controller": False}, {**ours, "uid": "another"}]
    stored["data"] = {"master-key": "c2stY2hvc2VuLWJ5LXNvbWVib2R5"}
    assert await answered(without, OneSecret(stored)) != stored["data"]


async def test_a_value_that_is_back_already_counts_where_the_request_shows_none(body: Object) -> None:
    seen = body["children"]["Secret.v1"][f"ai/{NAME}"]
    stored = deepcopy(seen)
    seen["data"] = {}
    del seen["metadata"]["annotations"][LAST_APPLIED]
    assert await answered(body, OneSecret(stored)) == stored["data"]


async def test_one_that_is_being_deleted_is_not_counted_on(body: Object) -> None:
    without, stored = lacking(body)
    stored["metadata"]["deletionTimestamp"] = "2031-01-01T00:00:00Z"
    assert await answered(without, OneSecret(stored)) != stored["data"]


async def test_without_an_answer_of_the_cluster_a_value_is_made_up(body: Object) -> None:
    without, stored = lacking(body)
    reader = OneSecret(None)
    assert await answered(without, reader) != stored["data"]
    assert reader.asked


async def test_a_cluster_that_gives_no_answer_is_asked_once(body: Object) -> None:
    body["parent"]["spec"]["saltKey"] = {"autoGenerate": True}
    without, _ = lacking(body)
    without["children"]["Secret.v1"] = {}
    reader = OneSecret(None)
    await answered(without, reader)
    assert reader.asked == 1


async def test_nothing_is_read_while_the_request_has_them_all(body: Object) -> None:
    reader = OneSecret(None)
    assert await answered(body, reader) == body["children"]["Secret.v1"][f"ai/{NAME}"]["data"]
    assert not reader.asked
