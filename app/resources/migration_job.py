"""The Job that migrates the database's schema before the proxy of a new image starts.

It is named by all that it runs, so that another image, command, database or placement is another Job, and it has no TTL: a
Job that went away by itself could not be told from one that never ran.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.resources import names
from app.resources.checks import seconds
from app.resources.child import child
from app.resources.digests import short_digest
from app.resources.environment.proxy import proxy_environment
from app.resources.environment.variables import with_what_it_uses
from app.resources.image import (
    migrations_image,
    migrations_pull_policy,
    proxy_image,
    proxy_pull_policy,
    pull_secrets,
    runs_as_non_root,
)
from app.resources.kinds import JOB
from app.resources.placement import placement
from app.resources.security_contexts import MIGRATIONS_USER, container_context, non_root_pod_context, proxy_pod_context
from app.resources.volumes import database_tls_volumes

if TYPE_CHECKING:
    from app.apis.litellm.instance.database import Migration
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

COMPONENT = "litellm-migration"
BACKOFF_LIMIT = 3

# Without use_migrate, LiteLLM pushes its schema and may drop columns. The newer ways, where a release has them, are safe while
# two releases run at once and finish the indexes inside the Job.
_MIGRATE = """\
import inspect, sys
from litellm_proxy_extras.utils import ProxyExtrasDBManager as manager
migrate = getattr(manager, "run_migration_job", manager.setup_database)
options = {"use_migrate": True, "use_v2_resolver": True}
known = inspect.signature(migrate).parameters
sys.exit(0 if migrate(**{name: value for name, value in options.items() if name in known}) else 1)
"""


def migration_job(gateway: Gateway, image: str = "") -> Object | None:
    """None while no migration is asked for, or there is no database to migrate.

    ``image`` is the proxy's where patches set another one than the spec.
    """
    migration = _wanted(gateway)
    if migration is None:
        return None
    spec: Object = {
        "activeDeadlineSeconds": seconds(migration.timeout, "spec.database.migration.timeout"),
        "backoffLimit": BACKOFF_LIMIT,
        "template": {"metadata": {"labels": gateway.pod_labels(COMPONENT)}, "spec": _pod(gateway, migration, image)},
    }
    digest = short_digest([_work(gateway, migration, image), *([where] if (where := placement(gateway)) else [])])
    return child(JOB, gateway, names.migration_job(gateway.name, digest), spec=spec)


def migration_hash(gateway: Gateway, image: str = "") -> str:
    """What the migration does, wherever it runs: what was finished need not run again. Empty without a migration."""
    migration = _wanted(gateway)
    return short_digest(_work(gateway, migration, image)) if migration else ""


def _wanted(gateway: Gateway) -> Migration | None:
    migration = gateway.spec.database.migration
    return migration if migration and migration.enabled and _database(gateway) else None


def _database(gateway: Gateway) -> list[Object]:
    """The proxy's own DATABASE_URL, a user's replacement included: migrating another database would help nobody."""
    return with_what_it_uses("DATABASE_URL", proxy_environment(gateway))


def _work(gateway: Gateway, migration: Migration, image: str) -> list[object]:
    certificates = [mounted.volume() for mounted in database_tls_volumes(gateway)]
    return [_run(gateway, migration, image), _database(gateway), certificates]


def _run(gateway: Gateway, migration: Migration, image: str) -> Object:
    """Image and command; the separate image knows its own command."""
    if migration.use_database_image:
        return {"image": migrations_image(gateway, image)}
    return {"image": image or proxy_image(gateway), "command": ["python", "-c", _MIGRATE]}


def _pod(gateway: Gateway, migration: Migration, image: str) -> Object:
    separate = migration.use_database_image is True
    volumes = database_tls_volumes(gateway)
    container: Object = {
        "name": "migrate",
        **_run(gateway, migration, image),
        "imagePullPolicy": migrations_pull_policy(gateway) if separate else proxy_pull_policy(gateway),
        "env": _database(gateway),
        "securityContext": container_context(restricted=separate or runs_as_non_root(gateway)),
        "volumeMounts": [mounted.mount() for mounted in volumes],
    }
    return {
        # Under OnFailure the pods, and with them their logs, are gone once the Job has failed.
        "restartPolicy": "Never",
        "enableServiceLinks": False,
        "automountServiceAccountToken": False,
        "securityContext": non_root_pod_context(gateway, MIGRATIONS_USER) if separate else proxy_pod_context(gateway),
        "imagePullSecrets": pull_secrets(gateway),
        "containers": [container],
        "volumes": [mounted.volume() for mounted in volumes],
        **placement(gateway),
    }
