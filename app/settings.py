"""Every environment variable of the service, in one place.

Values are checked when they are read, endpoint rules when the application is made; a bad one is a :class:`SettingsError` that
names the variable and what it takes. A variable that is set but blank counts as not set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ApplyStrategy = Literal["dynamic-apply", "server-side-apply"]
Platform = Literal["kubernetes", "openshift"]
LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["json", "console"]

T = TypeVar("T")

_API_GROUP = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+", re.ASCII)
_LINK_NAME = re.compile(r"PALENA_(\w+_)?(SERVICE_(HOST|PORT)|PORT_[0-9]+_)\w*", re.ASCII)
_CLUSTER_ID = re.compile(r"[a-zA-Z0-9]([-_.a-zA-Z0-9]{0,61}[a-zA-Z0-9])?", re.ASCII)


class SettingsError(ValueError):
    """A variable that the service cannot start with; the message names it and says what it takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the service was told at start. The defaults are those of an environment without any ``PALENA_`` variable."""

    host: str | None = None
    """Address the hooks are served on; nothing means all of them."""
    port: int = 8080
    hook_token_file: Path | None = None
    tls_cert_file: Path | None = None
    tls_key_file: Path | None = None
    tls_client_ca_file: Path | None = None
    cluster_id: str = "default"
    endpoint_allow: tuple[str, ...] = ()
    """Networks, host names and ``*.suffix`` patterns as they were written; who judges addresses reads them."""
    optional_apis: frozenset[str] = frozenset()
    """API groups whose add-on controllers are installed."""
    apply_strategy: ApplyStrategy = "dynamic-apply"
    platform: Platform = "kubernetes"
    log_level: LogLevel = "info"
    log_format: LogFormat = "json"
    unknown_variables: tuple[str, ...] = ()
    """Other names that begin with ``PALENA_``: whoever set them wanted something that does not happen."""

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Settings:
        """The settings in ``environ``; raises :class:`SettingsError` for the first value that cannot be used."""
        read = _Reader(environ)
        settings = cls(
            host=read.value("PALENA_HOST", str, None),
            port=read.value("PALENA_PORT", _port, 8080),
            hook_token_file=read.value("PALENA_HOOK_TOKEN_FILE", Path, None),
            tls_cert_file=read.value("PALENA_TLS_CERT_FILE", Path, None),
            tls_key_file=read.value("PALENA_TLS_KEY_FILE", Path, None),
            tls_client_ca_file=read.value("PALENA_TLS_CLIENT_CA_FILE", Path, None),
            cluster_id=read.value("PALENA_CLUSTER_ID", _cluster_id, "default"),
            endpoint_allow=read.value("PALENA_ENDPOINT_ALLOW", _entries, ()),
            optional_apis=read.value("PALENA_OPTIONAL_APIS", _api_groups, frozenset[str]()),
            apply_strategy=cast(
                "ApplyStrategy", read.choice("PALENA_APPLY_STRATEGY", "dynamic-apply", ("dynamic-apply", "server-side-apply"))
            ),
            platform=cast("Platform", read.choice("PALENA_PLATFORM", "kubernetes", ("kubernetes", "openshift"))),
            log_level=cast("LogLevel", read.choice("PALENA_LOG_LEVEL", "info", ("debug", "info", "warning", "error"))),
            log_format=cast("LogFormat", read.choice("PALENA_LOG_FORMAT", "json", ("json", "console"))),
        )
        _check_tls(settings)
        return replace(settings, unknown_variables=read.left_over())


class _Reader:
    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._known: set[str] = set()

    def text(self, name: str) -> str:
        self._known.add(name)
        value = self._environ.get(name, "").strip()
        return "" if _service_link(name, value) else value

    def left_over(self) -> tuple[str, ...]:
        """The variables with our prefix that nobody has asked for."""
        ours = sorted(name for name in self._environ.keys() - self._known if name.startswith("PALENA_"))
        return tuple(name for name in ours if not _service_link(name, self._environ[name]))

    def value(self, name: str, parse: Callable[[str], T], default: T) -> T:
        text = self.text(name)
        if not text:
            return default
        try:
            return parse(text)
        except ValueError as error:
            raise SettingsError(f"{name}={text!r} {error}") from None

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        text = self.text(name).lower() or default
        if text not in choices:
            raise SettingsError(f"{name}={text!r} must be one of {', '.join(choices)}")
        return text


def _service_link(name: str, value: str) -> bool:
    """Whether the kubelet set it, for a Service whose name begins with ``palena``, in a pod that keeps service links on."""
    return _LINK_NAME.fullmatch(name) is not None or (
        name.endswith("_PORT") and value.startswith(("tcp://", "udp://", "sctp://"))
    )


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 65535):
        raise ValueError("must be a port number from 1 to 65535")
    return int(text)


def _cluster_id(text: str) -> str:
    if not _CLUSTER_ID.fullmatch(text):
        raise ValueError("must be 1 to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends")
    return text


def _entries(text: str) -> tuple[str, ...]:
    return tuple(entry.strip() for entry in text.split(",") if entry.strip())


def _api_groups(text: str) -> frozenset[str]:
    for entry in _entries(text):
        if not _API_GROUP.fullmatch(entry):
            raise ValueError(f"must be a comma-separated list of API groups (monitoring.coreos.com); {entry!r} is none")
    return frozenset(_entries(text))


def _check_tls(settings: Settings) -> None:
    if (settings.tls_cert_file is None) != (settings.tls_key_file is None):
        raise SettingsError("PALENA_TLS_CERT_FILE and PALENA_TLS_KEY_FILE must be set together")
    if settings.tls_client_ca_file is not None and settings.tls_cert_file is None:
        raise SettingsError("PALENA_TLS_CLIENT_CA_FILE needs PALENA_TLS_CERT_FILE and PALENA_TLS_KEY_FILE as well")
