"""Amounts that no container can ask for are told by their field, whatever they are spelt like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.resources.container_resources import check_resources
from app.resources.errors import Unbuildable

if TYPE_CHECKING:
    from app.hooks.objects import Object

GPU = "nvidia.com/gpu"


@pytest.mark.parametrize(
    ("request_", "limit"),
    [("100m", "0.1"), ("0.1", "100m"), ("1e3", "1k"), ("1Ki", "1024"), ("1Gi", "1024Mi"), (1, "1000m"), ("1M", "1Mi"), ("0", 0)],
)
def test_a_request_of_at_most_its_limit_will_do_in_any_spelling(request_: object, limit: object) -> None:
    for name in ("cpu", "memory", "ephemeral-storage"):
        check_resources({"requests": {name: request_}, "limits": {name: limit}}, "spec.resources")


@pytest.mark.parametrize(
    ("request_", "limit"),
    [("101m", "0.1"), ("0.2", "100m"), ("1e3", "999"), ("1Gi", "1G"), (2, "1999m"), ("1Mi", "1M"), ("1n", "0"), ("1E3", "1e2")],
)
def test_a_request_of_more_than_its_limit_is_told_in_any_spelling(request_: object, limit: object) -> None:
    for name in ("cpu", "memory", "ephemeral-storage"):
        with pytest.raises(Unbuildable) as refused:
            check_resources({"requests": {name: request_}, "limits": {name: limit}}, "spec.resources")
        assert refused.value.field == f"spec.resources.requests.{name}"
        assert refused.value.problem == "must not be more than its limit; lower it, or raise the limit"


WRONG: list[tuple[str, Object, str, str]] = [
    ("a misspelt name", {"limits": {"mem": "1Gi"}}, "limits.mem", "is no resource"),
    ("a name with two slashes", {"limits": {"a/b/c": 1}}, "limits.a/b/c", "prefix"),
    ("no amount", {"limits": {"cpu": "much"}}, "limits.cpu", "is no quantity"),
    ("less than nothing", {"requests": {"cpu": "-1"}}, "requests.cpu", "must be a quantity"),
    ("half a device", {"limits": {GPU: "500m"}}, f"limits['{GPU}']", "whole number"),
    ("a device without a limit", {"requests": {GPU: 1}}, f"requests['{GPU}']", "equal to its limit"),
    ("fewer devices than the limit", {"requests": {GPU: 1}, "limits": {GPU: 2}}, f"requests['{GPU}']", "equal to its limit"),
    ("huge pages without a limit", {"requests": {"hugepages-2Mi": "4Mi"}}, "requests.hugepages-2Mi", "equal to its limit"),
]


@pytest.mark.parametrize(("why", "resources", "field", "problem"), WRONG, ids=[why for why, *_ in WRONG])
def test_what_no_container_can_have_is_told_by_its_field(why: str, resources: Object, field: str, problem: str) -> None:
    with pytest.raises(Unbuildable) as refused:
        check_resources(resources, "spec.resources")
    assert (refused.value.field, problem in refused.value.problem) == (f"spec.resources.{field}", True), why


def test_a_device_needs_no_request_and_kubernetes_own_names_are_let_through() -> None:
    check_resources({"limits": {GPU: "2"}, "requests": {GPU: "2000m", "kubernetes.io/batch-cpu": "500m"}}, "spec.resources")
