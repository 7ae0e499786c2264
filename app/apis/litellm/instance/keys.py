"""``spec.masterKey`` and ``spec.saltKey``: the proxy's two own secrets."""

from __future__ import annotations

from app.apis.section import Section
from app.apis.types import SecretKeyRef


class MasterKey(Section):
    """The proxy's admin key. Without secretRef and autoGenerate no key is known, and nothing that needs the admin API works."""

    secret_ref: SecretKeyRef | None = None
    """Secret that holds the admin key; it wins over autoGenerate. Required when workload.managed is false."""
    auto_generate: bool | None = None
    """Make a random key in the Secret <instance>-master-key, once, and keep it."""


class SaltKey(Section):
    """The key that the proxy encrypts stored credentials with. It must never change once models are stored."""

    secret_ref: SecretKeyRef | None = None
    """Secret that holds the salt key; it wins over autoGenerate."""
    auto_generate: bool | None = None
    """Make a random key in the Secret <instance>-salt-key, once, and keep it."""
