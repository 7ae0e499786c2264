"""Which images run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources.checks import object_name, one_of
from app.resources.errors import Unbuildable

if TYPE_CHECKING:
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

REPOSITORY = "ghcr.io/berriai/litellm"
"""The schema's default. With ``security.runAsNonRoot`` it counts as not set: the schema fills it in with any other field."""

NON_ROOT_REPOSITORY = "ghcr.io/berriai/litellm-non_root"
MIGRATIONS_REPOSITORY = "ghcr.io/berriai/litellm-migrations"
DEFAULT_TAG = "latest"
MOVING_TAGS = frozenset({DEFAULT_TAG, "main", "main-latest", "main-stable", "nightly", "stable"})
"""Tags of LiteLLM's images that stand for another image every other day."""

_PULL_POLICIES = ("Always", "IfNotPresent", "Never")


def runs_as_non_root(gateway: Gateway) -> bool:
    """Whether LiteLLM's non-root image and a restricted security context are asked for."""
    return gateway.spec.security is not None and gateway.spec.security.run_as_non_root is True


def proxy_tag(gateway: Gateway) -> str:
    """The proxy's tag, which is also what is known of its version."""
    return (gateway.spec.image.tag if gateway.spec.image else "") or DEFAULT_TAG


def tag_of(image: str) -> str:
    """The tag of an image; a digest counts as one. Empty where it has neither."""
    name = image.rpartition("/")[2]
    return name.partition("@")[2] or name.partition(":")[2]


def proxy_image(gateway: Gateway) -> str:
    """The proxy's image with its tag or digest."""
    repository = (gateway.spec.image.repository if gateway.spec.image else "") or REPOSITORY
    if repository == REPOSITORY and runs_as_non_root(gateway):
        repository = NON_ROOT_REPOSITORY
    return _reference(repository, proxy_tag(gateway), "spec.image")


def proxy_pull_policy(gateway: Gateway) -> str:
    """When the proxy's image is pulled."""
    return _pull_policy(gateway.spec.image.pull_policy if gateway.spec.image else None, "spec.image.pullPolicy")


def migrations_image(gateway: Gateway, running: str = "") -> str:
    """LiteLLM's separate migrations image, with the proxy's tag where it has none of its own.

    ``running`` is the proxy's image where patches set another one than the spec.
    """
    migration = gateway.spec.database.migration
    own = migration.database_image if migration else None
    repository = (own.repository if own else None) or MIGRATIONS_REPOSITORY
    tag = (own.tag if own else None) or tag_of(running) or proxy_tag(gateway)
    return _reference(repository, tag, "spec.database.migration.databaseImage")


def migrations_pull_policy(gateway: Gateway) -> str:
    """When the migrations image is pulled."""
    migration = gateway.spec.database.migration
    own = migration.database_image if migration else None
    return _pull_policy(own.pull_policy if own else None, "spec.database.migration.databaseImage.pullPolicy")


def pull_secrets(gateway: Gateway) -> list[Object]:
    """References to the registry's Secrets, each once."""
    given = (gateway.spec.image.pull_secrets if gateway.spec.image else None) or []
    checked = [object_name(secret.name, f"spec.image.pullSecrets[{index}].name") for index, secret in enumerate(given)]
    return [{"name": name} for name in dict.fromkeys(checked)]


def _reference(repository: str, tag: str, field: str) -> str:
    if repository != repository.strip():
        raise Unbuildable(f"{field}.repository", "must not begin or end with a space")
    # A digest is pinned as <repository>@<algorithm>:<digest>; no tag holds a colon.
    return f"{repository}{'@' if ':' in tag else ':'}{tag}"


def _pull_policy(given: str | None, field: str) -> str:
    return one_of(_PULL_POLICIES, given or "IfNotPresent", field)
