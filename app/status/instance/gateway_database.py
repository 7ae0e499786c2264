"""``DatabaseReady`` of a managed gateway, and what is said of an upgrade gate that a moving tag blinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.status.instance.gateway import MigrationStage
from app.status.instance.gateway_reasons import (
    DATABASE_STARTING,
    MIGRATION_COMPLETE,
    MIGRATION_FAILED,
    MIGRATION_NOT_STARTED,
    MIGRATION_RUNNING,
    MIGRATION_SKIPPED,
    MIGRATION_SUSPENDED,
    MIGRATION_WAITING,
    UPGRADES_GATED_BY_MOVING_TAG,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.status.instance.gateway import ManagedGateway, Migration
    from app.status.reason import Condition


def database_conditions(gateway: ManagedGateway) -> Iterator[Condition]:
    """Both conditions; the second only where there is something to say."""
    yield _database(gateway.migration)
    if gateway.moving_tag:
        yield UPGRADES_GATED_BY_MOVING_TAG.because(
            f"the tag {gateway.moving_tag} moves: a new image under it starts without a migration; pin spec.image.tag"
        )


def _database(migration: Migration) -> Condition:
    about, why = migration.about, migration.why
    match migration.stage:
        case MigrationStage.SKIPPED:
            return MIGRATION_SKIPPED.because("spec.database.migration asks for no Job")
        case MigrationStage.DATABASE_STARTING:
            return DATABASE_STARTING.because(f"StatefulSet {about} is not ready yet")
        case MigrationStage.WAITING:
            return MIGRATION_WAITING.because(f"the migration Job is not made until {why}")
        case MigrationStage.EARLIER:
            return MIGRATION_RUNNING.because(
                f"{about} of an earlier migration is still there; nothing else is done until it ends"
            )
        case MigrationStage.NOT_STARTED:
            return MIGRATION_NOT_STARTED.because(f"Job {about} does not start ({why}); correct the cause")
        case MigrationStage.RUNNING:
            return MIGRATION_RUNNING.because(f"Job {about} is at work")
        case MigrationStage.SUSPENDED:
            return MIGRATION_SUSPENDED.because(f"Job {about} is suspended")
        case MigrationStage.FAILED:
            return MIGRATION_FAILED.because(
                f"Job {about} failed ({why}); correct the cause and delete the Job, or choose another image"
            )
        case MigrationStage.COMPLETE:
            return MIGRATION_COMPLETE.because("the schema is migrated for the wanted image")
