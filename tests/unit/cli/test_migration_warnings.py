"""``palena migrate`` says before what will be otherwise: the Go operator 0.6.0 left much undone that a spec asks for."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from app.cli.migration_plan import Found
from app.cli.migration_warnings import warnings
from app.hooks.objects import reference
from tests.cases import go_operator

if TYPE_CHECKING:
    from app.hooks.objects import Object

NOW = datetime(2026, 12, 1, tzinfo=UTC)
SECRET = {"name": "idp", "key": "id"}
SSO: Object = {"enabled": True, "provider": "google", "clientId": SECRET, "clientSecret": SECRET}


def placed(item: Object) -> Object:
    return {**item, "metadata": {**item["metadata"], "namespace": "ai", "uid": f"uid-{item['metadata']['name']}"}}


def gateway(**spec: object) -> Object:
    return placed(go_operator.instance(**spec))


def key(expires: str) -> Object:
    item = placed(go_operator.entities()["ci"])
    return {**item, "spec": {**item["spec"], "expiresAt": expires}}


def said(*owners: Object) -> dict[str, str]:
    instances = [item for item in owners if item["kind"] == "LiteLLMInstance"]
    entities = [item for item in owners if item["kind"] != "LiteLLMInstance"]
    found = Found(instances=instances, children=[], entities=entities)
    return {reference(one.item): one.why for one in warnings(found, NOW)}


def test_a_usual_gateway_and_its_objects_need_no_warning() -> None:
    assert said(gateway(), *map(placed, go_operator.entities().values()), key("2030-01-01T00:00:00Z")) == {}


def test_a_spec_that_is_no_longer_valid_is_named_with_its_field() -> None:
    """``customSsoHandler`` was a string that operator 0.6.0 made nothing of."""
    told = said(gateway(sso={**SSO, "customSsoHandler": "custom_sso.handler"}))["LiteLLMInstance ai/gw"]
    assert "spec.sso.customSsoHandler: must be an object" in told
    assert "custom_sso.handler" not in told, "a value may be a secret"


def test_an_entity_whose_spec_is_not_valid_is_named_too() -> None:
    model = placed(go_operator.entities()["flash"])
    told = said({**model, "spec": {**model["spec"], "modelName": 7}})
    assert "spec.modelName: must be a string" in told["LiteLLMModel ai/flash"]


def test_a_key_that_should_have_expired_will() -> None:
    told = said(key("2026-11-30T23:59:59Z"))
    assert "spec.expiresAt has passed" in told["LiteLLMVirtualKey ai/ci"]


def test_config_sync_that_prunes_begins_to() -> None:
    """That operator 0.6.0 compared nothing, so nobody has seen yet what would be deleted."""
    prune = {"enabled": True, "unmanagedResourcePolicy": "prune"}
    assert "deletes models and keys" in said(gateway(configSync=prune))["LiteLLMInstance ai/gw"]
    assert said(gateway(configSync={**prune, "enabled": False})) == {}
    assert said(gateway(configSync={"enabled": True})) == {}


def test_what_was_made_ready_before_is_not_warned_of_again() -> None:
    """Without its finalizer an object is not the Go operator's any more; the service tells of it in status."""
    owner = key("2026-01-01T00:00:00Z")
    del owner["metadata"]["finalizers"]
    assert said(owner) == {}


def test_what_is_being_deleted_is_not_warned_of() -> None:
    owner = key("2026-01-01T00:00:00Z")
    owner["metadata"]["deletionTimestamp"] = "2026-11-01T00:00:00Z"
    assert said(owner) == {}
