"""Which objects an instance relates to: Secrets, always by name, whatever the spec looks like."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.controllers.exchange import SPEC, Palena, instance
from tests.unit.litellm.virtual_time import run

LICENSES = ["gw-license", "litellm-license"]


def names(spec: Any) -> list[str]:
    async def scenario() -> list[str]:
        parent = instance(spec)
        if spec == "absent":
            del parent["spec"]
        (rule,) = await Palena().customize(parent)
        assert (rule["apiVersion"], rule["resource"], rule["namespace"]) == ("v1", "secrets", "team")
        return rule["names"]

    return run(scenario())


def test_an_attached_proxy_needs_its_key_its_cas_and_the_licence() -> None:
    tls = {"trustedCASecretRef": {"name": "ca"}, "serverCertSecretRef": {"name": "server"}}
    assert names({**SPEC, "tls": tls}) == ["ca", "gw-license", "litellm-license", "lk", "server"]


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("absent", "an object without spec"),
        ({}, "an empty one"),
        ([], "not an object"),
        ({"masterKey": None}, "null"),
        ({"masterKey": "text"}, "not an object"),
        ({"masterKey": {"secretRef": {"name": 7}}}, "not a name"),
        ({"masterKey": {"secretRef": {"name": ""}}}, "an empty name"),
        ({"masterKey": {"secretRef": {"name": "No/Name"}}}, "no object can have it"),
        ({"tls": {"trustedCASecretRef": []}}, "not a reference"),
    ],
)
def test_a_spec_that_makes_no_sense_still_gets_a_rule_with_names(spec: Any, why: str) -> None:
    assert names(spec) == LICENSES, why


def test_a_name_is_asked_for_once() -> None:
    assert names({**SPEC, "tls": {"trustedCASecretRef": {"name": "lk"}}}) == [*LICENSES, "lk"]
