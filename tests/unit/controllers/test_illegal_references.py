"""References by names and keys that no Secret or ConfigMap can have: told where they are written, and not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.resources.kinds import DEPLOYMENT, SERVICE
from tests.unit.controllers.gateway_world import MIGRATED, SPEC, instance, running, secret, world

if TYPE_CHECKING:
    from app.hooks.objects import Object

SSO: dict[str, Any] = {"enabled": True, "provider": "generic-oidc", "clientSecret": {"name": "sso", "key": "b"}}
ROWS: list[tuple[Object, str]] = [
    ({"sso": {**SSO, "clientId": {"name": "SSO", "key": "a"}}}, "spec.sso.clientId.name must be a DNS subdomain"),
    ({"sso": {**SSO, "clientId": {"name": "", "key": "a"}}}, "spec.sso.clientId.name must be given"),
    ({"sso": {**SSO, "clientId": {"name": "sso", "key": ""}}}, "spec.sso.clientId.key must be given"),
    ({"sso": {**SSO, "clientId": {"name": "sso", "key": "a/b"}}}, "spec.sso.clientId.key must consist of"),
    ({"sso": {**SSO, "clientId": {"name": "s" * 254, "key": "a"}}}, "spec.sso.clientId.name is longer than 253 characters"),
    ({"tls": {"serverCertSecretRef": {"name": "Cert"}}}, "spec.tls.serverCertSecretRef.name must be a DNS subdomain"),
    (
        {"extraEnvVars": [{"name": "A", "valueFrom": {"configMapKeyRef": {"name": "more", "key": "a b"}}}]},
        "spec.extraEnvVars[0].valueFrom.configMapKeyRef.key must consist of",
    ),
    ({"extraEnvFrom": [{"secretRef": {"name": "_x"}}]}, "spec.extraEnvFrom[0].secretRef.name must be a DNS subdomain"),
    (
        {
            "patches": [
                {
                    "target": {"kind": "Deployment"},
                    "patch": [
                        {
                            "op": "add",
                            "path": "/spec/template/spec/volumes",
                            "value": [{"name": "v", "secret": {"secretName": "Not/One"}}],
                        },
                        {"op": "add", "path": "/spec/template/spec/containers/0/volumeMounts", "value": []},
                    ],
                }
            ]
        },
        "secret.secretName must be a DNS subdomain",
    ),
]


@pytest.mark.parametrize(("change", "words"), ROWS, ids=[row[1] for row in ROWS])
async def test_it_is_told_and_the_others_go_on(change: Object, words: str) -> None:
    async with running() as made:
        before = await made.get(DEPLOYMENT)
        await made.edit({**change, "service": {"port": 5000}})
        assert (await made.get(DEPLOYMENT))["spec"] == before["spec"]
        assert words in await made.message("ChildrenApplied")
        assert await made.reason("ChildrenApplied") == "False/ChildInvalid"
        assert (await made.get(SERVICE))["spec"]["ports"][0]["port"] == 5000


async def test_a_database_that_cannot_be_named_makes_no_migration_either() -> None:
    database = {"external": {"connectionSecretRef": {"name": "PG", "key": "url"}}, "migration": {"enabled": True}}
    async with world(secret("pg", url="postgresql://h/d"), instance({**MIGRATED, "database": database})) as made:
        assert await made.find(DEPLOYMENT) is None
        said = await made.message("ChildrenApplied")
        assert "Job gw-migrate" in said
        assert "spec.database.external.connectionSecretRef.name must be a DNS subdomain" in said


async def test_a_legal_reference_is_followed_as_before() -> None:
    async with running(SPEC) as made:
        await made.edit({"extraEnvFrom": [{"secretRef": {"name": "a.b-c.9"}}]})
        assert "Secret a.b-c.9 does not exist" in await made.message("ReferencesResolved")
