"""From spec and guardrails to the whole configuration, section by section."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from app.hooks.field_path import field_path
from app.proxyconfig import budgets, caching, guardrails, machine_auth, older_releases, pass_through, rbac
from app.proxyconfig.findings import Cause, Finding
from app.proxyconfig.general import ADMIN_UI, GENERAL, IP_ALLOWLIST, SPEND_LOGS, SSO
from app.proxyconfig.litellm_settings import LOGGING, NEW_USERS_AND_TEAMS, SETTINGS
from app.proxyconfig.router import FALLBACKS, ROUTER
from app.proxyconfig.secret_manager import SECRET_MANAGER
from app.proxyconfig.table import field, filled, is_empty, map_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from app.apis.litellm.guardrail import LiteLLMGuardrailSpec
    from app.apis.litellm.instance import LiteLLMInstanceSpec
    from app.hooks.objects import Object

_MEMOISED = 256

_EXACT = 2.0**53
"""Below it a whole number of either type is the same number."""

_EXTRA = {"general_settings": "generalSettings.extra", "litellm_settings": "litellmSettings.extra"}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A configuration, and what its user should know about it."""

    config: Object
    findings: tuple[Finding, ...]


class _Specs:
    """Key of the memo: checked specs are frozen and come from a memo themselves, so that the same content is the same object."""

    __slots__ = ("specs",)

    def __init__(self, spec: LiteLLMInstanceSpec, chosen: Iterable[LiteLLMGuardrailSpec]) -> None:
        self.specs = (spec, *chosen)

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.specs)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Specs) and tuple(map(id, self.specs)) == tuple(map(id, other.specs))


def render(spec: LiteLLMInstanceSpec, chosen: Iterable[LiteLLMGuardrailSpec] = ()) -> Rendered:
    """The content of ``proxy_server_config.yaml``. ``chosen`` is what ``guardrails.choose`` renders, in that order.

    Models are not in it: they are registered over the admin API. Secrets are only named, as ``os.environ/NAME``. What is returned
    is shared: never change it.
    """
    return _memoised(_Specs(spec, chosen))


def _render(spec: LiteLLMInstanceSpec, chosen: Sequence[LiteLLMGuardrailSpec]) -> Rendered:
    plain = spec.model_dump(by_alias=True, exclude_none=True)
    sections: dict[str, Object] = {
        "general_settings": _general_settings(spec, plain),
        "litellm_settings": filled(plain, SETTINGS, FALLBACKS, NEW_USERS_AND_TEAMS, LOGGING, rbac.KEY_GENERATION)
        | caching.cache(plain),
        "router_settings": filled(plain, ROUTER),
    }
    ignored = [finding for section, path in _EXTRA.items() for finding in _add_extra(sections[section], plain, path)]
    parts = {**sections, "guardrails": [guardrails.entry(guardrail) for guardrail in chosen]}
    config = {"model_list": [], **{name: part for name, part in parts.items() if not is_empty(part)}}
    return Rendered(_canonical(config), (*ignored, *_told(plain)))


@lru_cache(maxsize=_MEMOISED)
def _memoised(key: _Specs) -> Rendered:
    spec, *chosen = key.specs
    return _render(spec, chosen)


def unlicensed(spec: LiteLLMInstanceSpec) -> Iterator[Finding]:
    """Settings that want a licence, and what LiteLLM does without one; for gateways that have no licence Secret."""
    if spec.extra_env_from or any(variable.get("name") == "LITELLM_LICENSE" for variable in spec.extra_env_vars or ()):
        return
    text = "is a feature of LiteLLM Enterprise: without a licence the proxy"
    allowlist = spec.security.ip_allowlist if spec.security else None
    if allowlist and allowlist.enabled:
        yield Finding(Cause.PREVENTS_START, "spec.security.ipAllowlist", f"{text} does not start")
    for index, endpoint in enumerate(spec.pass_through_endpoints or ()):
        if endpoint.auth:
            path = f"spec.passThroughEndpoints[{index}].auth"
            yield Finding(Cause.PREVENTS_START, path, f"{text} does not start (before LiteLLM 1.108)")
    if spec.oauth2_auth and spec.oauth2_auth.enabled:
        yield Finding(Cause.REFUSES_REQUESTS, "spec.oauth2Auth", f"{text} refuses every request to a model")
    if spec.jwt_auth and spec.jwt_auth.enabled:
        yield Finding(Cause.REFUSES_REQUESTS, "spec.jwtAuth", f"{text} refuses tokens, and before LiteLLM 1.108 keys as well")
    if spec.rbac and spec.rbac.enabled and spec.rbac.admin_only_routes:
        yield Finding(Cause.NOT_ENFORCED, "spec.rbac.adminOnlyRoutes", f"{text} leaves these routes open to all keys")


def config(spec: LiteLLMInstanceSpec, chosen: Iterable[LiteLLMGuardrailSpec] = ()) -> Object:
    """``render`` for those who only want the configuration."""
    return render(spec, chosen).config


def _general_settings(spec: LiteLLMInstanceSpec, plain: Object) -> Object:
    section = filled(plain, GENERAL, SSO, IP_ALLOWLIST, rbac.GENERAL, SECRET_MANAGER, SPEND_LOGS, ADMIN_UI)
    machine_auth.general_settings(plain, section)
    if spec.pass_through_endpoints:
        section["pass_through_endpoints"] = pass_through.endpoints(spec.pass_through_endpoints)
    return section


def _add_extra(section: Object, plain: Object, path: str) -> Iterator[Finding]:
    """Add raw keys that nothing else sets; say which were not added."""
    for key, value in sorted(map_at(plain, path).items()):
        if key in section:
            yield Finding(Cause.EXTRA_IGNORED, field_path(f"spec.{path}", key), "is ignored: the spec sets it in another field")
        else:
            section[key] = value


def _told(plain: Object) -> Iterator[Finding]:
    yield from budgets.unreadable(plain)
    yield from machine_auth.refused(plain)
    yield from rbac.told(plain)
    yield from caching.told(plain)
    yield from older_releases.told(plain)
    ours, theirs = field(plain, "sso.teamIdsJwtField"), field(plain, "jwtAuth.teamIdsJwtField")
    both = field(plain, "sso.enabled") is True and field(plain, "jwtAuth.enabled") is True
    if both and theirs and ours not in (theirs, "groups"):
        yield Finding(Cause.OVERRIDDEN, "spec.sso.teamIdsJwtField", "spec.jwtAuth.teamIdsJwtField differs, and counts")
    if field(plain, "adminUI.storeModelInDB") is False:
        text = "has no effect: models are kept in the database, where custom resources and the Admin UI put them"
        yield Finding(Cause.OVERRIDDEN, "spec.adminUI.storeModelInDB", text)
    if field(plain, "generalSettings.masterKeyRequired") is not None:
        text = "is not read by LiteLLM, which requires the master key wherever one is set"
        yield Finding(Cause.NOT_READ, "spec.generalSettings.masterKeyRequired", text)
    if field(plain, "logging.auditLogs.enabled") is True and field(plain, "logging.auditLogs.retentionDays") is not None:
        text = "is not read by LiteLLM, which keeps audit logs until they are deleted in the database"
        yield Finding(Cause.NOT_READ, "spec.logging.auditLogs.retentionDays", text)


def _canonical(value: Any) -> Any:
    """Whole numbers without a fraction, so that 10 and 10.0 are one configuration."""
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in cast("Object", value).items()}
    if isinstance(value, list):
        return [_canonical(item) for item in cast("list[Any]", value)]
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    return value
