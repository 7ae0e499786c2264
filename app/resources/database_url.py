"""Where DATABASE_URL comes from: always a key of a Secret, never a value.

The first of external, cloudnativepg and managed that is set counts. A Secret of CloudNativePG normally has the whole URL
under ``uri``. One without it has the parts; they are put together here into a Secret of the instance's own, which is wired
into pods only once it is observed, so that no part ever passes through a ConfigMap, an argument or a ``$(...)`` expansion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, unquote_to_bytes, urlsplit

from app.resources import names
from app.resources.cloudnativepg import CNPG_URL_KEY, cnpg_secret
from app.resources.gateway import SecretKey
from app.resources.generated_secrets import opaque_secret

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

URL_KEY = "database-url"
"""Key of every Secret of ours with a URL."""

_PARTS = {"username": ("username", "user"), "password": ("password",), "host": ("host",), "database": ("dbname", "database")}
_DEFAULT_PORT = b"5432"


def database_url(gateway: Gateway) -> SecretKey | None:
    """What the proxy and its migration read; None without a database."""
    database = gateway.spec.database
    if database.external:
        reference = database.external.connection_secret_ref
        return SecretKey(name=reference.name, key=reference.key)
    if database.cloudnativepg:
        if gateway.assembled_database_url:
            return SecretKey(name=names.database_url(gateway.name), key=URL_KEY)
        return SecretKey(name=cnpg_secret(database.cloudnativepg.cluster_name), key=CNPG_URL_KEY)
    if uses_managed_database(gateway):
        return SecretKey(name=names.database(gateway.name), key=URL_KEY)
    return None


def uses_managed_database(gateway: Gateway) -> bool:
    """Whether the managed database is on and the one that counts."""
    database = gateway.spec.database
    wanted = database.managed is not None and database.managed.enabled
    return wanted and database.external is None and database.cloudnativepg is None


def assembled_url(parts: Mapping[str, bytes]) -> bytes | None:
    """The URL from a Secret's parts, each encoded exactly once; None while a part is missing."""
    found = {part: next((parts[key] for key in keys if parts.get(key)), b"") for part, keys in _PARTS.items()}
    if not all(found.values()):
        return None
    port = parts.get("port") or _DEFAULT_PORT
    user, password, name = (quote(found[part], safe="") for part in ("username", "password", "database"))
    host = quote(found["host"], safe=":[]")
    return f"postgresql://{user}:{password}@{host}:{quote(port, safe='')}/{name}".encode()


def missing_parts(parts: Mapping[str, bytes]) -> list[str]:
    """The keys without which :func:`assembled_url` makes none."""
    return [keys[0] for keys in _PARTS.values() if not any(parts.get(key) for key in keys)]


def password_in(url: bytes) -> bytes:
    """The password that :func:`assembled_url` put into a URL; empty where there is none to be read."""
    try:
        return unquote_to_bytes(urlsplit(url.decode()).password or "")
    except ValueError:
        return b""


def assembled_url_secret(gateway: Gateway, url: bytes) -> Object:
    """``<name>-database-url``: the URL that :func:`assembled_url` made."""
    return opaque_secret(gateway, names.database_url(gateway.name), {URL_KEY: url})
