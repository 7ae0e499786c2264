"""Sign-in and tokens write to one map, and neither wipes out the other."""

from __future__ import annotations

from typing import Any

from app.proxyconfig import config
from app.proxyconfig.oauth2 import claim_variables
from tests.unit.proxyconfig.samples import ACCESS, instance


def claims(**sections: Any) -> Any:
    return config(instance(**sections))["general_settings"].get("litellm_jwtauth")


def test_tokens_keep_the_claim_of_sign_in() -> None:
    assert claims(sso=ACCESS["sso"], jwtAuth={"enabled": True, "userIdJwtField": "sub"}) == {
        "team_ids_jwt_field": "teams",
        "user_id_jwt_field": "sub",
    }


def test_where_both_name_it_tokens_decide() -> None:
    both = claims(sso=ACCESS["sso"], jwtAuth={"enabled": True, "teamIdsJwtField": "divisions"})
    assert both == {"team_ids_jwt_field": "divisions"}


def test_tokens_that_are_off_change_nothing() -> None:
    assert claims(sso=ACCESS["sso"], jwtAuth={"enabled": False, "teamIdsJwtField": "x"}) == {"team_ids_jwt_field": "teams"}


def test_scopes_written_in_two_ways_are_one_list() -> None:
    auth = {
        "enabled": True,
        "enforceScopeBasedAccess": True,
        "scopeMappings": [{"scope": "c", "routes": ["/x"]}],
        "scopeModelMappings": {"b": ["m2"], "a": ["m1"]},
    }
    assert claims(jwtAuth=auth)["scope_mappings"] == [
        {"scope": "a", "models": ["m1"]},
        {"scope": "b", "models": ["m2"]},
        {"scope": "c", "routes": ["/x"]},
    ]


def test_claims_of_oauth2_tokens_are_named_in_the_environment() -> None:
    mappings = [
        {"name": "who", "jwtField": "sub", "litellmAttribute": "user_id"},
        {"name": "budget", "jwtField": "money", "litellmAttribute": "max_budget"},
    ]
    spec = instance(oauth2Auth={"enabled": True, "configMappings": mappings})
    assert claim_variables(spec) == {"OAUTH_USER_ID_FIELD_NAME": "sub"}
    assert claim_variables(instance(oauth2Auth={"enabled": False, "configMappings": mappings})) == {}


def test_admin_ui_decides_about_teams_also_where_it_says_no() -> None:
    spec = instance(rbac={"enabled": True, "defaultTeamDisabled": True}, adminUI={"defaultTeamDisabled": False})
    assert config(spec)["general_settings"]["default_team_disabled"] is False
