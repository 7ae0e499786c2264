"""The proxy container's ``env`` and ``envFrom``, in order.

An entry of ``spec.extraEnvVars`` replaces one of ours in its place, so that the list keeps its order and each name stands once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.proxyconfig.secret_names import guardrail_variable
from app.proxyconfig.variables import variable_content
from app.resources import names
from app.resources.config_map import CONFIG_FILE, CONFIG_FOLDER
from app.resources.database_url import database_url
from app.resources.environment.sign_on import base_url, scim, single_sign_on, tokens
from app.resources.environment.stores import caching, credentials, pass_through, redis, secret_manager
from app.resources.environment.variables import checked, from_secret, given, in_order_of_use, overlaid, plain
from app.resources.errors import Unbuildable
from app.resources.generated_secrets import MASTER_KEY, SALT_KEY, wants_master_key, wants_salt_key
from app.resources.users_own import stored
from app.resources.volumes import CLIENT_PEM, TLS_FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.apis.litellm.guardrail import LiteLLMGuardrailSpec
    from app.hooks.objects import Object
    from app.resources.environment.variables import Variable
    from app.resources.gateway import Gateway

MASTER_KEY_VARIABLE = "LITELLM_MASTER_KEY"

LICENSE_KEY = "license-key"
"""Key of a licence Secret."""


def proxy_environment(gateway: Gateway) -> list[Variable]:
    """``env`` of the proxy container. Raises :class:`Unbuildable` for an entry of the user's that is no variable."""
    ours = overlaid([*_from_spec(gateway), *checked(_callback_variables(gateway), "spec.callbacks.envVars")])
    ours = overlaid([*ours, *_guardrails(gateway)], keep_first=True)
    return in_order_of_use(overlaid([*ours, *checked(gateway.spec.extra_env_vars, "spec.extraEnvVars")]))


def proxy_environment_sources(gateway: Gateway) -> list[Object]:
    """``envFrom`` of the proxy container: of two sources with one key the later counts, so the user's come last."""
    own = stored(gateway.spec.extra_env_from or [], "envFrom", "spec.extraEnvFrom")
    for index, source in enumerate(own):
        if ("secretRef" in source) is ("configMapRef" in source):
            raise Unbuildable(f"spec.extraEnvFrom[{index}]", "must have a secretRef or a configMapRef, and not both")
    return [*credentials(gateway), *own]


def ignored_variables(gateway: Gateway) -> Iterator[tuple[str, ...]]:
    """For each guardrail the names that it sets and the proxy has otherwise. Raises as :func:`proxy_environment`."""
    if not gateway.guardrails:
        return
    there = {variable["name"]: variable_content(variable) for variable in proxy_environment(gateway)}
    for guardrail in gateway.guardrails:
        own = (*_key_of(guardrail), *(guardrail.env_vars or ()))
        ignored = (variable["name"] for variable in own if variable_content(variable) != there[variable["name"]])
        yield tuple(dict.fromkeys(ignored))


def _from_spec(gateway: Gateway) -> Iterator[Variable]:
    yield plain("CONFIG_FILE_PATH", f"{CONFIG_FOLDER}/{CONFIG_FILE}")
    yield plain("STORE_MODEL_IN_DB", True)
    yield from _keys(gateway)
    yield from _database(gateway)
    for group in (redis, base_url, single_sign_on, scim, secret_manager, caching, pass_through, _admin_ui, tokens, _tls):
        yield from group(gateway)
    if gateway.license_secret:
        yield from_secret("LITELLM_LICENSE", gateway.license_secret, LICENSE_KEY)


def _keys(gateway: Gateway) -> Iterator[Variable]:
    if (reference := gateway.spec.master_key.secret_ref) is not None:
        yield from_secret(MASTER_KEY_VARIABLE, reference.name, reference.key)
    elif wants_master_key(gateway):
        yield from_secret(MASTER_KEY_VARIABLE, names.master_key(gateway.name), MASTER_KEY)
    salt = gateway.spec.salt_key
    if salt and salt.secret_ref:
        yield from_secret("LITELLM_SALT_KEY", salt.secret_ref.name, salt.secret_ref.key)
    elif wants_salt_key(gateway):
        yield from_secret("LITELLM_SALT_KEY", names.salt_key(gateway.name), SALT_KEY)


def _database(gateway: Gateway) -> Iterator[Variable]:
    if (url := database_url(gateway)) is not None:
        yield from_secret("DATABASE_URL", url.name, url.key)
        if gateway.spec.database.migration and gateway.spec.database.migration.enabled:
            # The Job has migrated before this pod starts; pods that migrate as well would race.
            yield plain("DISABLE_SCHEMA_UPDATE", "true")


def _admin_ui(gateway: Gateway) -> Iterator[Variable]:
    interface = gateway.spec.admin_ui
    if interface is None:
        return
    yield from given(
        {
            "DISABLE_ADMIN_UI": interface.disabled or None,
            "LITELLM_UI_API_DOC_BASE_URL": interface.api_doc_base_url,
            "DOCS_URL": interface.docs_url,
            "ROOT_REDIRECT_URL": interface.root_redirect_url,
            "UI_LOGO_PATH": interface.logo_url,
            "EMAIL_LOGO_URL": interface.email_logo_url,
            "EMAIL_SUPPORT_CONTACT": interface.email_support_contact,
        }
    )


def _tls(gateway: Gateway) -> Iterator[Variable]:
    tls = gateway.spec.tls
    if tls and tls.server_cert_secret_ref:
        yield plain("SSL_CERTFILE_PATH", f"{TLS_FOLDER}/server/tls.crt")
        yield plain("SSL_KEYFILE_PATH", f"{TLS_FOLDER}/server/tls.key")
    if tls and tls.trusted_ca_secret_ref:
        yield plain("SSL_CERT_FILE", f"{TLS_FOLDER}/ca/{tls.trusted_ca_secret_ref.key}")
    if tls and tls.client_cert_secret_ref:
        yield plain("SSL_CERTIFICATE", CLIENT_PEM)


def _callback_variables(gateway: Gateway) -> list[Variable] | None:
    return gateway.spec.callbacks.env_vars if gateway.spec.callbacks else None


def _guardrails(gateway: Gateway) -> Iterator[Variable]:
    """API keys first, then each guardrail's own variables; a name that is there already stays as it is.

    Guardrails with an entry that is no variable, or one that another guardrail sets otherwise, were left out before.
    """
    for guardrail in gateway.guardrails:
        yield from _key_of(guardrail)
    for guardrail in gateway.guardrails:
        yield from guardrail.env_vars or ()


def _key_of(guardrail: LiteLLMGuardrailSpec) -> Iterator[Variable]:
    if (variable := guardrail_variable(guardrail)) is not None:
        yield from_secret(variable.name, variable.secret, variable.key)
