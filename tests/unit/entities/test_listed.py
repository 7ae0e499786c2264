"""Every kind of entity is listed and compared, and nothing secret with it."""

from __future__ import annotations

from typing import Any

import pytest

from app.controllers.entities import ENTITIES
from app.controllers.entities.kinds import ENTITY_KINDS
from app.litellm.entities.listing import NoList, differing
from app.litellm.snapshot import LISTED, Listing
from tests.unit.entities.examples import EXAMPLES, settled
from tests.unit.entities.world import World
from tests.unit.litellm.virtual_time import run


def test_every_kind_is_known_and_listed() -> None:
    assert [kind.resource.resource for kind in ENTITY_KINDS] == [controller.parent for controller in ENTITIES]
    assert {kind.entity.noun for kind in ENTITY_KINDS} == {entity.noun for entity in LISTED}
    assert all(entity.listing(1) is not None for entity in LISTED)


@pytest.mark.parametrize("answer", [None, {}, {"data": None}, {"message": "later"}, "no"], ids=str)
@pytest.mark.parametrize("entity", LISTED, ids=lambda entity: entity.noun)
def test_what_is_no_list_is_not_taken_for_an_empty_one(entity: Any, answer: Any) -> None:
    with pytest.raises(NoList):
        Listing().take(entity, answer, 1)


@pytest.mark.parametrize("noun", ["credential", "key", "model", "team", "user", "vector store"])
def test_a_bare_list_is_not_one_that_litellm_gives_a_name(noun: str) -> None:
    entity = next(one for one in LISTED if one.noun == noun)
    with pytest.raises(NoList):
        Listing().take(entity, [], 1)


SECRET = "sk-secret-0123456789"


@pytest.mark.parametrize(
    ("noun", "row"),
    [
        ("credential", {"credential_values": {"api_key": SECRET}}),
        ("key", {"key": SECRET, "key_name": SECRET}),
        ("MCP server", {"credentials": {"auth_value": SECRET}, "static_headers": {"Authorization": SECRET}}),
        ("model", {"litellm_params": {"api_key": SECRET, "vertex_credentials": SECRET, "extra_headers": {"X-Key": SECRET}}}),
        ("user", {"password": SECRET}),
        ("vector store", {"litellm_params": {"api_key": SECRET}}),
    ],
)
def test_no_secret_is_kept_of_a_row(noun: str, row: dict[str, Any]) -> None:
    entity = next(one for one in LISTED if one.noun == noun)
    assert SECRET not in str(entity.comparable(row))


@pytest.mark.parametrize(
    ("wanted", "there", "found", "why"),
    [
        ({"a": 5}, {"a": 5.0}, (), "numbers are compared as numbers"),
        ({"a": 0}, {"a": None}, ("a",), "0 is a limit, nothing is none"),
        ({"a": False}, {"a": None}, (), "LiteLLM writes no flag for one that is off"),
        ({"a": True}, {"a": 1}, ("a",), "a flag is no number"),
        ({"a": 1}, {}, (), "what a list does not show is not known to differ"),
        ({"a": ["x"]}, {"a": ["x", "y"]}, ("a",), "lists are compared whole"),
        ({"a": {"x": 1}}, {"a": {"x": 1, "y": 2}}, (), "an entry that is not ours"),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}}, ("a.x", "a.y"), "entries are told one by one"),
        ({"a": {"x": 1}}, {"a": None}, ("a.x",), "all of a map that is gone"),
        ({"a": "2030-01-01T00:00:00Z"}, {"a": "2030-01-01T00:00:01.5+00:00"}, (), "a moment is a moment, about"),
        ({"a": "2030-01-01T00:00:00Z"}, {"a": "2030-01-01T00:01:00Z"}, ("a",), "and another one another"),
        ({"a": "x"}, {"a": "2030-01-01T00:00:00Z"}, ("a",), "a text is no time"),
    ],
)
def test_what_is_wanted_is_held_against_what_is_shown(
    wanted: dict[str, Any], there: dict[str, Any], found: tuple[str, ...], why: str
) -> None:
    assert differing(wanted, there) == found, why


@pytest.mark.parametrize(
    ("hidden", "found", "why"),
    [
        ("a.x", ("a.y",), "one entry of a map"),
        ("a", (), "the whole map"),
        ("x", ("a.x", "a.y"), "an entry has the name of its map before its own"),
    ],
)
def test_what_a_list_shows_masked_is_not_compared(hidden: str, found: tuple[str, ...], why: str) -> None:
    assert differing({"a": {"x": 1, "y": 1}}, {"a": {}}, frozenset({hidden})) == found, why


@pytest.mark.parametrize("kind", ENTITY_KINDS, ids=lambda kind: kind.entity.noun)
def test_a_kind_says_that_it_has_a_place_for_a_mark_if_one_is_found_there(kind: Any) -> None:
    async def scenario() -> None:
        world = World()
        name = await settled(world, kind.resource.resource.kind)
        status = world.objects[kind.resource.resource.kind, name]["status"]
        row = world.rows(EXAMPLES[kind.resource.resource.kind].table)[status[kind.id_field]]
        assert (kind.entity.mark_of(row) is not None) == kind.entity.marked

    run(scenario())
