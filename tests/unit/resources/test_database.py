"""DATABASE_URL, the migration Job, and the managed database."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import orjson
import pytest

from app.resources import managed_database
from app.resources.database_url import assembled_url
from app.resources.errors import Unbuildable
from app.resources.migration_job import migration_hash, migration_job
from tests.unit.resources.gateways import environment, everything, gateway, variable

if TYPE_CHECKING:
    from app.hooks.objects import Object

CNPG: Object = {"cloudnativepg": {"clusterName": "pg"}}
EXTERNAL: Object = {"external": {"connectionSecretRef": {"name": "pg", "key": "url"}}}
MANAGED: Object = {"managed": {"enabled": True}}
PASSWORD = b"p@ss/w#rd%?&:$(HOME)"
PARTS = {"username": b"app", "password": PASSWORD, "host": b"pg-rw", "port": b"5432", "dbname": b"app"}


def migrated(spec: Object | None = None, **migration: object) -> Object:
    """A spec with an external database and a migration."""
    return {"database": {**EXTERNAL, "migration": {"enabled": True, **migration}}, **(spec or {})}


def job(spec: Object) -> Object:
    built = migration_job(gateway(spec))
    assert built is not None
    return built


@pytest.mark.parametrize(
    ("database", "reference"),
    [
        (EXTERNAL, {"name": "pg", "key": "url"}),
        (CNPG, {"name": "pg-app", "key": "uri"}),
        (MANAGED, {"name": "gw-db", "key": "database-url"}),
        ({**EXTERNAL, **CNPG, **MANAGED}, {"name": "pg", "key": "url"}),
        ({**CNPG, **MANAGED}, {"name": "pg-app", "key": "uri"}),
    ],
)
def test_the_first_database_that_is_set_counts(database: Object, reference: Object) -> None:
    url = variable(gateway({"database": database}), "DATABASE_URL")
    assert url is not None
    assert url["valueFrom"]["secretKeyRef"] == reference


def test_without_a_database_there_is_no_url_and_no_migration() -> None:
    spec = {"database": {"managed": {"enabled": False}, "migration": {"enabled": True}}}
    assert variable(gateway(spec), "DATABASE_URL") is None
    assert migration_job(gateway(spec)) is None


def test_a_url_that_is_there_is_referred_to_and_nothing_is_assembled() -> None:
    given = gateway({"database": CNPG})
    urls = [entry for entry in environment(given) if "DATABASE" in entry["name"] or "PG" in entry["name"]]
    assert urls == [{"name": "DATABASE_URL", "valueFrom": {"secretKeyRef": {"name": "pg-app", "key": "uri"}}}]


def test_each_part_of_an_assembled_url_is_encoded_exactly_once() -> None:
    url = assembled_url(PARTS)
    assert url is not None
    split = urlsplit(url.decode())
    assert unquote(split.password or "").encode() == PASSWORD
    assert (split.username, split.hostname, split.port, split.path) == ("app", "pg-rw", 5432, "/app")
    assert "$(" not in url.decode(), "Kubernetes would expand it"


@pytest.mark.parametrize("missing", ["username", "password", "host", "dbname"])
def test_a_part_that_is_missing_makes_no_url(missing: str) -> None:
    assert assembled_url({**PARTS, missing: b""}) is None


def test_an_assembled_url_is_read_from_a_secret_of_its_own() -> None:
    url = variable(gateway({"database": CNPG}, assembled_database_url=True), "DATABASE_URL")
    assert url == {"name": "DATABASE_URL", "valueFrom": {"secretKeyRef": {"name": "gw-database-url", "key": "database-url"}}}


def test_the_managed_databases_secret_holds_one_password_in_two_forms() -> None:
    secret = managed_database.database_secret(gateway({"database": MANAGED}), PASSWORD)
    assert secret is not None
    data = {key: b64decode(value) for key, value in secret["data"].items()}
    assert data["password"] == PASSWORD
    assert unquote(urlsplit(data["database-url"].decode()).password or "").encode() == PASSWORD
    assert b"@gw-db.team.svc:5432/litellm" in data["database-url"]


def test_the_managed_database_is_gone_when_it_is_switched_off_or_outranked() -> None:
    for database in ({"managed": {"enabled": False}}, {**EXTERNAL, **MANAGED}):
        kinds = {child["kind"] for child in everything(gateway({"database": database}))}
        assert not kinds & {"StatefulSet", "PersistentVolumeClaim"}


def test_the_migration_never_pushes_the_schema() -> None:
    command = job(migrated())["spec"]["template"]["spec"]["containers"][0]["command"]
    assert command[:2] == ["python", "-c"]
    assert "use_migrate" in command[2]
    assert "accept" not in command[2]


def test_the_separate_image_runs_its_own_command_as_its_own_user() -> None:
    pod = job(migrated(useDatabaseImage=True))["spec"]["template"]["spec"]
    assert pod["containers"][0]["image"] == "ghcr.io/berriai/litellm-migrations:latest"
    assert "command" not in pod["containers"][0]
    assert pod["securityContext"]["runAsUser"] == 65532


def test_a_job_does_not_go_away_by_itself_and_ends() -> None:
    spec = job(migrated(timeout="1h30m"))["spec"]
    assert "ttlSecondsAfterFinished" not in spec
    assert (spec["activeDeadlineSeconds"], spec["backoffLimit"]) == (5400, 3)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"image": {"tag": "v2"}}, "another release has another schema"),
        (migrated(useDatabaseImage=True), "another command"),
        ({"database": {**CNPG, "migration": {"enabled": True}}}, "another database"),
        ({"extraEnvVars": [{"name": "DATABASE_URL", "value": "postgresql://other"}]}, "the user's own database"),
        ({"podScheduling": {"nodeSelector": {"pool": "cpu"}}}, "another place: what waits for a node can be freed"),
    ],
)
def test_what_a_job_runs_is_in_its_name(change: Object, why: str) -> None:
    assert job(migrated())["metadata"]["name"] != job({**migrated(), **change})["metadata"]["name"], why


@pytest.mark.parametrize(
    "change",
    [
        {"podScheduling": {}},
        {"podScheduling": {"nodeSelector": {}, "tolerations": [], "affinity": {}}},
        {"replicas": 5},
        {"extraEnvVars": [{"name": "OTHER", "value": "x"}]},
    ],
    ids=["an empty section", "a section of empty values", "the number of pods", "a variable that the migration does not read"],
)
def test_what_a_job_does_not_run_is_not_in_its_name(change: Object) -> None:
    assert job(migrated())["metadata"]["name"] == job({**migrated(), **change})["metadata"]["name"]


def test_where_it_ran_does_not_count_once_it_is_finished() -> None:
    moved = migrated({"podScheduling": {"nodeSelector": {"pool": "cpu"}}})
    assert migration_hash(gateway(migrated())) == migration_hash(gateway(moved))
    assert migration_hash(gateway(migrated())) != migration_hash(gateway(migrated({"image": {"tag": "v2"}})))


def test_a_users_own_url_is_what_is_migrated_with_all_that_it_refers_to() -> None:
    password = {"name": "DB_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "x", "key": "p"}}}
    url = {"name": "DATABASE_URL", "value": "postgresql://u:$(DB_PASSWORD)@h/d"}
    spec = migrated({"extraEnvVars": [url, password]})
    assert job(spec)["spec"]["template"]["spec"]["containers"][0]["env"] == [password, url]


@pytest.mark.parametrize("timeout", ["", "5", "five minutes", "-5m", "0s", "5m ", "1d", "9999999h"])
def test_a_timeout_that_is_no_duration_is_refused(timeout: str) -> None:
    with pytest.raises(Unbuildable) as refused:
        migration_job(gateway(migrated(timeout=timeout)))
    assert refused.value.field == "spec.database.migration.timeout"


def test_no_child_but_secrets_holds_the_password() -> None:
    for child in everything(gateway({"database": MANAGED})):
        if child["kind"] != "Secret":
            assert b"w#rd" not in orjson.dumps(child)
