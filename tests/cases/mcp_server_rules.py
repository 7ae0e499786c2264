"""What the API server accepts of a LiteLLMMCPServer and refuses: one table for all who must agree with it.

The Python twins, the CEL engine and the in-memory API server are held to it in the unit tests, the real API server in e2e.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

OAUTH2_RULE = "oauth2 is only valid when authType is oauth2"
CREDENTIALS_RULE = "credentials is only valid with an authType other than none"
CLIENT_RULE = "oauth2.flow client_credentials requires credentials.clientIdSecretRef and credentials.clientSecretSecretRef"
RULES = {OAUTH2_RULE, CREDENTIALS_RULE, CLIENT_RULE}


@dataclass(frozen=True)
class Case:
    """One spec and what becomes of it."""

    why: str
    """A sentence, also the test's id."""
    spec: dict[str, Any]
    field: str = ""
    """The field that the refusal names."""
    refusal: str = ""
    """Part of the API server's message; empty means that the object is accepted."""

    @property
    def breaks_rule(self) -> bool:
        """Whether the refusal is a CEL rule's."""
        return self.refusal in RULES


def spec(**fields: Any) -> dict[str, Any]:
    """A spec with the required fields and what a case is about."""
    return {"instanceRef": {"name": "gateway"}, "url": "https://mcp.example.com/mcp", **fields}


def secret(key: str) -> dict[str, str]:
    return {"name": "tools", "key": key}


CLIENT = {"clientIdSecretRef": secret("id"), "clientSecretSecretRef": secret("secret")}
MACHINE = {"flow": "client_credentials", "tokenURL": "https://login.example.com/token"}
URL_PATTERN = r"in body should match '^https?://[^\s/?#]+'"
NAME_PATTERN = "in body should match '^[^-]+$'"

CASES = (
    Case("an instance and a URL are all it takes", spec()),
    Case("a server with a key", spec(authType="api_key", credentials={"authValueSecretRef": secret("key")})),
    Case("a client's own token may be handed on, so a type of authentication needs no value", spec(authType="bearer_token")),
    Case("the proxy gets tokens for itself", spec(authType="oauth2", credentials=CLIENT, oauth2=MACHINE)),
    Case("users get tokens, and everything else is discovered", spec(authType="oauth2", oauth2={"flow": "authorization_code"})),
    Case("a flow that is not said needs no client", spec(authType="oauth2", oauth2={})),
    Case("a name with underscores", spec(serverName="my_tools", alias="tools")),
    Case("null is absent", spec(oauth2=None, credentials=None, authType=None)),
    Case("oauth2 without a type of authentication would be ignored", spec(oauth2={}), "spec", OAUTH2_RULE),
    Case("oauth2 beside another type would be ignored", spec(authType="basic", oauth2={}), "spec", OAUTH2_RULE),
    Case("credentials without a type of authentication would be ignored", spec(credentials={}), "spec", CREDENTIALS_RULE),
    Case("credentials beside none would be ignored", spec(authType="none", credentials=CLIENT), "spec", CREDENTIALS_RULE),
    Case("a client must be named before it can ask for tokens", spec(authType="oauth2", oauth2=MACHINE), "spec", CLIENT_RULE),
    Case(
        "a client without its secret",
        spec(authType="oauth2", oauth2=MACHINE, credentials={"clientIdSecretRef": secret("id")}),
        "spec",
        CLIENT_RULE,
    ),
    Case(
        "a client without its id",
        spec(authType="oauth2", oauth2=MACHINE, credentials={"clientSecretSecretRef": secret("secret")}),
        "spec",
        CLIENT_RULE,
    ),
    Case(
        "a command would run in the proxy",
        spec(transport="stdio"),
        "spec.transport",
        'Unsupported value: "stdio": supported values: "http", "sse"',
    ),
    Case("a server is reached over HTTP", spec(url="stdio://tools"), "spec.url", URL_PATTERN),
    Case("a scheme alone is no URL", spec(url="https://"), "spec.url", URL_PATTERN),
    Case("a server has a URL", {"instanceRef": {"name": "gateway"}}, "spec.url", "spec.url: Required value"),
    Case("LiteLLM refuses a name with a dash", spec(serverName="my-tools"), "spec.serverName", NAME_PATTERN),
    Case("LiteLLM refuses an alias with a dash", spec(alias="my-tools"), "spec.alias", NAME_PATTERN),
    Case(
        "a token's URL is one",
        spec(authType="oauth2", oauth2={"tokenURL": "/token"}),
        "spec.oauth2.tokenURL",
        URL_PATTERN,
    ),
)
