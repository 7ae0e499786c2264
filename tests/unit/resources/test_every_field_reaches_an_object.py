"""No field that is about pods and what is around them is dead: without it, some object is another one.

Fields that reach the configuration instead are walked in ``tests/unit/proxyconfig``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.resources.errors import Unbuildable
from tests.unit.resources.fullest import ANOTHER, FULLEST
from tests.unit.resources.gateways import everything, gateway

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.hooks.objects import Object

ELSEWHERE = {
    "replicas": "the autoscaler decides in this sample",
    "callbacks.types[]": "configuration",
    "caching.redis.host": "configuration",
    "sso.customSsoHandler.configMapRef.functionName": "configuration",
    "passThroughEndpoints[].target": "configuration",
    "secretManager.provider": "configuration",
    "secretManager.aws.roleARN": "configuration",
    "secretManager.aws.sessionName": "configuration",
    "secretManager.aws.webIdentityTokenPath": "configuration",
    "secretManager.aws.stsEndpoint": "configuration",
}
EQUALS_THE_DEFAULT = {
    "database.migration.enabled",
    "caching.type",
    "ingress.tls.enabled",
    "upgrade.strategy",
}
"""Set in a sample to what the schema would fill in, or to what does the same there."""


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Paths of everything in a spec that is neither a map nor a list."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path


def written(path: tuple[str | int, ...]) -> str:
    return "".join("[]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def changed(value: Any, path: tuple[str | int, ...]) -> Any:
    """The value with another value at the path: a switch is turned, a number is one more, a text is longer."""
    if not path:
        return not value if isinstance(value, bool) else value + 1 if isinstance(value, int) else _another(value)
    if isinstance(value, list):
        return [changed(item, path[1:]) if index == path[0] else item for index, item in enumerate(value)]
    return {key: changed(item, path[1:]) if key == path[0] else item for key, item in value.items()}


_WORDS = {
    "IfNotPresent": "Always",
    "Always": "Never",
    "Never": "Always",
    "LoadBalancer": "NodePort",
    "rolling": "recreate",
    "recreate": "rolling",
    "generic-oidc": "google",
    "azure-entra": "google",
    "redis": "local",
    "token": "tls",
    "1024Mi": "2Gi",
    "2Gi": "3Gi",
    "1000m": "2",
    "handler.py": "other.py",
}


def _another(text: str) -> str:
    return _WORDS.get(text, f"1{text}" if text[-1:] in "ms" and text[:1].isdigit() else f"{text}x")


def cases() -> Iterator[Any]:
    for sample, spec in (("fullest", FULLEST), ("another", ANOTHER)):
        for path in leaves(spec):
            field = written(path)
            if field not in ELSEWHERE and field not in EQUALS_THE_DEFAULT and "resources" not in path:
                yield pytest.param(spec, path, id=f"{sample}: {field}")


@pytest.mark.parametrize(("spec", "path"), list(cases()))
def test_another_value_makes_another_object(spec: Object, path: tuple[str | int, ...]) -> None:
    assert _outcome(spec) != _outcome(changed(spec, path))


def _outcome(spec: Object) -> list[Object] | str:
    try:
        return list(everything(gateway(spec)))
    except Unbuildable as error:
        return str(error)
