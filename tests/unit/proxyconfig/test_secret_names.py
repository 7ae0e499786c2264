"""Names of environment variables: never two secrets under one name."""

from __future__ import annotations

from typing import Any

import pytest

from app.apis.litellm.instance.pass_through import PassThroughEndpoint
from app.proxyconfig.secret_names import pass_through_variables, sanitised


def endpoint(path: str, *headers: tuple[str, str]) -> PassThroughEndpoint:
    secrets: list[Any] = [{"headerName": name, "secretRef": {"name": secret, "key": "K"}} for name, secret in headers]
    return PassThroughEndpoint.model_validate({"path": path, "target": "https://up.example", "headerSecrets": secrets})


def names(*endpoints: PassThroughEndpoint) -> list[str]:
    return [header.variable.name for headers in pass_through_variables(endpoints) for header in headers]


def test_a_name_says_path_and_header() -> None:
    assert names(endpoint("/v1/rerank", ("X-Api-Key", "cohere"))) == ["PASSTHROUGH_V1_RERANK_X_API_KEY"]


def test_two_paths_that_sanitise_alike_never_share_a_secret() -> None:
    first, second = names(endpoint("/a-b", ("Authorization", "one")), endpoint("/a/b", ("Authorization", "two")))
    assert first == "PASSTHROUGH_A_B_AUTHORIZATION"
    assert second.startswith("PASSTHROUGH_A_B_AUTHORIZATION_")


def test_one_path_with_two_methods_and_two_keys_has_two_variables() -> None:
    one, two = names(endpoint("/a", ("Authorization", "get-key")), endpoint("/a", ("Authorization", "post-key")))
    assert one != two


def test_one_path_with_two_methods_and_one_key_has_one_variable() -> None:
    one, two = names(endpoint("/a", ("Authorization", "key")), endpoint("/a", ("Authorization", "key")))
    assert one == two


def test_the_older_header_keeps_its_name_when_another_is_added_behind_it() -> None:
    first = endpoint("/a-b", ("Authorization", "one"))
    assert names(first) == names(first, endpoint("/a/b", ("Authorization", "two")))[:1]


@pytest.mark.parametrize(("text", "name"), [("pii-v1.2", "PII_V1_2"), ("ä b", "__B"), ("a_B9", "A_B9")])
def test_a_name_is_made_of_letters_digits_and_underscores(text: str, name: str) -> None:
    assert sanitised(text) == name
