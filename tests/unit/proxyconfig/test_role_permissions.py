"""A map in the custom resource is a list in the proxy, which refuses to start with a map."""

from __future__ import annotations

from typing import Any

from app.proxyconfig import config, config_text, render
from app.proxyconfig.findings import Cause
from tests.unit.proxyconfig.samples import instance

VIEWER = {"routes": ["/key/info", "/user/info"], "models": ["gpt-4o-mini"]}
USER = {"routes": ["/key/info", "/key/generate"], "models": ["gpt-4o"]}


def rbac(**roles: Any) -> Any:
    return instance(rbac={"enabled": True, "adminOnlyRoutes": ["/model/new"], "rolePermissions": roles})


def test_every_role_is_an_entry_that_carries_its_name() -> None:
    general = config(rbac(internal_user_viewer=VIEWER, internal_user=USER))["general_settings"]
    assert general == {
        "enforce_rbac": True,
        "admin_only_routes": ["/model/new"],
        "role_permissions": [{"role": "internal_user", **USER}, {"role": "internal_user_viewer", **VIEWER}],
    }


def test_swapped_roles_roll_nothing_out() -> None:
    one, other = rbac(internal_user_viewer=VIEWER, internal_user=USER), rbac(internal_user=USER, internal_user_viewer=VIEWER)
    assert config_text(config(one)) == config_text(config(other))


def test_no_role_renders_nothing() -> None:
    assert "role_permissions" not in config(rbac())["general_settings"]


def test_a_role_without_restrictions_is_still_an_entry() -> None:
    assert config(rbac(team={}))["general_settings"]["role_permissions"] == [{"role": "team"}]


def test_nothing_of_it_counts_while_it_is_off() -> None:
    assert config(instance(rbac={"enabled": False, "rolePermissions": {"team": USER}})) == {"model_list": []}


def test_a_role_that_litellm_refuses_is_told_and_kept_because_it_restricts() -> None:
    (finding,) = render(rbac(internal_user_viewer=VIEWER, internal_user=USER)).findings
    assert (finding.cause, finding.field) == (Cause.PREVENTS_START, "spec.rbac.rolePermissions.internal_user_viewer")


def test_a_list_of_allowed_routes_never_locks_the_probes_out() -> None:
    routes = config(instance(rbac={"enabled": True, "allowedRoutes": ["/health/readiness", "/v1/models"]}))
    assert routes["general_settings"]["allowed_routes"] == ["/health/readiness", "/v1/models", "/health/liveliness"]
