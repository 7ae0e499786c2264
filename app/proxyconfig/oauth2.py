"""Claims of OAuth 2 tokens: LiteLLM takes three of them, and their names from the environment, not from its configuration.

Source: ``litellm/proxy/auth/oauth2_check.py``. The key ``oauth2_config_mappings`` belongs to another way of authenticating
(``enable_oauth2_proxy_auth``: headers that a trusted proxy sets), where it maps attributes to headers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.apis.litellm.instance import LiteLLMInstanceSpec

CLAIM_VARIABLES = {
    "user_id": "OAUTH_USER_ID_FIELD_NAME",
    "user_role": "OAUTH_USER_ROLE_FIELD_NAME",
    "team_id": "OAUTH_USER_TEAM_ID_FIELD_NAME",
}
"""Variable with the name of the claim, by the attribute that the claim becomes."""


def claim_variables(spec: LiteLLMInstanceSpec) -> dict[str, str]:
    """Variables of the proxy's container for ``spec.oauth2Auth.configMappings``, by name; nothing while it is off."""
    if spec.oauth2_auth is None or not spec.oauth2_auth.enabled:
        return {}
    mappings = spec.oauth2_auth.config_mappings or ()
    return {
        CLAIM_VARIABLES[mapping.litellm_attribute]: mapping.jwt_field
        for mapping in mappings
        if mapping.litellm_attribute in CLAIM_VARIABLES
    }
