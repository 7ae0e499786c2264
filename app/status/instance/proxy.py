"""Everything that is known about an attached proxy in one sync: what the status is decided on."""

from __future__ import annotations

from dataclasses import dataclass

from app.apis.litellm.sighting import UNSEEN, Sighting
from app.status.instance.ignored_settings import NOTHING_IGNORED, Ignored


@dataclass(frozen=True, slots=True, kw_only=True)
class MasterKeySource:
    """Where the master key comes from, and what is wrong with it there."""

    secret_name: str
    key: str
    resource_version: str = ""
    """The Secret's; empty while it is missing."""
    problem: str = ""
    """Why no key can be had from it; empty when it can."""
    auto_generate: bool = False
    """Whether ``spec.masterKey.autoGenerate`` is on beside the reference, where it does nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachedProxy:
    """Facts, gathered by the controller. Texts are parts of sentences; an empty one means that all is well."""

    endpoint: str
    """Base URL without trailing slashes; empty where it is invalid."""
    endpoint_problem: str = ""
    """Names the field."""
    ca_problem: str = ""
    """Names the field. The proxy is then not asked."""
    master_key: MasterKeySource
    sighting: Sighting = UNSEEN
    license_secret: str = ""
    """Name of the Secret that holds a licence; empty without one."""
    ignored: Ignored = NOTHING_IGNORED
    """Settings that do nothing here."""
    retained: tuple[str, ...] = ()
    """Observed children, as ``Deployment gw``."""
