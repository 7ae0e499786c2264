"""Names at and over every limit, and what two instances may both want."""

from __future__ import annotations

import pytest

from app.hooks.names import dns_label, fitted
from app.litellm.endpoint import service_endpoint
from app.resources import names
from app.resources.kinds import SECRET, SERVICE
from tests.unit.resources.gateways import everything, gateway


def test_a_name_that_fits_is_kept() -> None:
    assert names.migration_job("gw", "0123abcd") == "gw-migrate-0123abcd"
    assert names.config("gw") == "gw-config"
    assert names.service("gw") == "gw"


def test_a_name_that_does_not_fit_keeps_its_head_and_stays_distinct() -> None:
    one, other = (fitted("g" * 300 + end, 63) for end in "ab")
    assert len(one) == len(other) == 63
    assert one != other
    assert one.startswith("ggg")


@pytest.mark.parametrize("name", ["gw.prod", "7", "7.of.9", "a" * 64, "a." * 40 + "b", "x.-"])
def test_any_name_gives_a_service_a_legal_one(name: str) -> None:
    label = dns_label(name)
    assert len(label) <= 63
    assert label[0].isalpha()
    assert dns_label(name) == label
    assert "." not in label


@pytest.mark.parametrize("name", ["gw.prod", "g" * 253, "g" * 50])
def test_a_stateful_set_is_called_by_a_label_with_room_for_its_revision(name: str) -> None:
    assert "." not in names.database_stateful_set(name)
    assert len(names.database_stateful_set(name)) <= 52


def test_a_made_up_service_name_is_not_that_of_another_instance() -> None:
    assert dns_label("gw.prod") != dns_label("gw-prod")


@pytest.mark.parametrize("name", ["gw", "gw.prod", "g" * 100])
def test_the_endpoint_leads_to_the_service(name: str) -> None:
    given = gateway(name=name)
    built = next(child for child in everything(given) if child["kind"] == "Service")
    assert service_endpoint(given.spec, "team", name) == f"http://{built['metadata']['name']}.team.svc:4000"


def test_the_names_that_two_instances_both_want_are_known_beforehand() -> None:
    shared = set(names.taken_names("gw")[SERVICE]) & set(names.taken_names("gw-db")[SERVICE])
    assert shared == {"gw-db"}


def test_a_scim_secret_is_not_shared_unless_it_is_named() -> None:
    assert "gw-scim-token" in names.taken_names("gw")[SECRET]
    assert names.scim_token("gw", "litellm-scim-token") == "gw-scim-token"
    assert names.scim_token("gw", "mine") == "mine"
