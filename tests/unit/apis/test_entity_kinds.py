"""The kinds that LiteLLM keeps in its database: names and columns as in the API, numbers as they were written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from app.apis.checking import check_spec
from app.apis.litellm.customer import LITELLM_CUSTOMER
from app.apis.litellm.entity_status import EntityStatus
from app.apis.litellm.model import LITELLM_MODEL, LiteLLMModelSpec
from app.apis.section import Section
from app.registry import KINDS

if TYPE_CHECKING:
    from app.apis.custom_resource import CustomResource

KIND = {kind.resource.kind: kind for kind in KINDS}
READY = "Ready string .status.conditions[?(@.type=='Ready')].status"
AGE = "Age date .metadata.creationTimestamp"
SYNCED = "Synced boolean .status.synced"
INSTANCE = "Instance string .spec.instanceRef.name"


@dataclass(frozen=True)
class Names:
    """How ``kubectl`` knows a kind. ``columns`` are those before Ready and Age."""

    kind: str
    plural: str
    short: str
    columns: tuple[str, ...]


NAMES = (
    Names(
        "LiteLLMModel",
        "litellmmodels",
        "lm",
        ("Model string .spec.modelName", SYNCED, "Health string .status.health"),
    ),
    Names(
        "LiteLLMCredential",
        "litellmcredentials",
        "lc",
        (
            "Credential string .spec.credentialName",
            INSTANCE,
            "Configured boolean .status.configured",
            "Models integer .status.referencedByModels",
        ),
    ),
    Names(
        "LiteLLMOrganization",
        "litellmorganizations",
        "lo",
        ("Alias string .spec.organizationAlias", "Members integer .status.memberCount", SYNCED),
    ),
    Names(
        "LiteLLMTeam",
        "litellmteams",
        "lt",
        (
            "Alias string .spec.teamAlias",
            "Members integer .status.totalMemberCount",
            "MemberMgmt string .spec.memberManagement",
            SYNCED,
        ),
    ),
    Names("LiteLLMUser", "litellmusers", "lu", ("UserID string .spec.userId", "Role string .spec.userRole", SYNCED)),
    Names(
        "LiteLLMVirtualKey",
        "litellmvirtualkeys",
        "lk",
        ("Alias string .spec.keyAlias", "Active boolean .status.isActive", SYNCED),
    ),
    Names(
        "LiteLLMCustomer",
        "litellmcustomers",
        "lcust",
        (
            "CustomerID string .spec.customerId",
            "MaxBudget string .spec.maxBudget",
            "Spend string .status.currentSpend",
            SYNCED,
        ),
    ),
    Names("LiteLLMBudget", "litellmbudgets", "lb", ("Budget ID string .status.litellmBudgetId", SYNCED, INSTANCE)),
    Names(
        "LiteLLMMCPServer",
        "litellmmcpservers",
        "lmcp",
        ("URL string .spec.url", "Transport string .spec.transport", INSTANCE, SYNCED),
    ),
    Names(
        "LiteLLMVectorStore",
        "litellmvectorstores",
        "lvs",
        ("StoreID string .spec.vectorStoreId", "Provider string .spec.provider", INSTANCE, SYNCED),
    ),
)


@pytest.mark.parametrize("names", NAMES, ids=lambda names: names.kind)
def test_a_kind_is_named_and_listed_as_in_the_api_with_ready_before_its_age(names: Names) -> None:
    definition = KIND[names.kind].crd()["spec"]
    assert (definition["names"]["plural"], definition["names"]["shortNames"]) == (names.plural, [names.short])
    (version,) = definition["versions"]
    columns = [f"{column['name']} {column['type']} {column['jsonPath']}" for column in version["additionalPrinterColumns"]]
    assert columns == [*names.columns, READY, AGE]


def test_no_two_kinds_share_a_name_that_kubectl_takes() -> None:
    taken = [name for kind in KINDS for name in (kind.singular, kind.resource.plural, *kind.short_names)]
    assert len(taken) == len(set(taken))


def test_every_kind_with_the_status_of_an_entity_is_in_the_table() -> None:
    assert {kind.resource.kind for kind in KINDS if issubclass(kind.status, EntityStatus)} == {names.kind for names in NAMES}


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("7e-09", "a price of a token"),
        ("0.00000015", "the same, spelled out"),
        ("0", "whole and free"),
        ("100", "whole"),
        ("0.1", "no sum of powers of two"),
    ],
)
def test_a_number_keeps_its_value(written: str, why: str) -> None:
    info = orjson.loads(f'{{"inputCostPerToken": {written}}}')
    given = {"instanceRef": {"name": "g"}, "modelName": "m", "litellmParams": {"model": "p/m"}, "modelInfo": info}
    spec = check_spec(LiteLLMModelSpec, given)
    assert isinstance(spec, LiteLLMModelSpec), why
    assert spec.model_info is not None
    assert orjson.loads(orjson.dumps(spec.model_info.input_cost_per_token)) == orjson.loads(written)


@pytest.mark.parametrize("number", ["1", True], ids=["a string", "a boolean"])
def test_what_is_no_number_is_refused_as_the_api_server_does(number: Any) -> None:
    spec = {"instanceRef": {"name": "g"}, "customerId": "c", "maxBudget": number}
    assert not isinstance(check_spec(LITELLM_CUSTOMER.spec, spec), Section)


def test_a_field_named_in_hours_keeps_the_case_of_the_api() -> None:
    assert "requestsLast24h" in LITELLM_MODEL.schema()["properties"]["status"]["properties"]


@pytest.mark.parametrize("kind", [KIND[names.kind] for names in NAMES], ids=lambda kind: kind.resource.kind)
def test_the_last_request_is_told_by_a_hash_in_status(kind: CustomResource) -> None:
    assert kind.schema()["properties"]["status"]["properties"]["syncHash"]["type"] == "string"
