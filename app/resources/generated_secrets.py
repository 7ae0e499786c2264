"""Secrets that are generated for an instance, each only where the spec asks for it.

The value is injected: it is made once, and from then on the observed Secret's own value is passed, so that nothing here can
ever change a key that is in use. Values go into ``data``, the form in which they are stored.
"""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import object_name
from app.resources.child import child
from app.resources.errors import Unbuildable
from app.resources.kinds import SECRET

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

MASTER_KEY = "master-key"
SALT_KEY = "salt-key"
SCIM_TOKEN = "token"  # noqa: S105 - the key of a Secret


def wants_master_key(gateway: Gateway) -> bool:
    """Also beside a ``secretRef``, as the Go operator has it: whoever removes the reference later finds the key again."""
    return gateway.spec.master_key.auto_generate is True


def wants_salt_key(gateway: Gateway) -> bool:
    """Whether a salt key is generated."""
    return gateway.spec.salt_key is not None and gateway.spec.salt_key.auto_generate is True


def wants_scim_token(gateway: Gateway) -> bool:
    """Whether a SCIM token is generated: SCIM is on and no token is given."""
    scim = gateway.spec.scim
    return scim is not None and scim.enabled and scim.token_secret_ref is None


def master_key(gateway: Gateway, value: bytes) -> Object:
    """``<name>-master-key``, with the proxy's admin key."""
    return opaque_secret(gateway, names.master_key(gateway.name), {MASTER_KEY: value})


def salt_key(gateway: Gateway, value: bytes) -> Object:
    """``<name>-salt-key``, with the key that the proxy encrypts stored credentials with."""
    return opaque_secret(gateway, names.salt_key(gateway.name), {SALT_KEY: value})


def scim_token(gateway: Gateway, value: bytes) -> Object:
    """The Secret with the identity provider's bearer token, named by the spec or after the instance."""
    return opaque_secret(gateway, scim_secret(gateway), {SCIM_TOKEN: value})


def scim_secret(gateway: Gateway) -> str:
    """Name of the Secret with a generated SCIM token.

    Raises :class:`Unbuildable` for a name that is none, or that another Secret of the instance has or may come to have: its
    keys would be answered in two objects of one name.
    """
    field = "spec.scim.generatedTokenSecretName"
    wanted = gateway.spec.scim.generated_token_secret_name if gateway.spec.scim else ""
    name = object_name(names.scim_token(gateway.name, wanted), field)
    if name in {of(gateway.name) for of in (names.master_key, names.salt_key, names.database, names.database_url)}:
        raise Unbuildable(field, "is the name of another Secret of this instance; choose one of its own")
    return name


def opaque_secret(gateway: Gateway, name: str, values: Mapping[str, bytes]) -> Object:
    """An Opaque Secret of the instance."""
    data = {key: b64encode(value).decode() for key, value in values.items()}
    return child(SECRET, gateway, name, type="Opaque", data=data)
