"""The ScheduledBackup, where CloudNativePG runs the database."""

from __future__ import annotations

from app.controllers.add_ons.add_on import add_on

CLOUDNATIVEPG_BACKUP = add_on("cloudnativepg-backup", "postgresql.cnpg.io")
