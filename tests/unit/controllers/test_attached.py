"""What status says of an attached proxy in each situation, and when Palena looks again."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx2
import orjson
import pytest

from app.controllers.context import Context
from app.controllers.litellm_instance import LITELLM_INSTANCES
from app.hooks import application
from app.litellm.addresses import AllowRules
from app.litellm.probe import Prober
from app.litellm.transport import JudgedTransport, Resolver
from app.sim.fake_litellm import Behaviour, FakeLiteLLM
from app.status.resync import NEVER
from tests.unit.controllers.exchange import KEY, SPEC, URL, Palena, condition, instance, reason, secret
from tests.unit.litellm.virtual_time import now, run

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

CANARY = "sk-canary-4711"


@pytest.mark.parametrize(
    ("related", "words"),
    [
        ([], "Secret lk does not exist"),
        ([secret(OTHER="x")], "Secret lk has no key MASTER"),
        ([secret(MASTER="")], "key MASTER of Secret lk is empty"),
        ([secret(MASTER="\n")], "key MASTER of Secret lk is empty"),
        ([secret(MASTER="sk-1\nsk-2")], "key MASTER of Secret lk holds a control character"),
        ([secret(MASTER="sk-ä")], "key MASTER of Secret lk is not ASCII text"),
        ([secret(MASTER=" sk-1")], "key MASTER of Secret lk begins or ends with a blank"),
        ([secret(MASTER="sk-1 \n")], "key MASTER of Secret lk begins or ends with a blank"),
        ([secret(MASTER="sk-" + "1" * 4094)], "key MASTER of Secret lk is longer than 4096 characters"),
        ([{**secret(), "data": {"MASTER": "%%%"}}], "key MASTER of Secret lk is not base64"),
        ([{**secret(), "data": {"MASTER": "clé"}}], "key MASTER of Secret lk is not base64"),
        ([{**secret(), "data": None}], "Secret lk has no key MASTER"),
    ],
)
def test_a_master_key_that_cannot_be_had_is_named(related: list[Any], words: str) -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        answer = await Palena({URL: proxy}).sync(instance(), related)
        message = condition(answer, "Ready")["message"]
        assert reason(answer) == "False/ProxyNotReachable"
        assert message.startswith(f"master key unavailable: {words} (spec.masterKey.secretRef names Secret lk, key MASTER)")
        assert f"{URL} answers /health/liveliness" in message
        assert reason(answer, "MasterKeyAccepted") == "Unknown/MasterKeyMissing"
        assert answer["status"]["ready"] is False
        assert answer["resyncAfterSeconds"] == NEVER, "Metacontroller's own tick comes as early"
        assert [call.key for call in proxy.calls] == ["", ""]

    run(scenario())


def test_whoever_meant_the_key_to_be_generated_is_told_that_it_is_not() -> None:
    async def scenario() -> None:
        spec = {**SPEC, "masterKey": {"secretRef": {"name": "lk", "key": "MASTER"}, "autoGenerate": True}}
        answer = await Palena({URL: FakeLiteLLM(behaviour=Behaviour.DEAD)}).sync(instance(spec), [])
        message = condition(answer, "Ready")["message"]
        assert "autoGenerate makes no key while workload.managed is false, the key must come from secretRef" in message
        assert f"{URL} refused the connection" in message
        assert "spec.masterKey.autoGenerate is ignored" in condition(answer, "SettingsIgnored")["message"]

    run(scenario())


def test_a_line_end_after_the_key_is_dropped() -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance(), [secret(MASTER=KEY + "\r\n")])
        assert reason(answer, "MasterKeyAccepted") == "True/KeyAccepted"

    run(scenario())


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("sk-wrong", "the proxy does not know the key (401)"),
        ("sk-virtual", "the proxy knows the key, but it is a virtual key and no admin's"),
        ("wrong", "the key does not begin with sk-"),
    ],
)
def test_a_rejected_key_is_a_condition_of_its_own(key: str, words: str) -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(virtual_keys=frozenset({"sk-virtual"}))
        answer = await Palena({URL: proxy}).sync(instance(), [secret(MASTER=key)])
        assert reason(answer) == "True/ProxyReachable"
        assert reason(answer, "MasterKeyAccepted") == "False/MasterKeyRejected"
        assert words in condition(answer, "MasterKeyAccepted")["message"]

    run(scenario())


@pytest.mark.parametrize("behaviour", list(Behaviour))
@pytest.mark.parametrize("version", ["1.81.14", "1.110.2"])
@pytest.mark.parametrize("key", [CANARY, f"{CANARY}\x01", f"{CANARY}ä"])
def test_no_part_of_the_key_is_ever_told(behaviour: Behaviour, version: str, key: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(version=version, behaviour=behaviour)
        answer = await Palena({URL: proxy}).sync(instance(), [secret(MASTER=key)])
        for told in (json.dumps(answer), caplog.text):
            assert "canary" not in told
            assert "4711" not in told

    with caplog.at_level("DEBUG"):
        run(scenario())


def test_where_the_key_is_stands_in_status_and_what_it_is_does_not() -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance())
        assert answer["status"]["masterKey"] == {"secretName": "lk", "key": "MASTER", "resourceVersion": "7"}

    run(scenario())


def test_of_a_key_that_is_gone_the_last_version_stays_for_what_has_to_be_deleted_with_it() -> None:
    async def scenario() -> None:
        palena = Palena()
        before = await palena.sync(instance())
        gone = await palena.sync(instance(status=before["status"]), [])
        assert gone["status"]["ready"] is False
        assert gone["status"]["masterKey"] == before["status"]["masterKey"]
        other = {**SPEC, "masterKey": {"secretRef": {"name": "another", "key": "MASTER"}}}
        moved = await palena.sync(instance(other, status=before["status"]), [])
        assert moved["status"]["masterKey"] == {"secretName": "another", "key": "MASTER"}

    run(scenario())


def test_an_endpoint_that_is_no_base_url_is_refused_without_repeating_it() -> None:
    async def scenario() -> None:
        spec = {**SPEC, "workload": {"managed": False, "endpoint": f"http://admin:{CANARY}@litellm:4000"}}
        answer = await Palena().sync(instance(spec))
        assert reason(answer) == "False/EndpointInvalid"
        assert reason(answer, "MasterKeyAccepted") == "Unknown/NotChecked"
        assert answer["status"]["endpoint"] == ""
        assert answer["resyncAfterSeconds"] == 0
        assert "canary" not in json.dumps(answer)

    run(scenario())


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        ({"workload": {"managed": False}, "service": {"port": 70000}}, "spec.service.port"),
        ({"workload": {"managed": False}, "service": {"port": -1}}, "spec.service.port"),
        ({"workload": {"managed": False, "endpoint": "http://\u00a0litellm:4000"}}, "spec.workload.endpoint"),
        ({"workload": {"managed": False, "endpoint": "http://litellm\u2003:4000"}}, "spec.workload.endpoint"),
        ({"workload": {"managed": False, "endpoint": "http://litellm:"}}, "spec.workload.endpoint"),
    ],
)
def test_what_the_schema_lets_through_and_no_url_can_be_made_of_is_told_by_its_field(spec: Any, field: str) -> None:
    async def scenario() -> None:
        answer = await Palena().sync(instance({**SPEC, **spec}))
        assert reason(answer) == "False/EndpointInvalid"
        assert condition(answer, "Ready")["message"].startswith(f"{field} ")

    run(scenario())


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:4000", "a loopback address"),
        ("http://[::1]:4000", "a loopback address"),
        ("http://localhost:4000", "a loopback address"),
        ("http://169.254.169.254", "a link-local address"),
    ],
)
async def test_an_endpoint_on_a_refused_address_is_told_as_such(url: str, words: str) -> None:
    loop = asyncio.get_running_loop()
    rules, resolver = AllowRules(), Resolver()
    prober = Prober(lambda trust: JudgedTransport(trust, rules, resolver), loop.time)
    service = application([LITELLM_INSTANCES], Context(now=lambda: datetime(2026, 1, 1, tzinfo=UTC), prober=prober))
    body = {
        "controller": {},
        "parent": instance({**SPEC, "workload": {"managed": False, "endpoint": url}}),
        "children": {},
        "related": {"Secret.v1": {"team/lk": secret(MASTER=KEY)}},
        "finalizing": False,
    }
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=service), base_url="http://palena") as client:
        response = await client.post("/hooks/litellminstances/sync", content=orjson.dumps(body))
    answer = response.json()
    assert reason(answer) == "False/EndpointNotAllowed"
    assert f"{url} leads to {words}" in condition(answer, "Ready")["message"]
    assert "PALENA_ENDPOINT_ALLOW" in condition(answer, "Ready")["message"]


@pytest.mark.parametrize(
    ("tls", "related", "problem"),
    [
        ({"trustedCASecretRef": {"name": "ca", "key": "ca.crt"}}, [], "spec.tls.trustedCASecretRef: Secret ca does not exist"),
        (
            {"trustedCASecretRef": {"name": "ca", "key": "ca.crt"}},
            [secret("ca", other="x")],
            "spec.tls.trustedCASecretRef: Secret ca has no key ca.crt",
        ),
        (
            {"trustedCASecretRef": {"name": "ca", "key": "ca.crt"}},
            [secret("ca", **{"ca.crt": "hello"})],
            "spec.tls.trustedCASecretRef: key ca.crt of Secret ca holds no PEM certificate that can be read",
        ),
        (
            {"serverCertSecretRef": {"name": "server"}},
            [secret("server", **{"ca.crt": "hello"})],
            "spec.tls.serverCertSecretRef: key ca.crt of Secret server holds no PEM certificate that can be read",
        ),
    ],
)
def test_a_ca_that_cannot_be_had_is_named_and_the_proxy_is_not_asked(tls: Any, related: list[Any], problem: str) -> None:
    async def scenario() -> None:
        url = "https://litellm.platform.svc:4000"
        proxy = FakeLiteLLM()
        spec = {**SPEC, "workload": {"managed": False, "endpoint": url}, "tls": tls}
        answer = await Palena({url: proxy}).sync(instance(spec), [secret(MASTER=KEY), *related])
        assert reason(answer) == "False/ProxyNotReachable"
        assert f"the proxy at {url} was not asked: {problem}" in condition(answer, "Ready")["message"]
        assert answer["resyncAfterSeconds"] == NEVER, "Metacontroller's own tick comes as early"
        assert proxy.calls == []

    run(scenario())


@pytest.mark.parametrize(
    ("url", "tls", "why"),
    [
        ("https://llm:4000", {"serverCertSecretRef": {"name": "server"}}, "without ca.crt the system's store is believed"),
        ("http://llm:4000", {"trustedCASecretRef": {"name": "absent", "key": "ca.crt"}}, "http has no certificate to check"),
    ],
)
def test_a_ca_that_is_not_needed_is_not_missed(url: str, tls: Any, why: str) -> None:
    async def scenario() -> None:
        spec = {**SPEC, "workload": {"managed": False, "endpoint": url}, "tls": tls}
        answer = await Palena({url: FakeLiteLLM()}).sync(instance(spec))
        assert reason(answer) == "True/ProxyReachable", why

    run(scenario())


def test_nothing_is_known_at_first_and_the_answer_comes_two_seconds_later() -> None:
    async def scenario() -> None:
        palena = Palena({URL: FakeLiteLLM(latency=2.4)})
        first = await palena.sync(instance())
        assert now() == 2
        assert reason(first) == "Unknown/ProbePending"
        assert reason(first, "MasterKeyAccepted") == "Unknown/NotChecked"
        assert (first["status"]["ready"], first["resyncAfterSeconds"]) == (False, 2)
        await asyncio.sleep(3)
        second = await palena.sync(instance(status=first["status"]))
        assert reason(second) == "True/ProxyReachable"
        assert second["status"]["ready"] is True

    run(scenario())


def restarted_in_front_of_a_slow_proxy(changes: dict[str, Any], key: dict[str, str] | None = None, version: str = "7") -> Any:
    """The answer of a service that knows nothing, where a status says ``True/ProxyReachable`` for generation 1."""

    async def scenario() -> Any:
        proxy = FakeLiteLLM(public_details=True)
        url = changes.get("workload", SPEC["workload"]).get("endpoint")
        before = await Palena({url: proxy, URL: proxy}).sync(instance())
        proxy.latency = 4
        parent = instance({**SPEC, **changes}, status=before["status"])
        parent["metadata"]["generation"] = 2 if changes else 1
        related = secret(**(key or {"MASTER": KEY}))
        related["metadata"]["resourceVersion"] = version
        return await Palena({url: proxy, URL: proxy}).sync(parent, [related])

    return run(scenario())


def test_a_restart_in_front_of_a_slow_proxy_changes_no_byte_of_status() -> None:
    answer = restarted_in_front_of_a_slow_proxy({})
    assert reason(answer) == "True/ProxyReachable"
    assert reason(answer, "MasterKeyAccepted") == "True/KeyAccepted"
    assert (answer["status"]["ready"], answer["status"]["version"]) == (True, "1.110.2")
    assert answer["resyncAfterSeconds"] == 2


def test_an_edit_that_touches_neither_endpoint_nor_key_keeps_ready() -> None:
    answer = restarted_in_front_of_a_slow_proxy({"caching": {"enabled": True}})
    assert reason(answer) == "True/ProxyReachable"
    assert condition(answer, "Ready")["observedGeneration"] == 2


def test_a_rotated_key_is_not_taken_for_accepted_because_the_old_one_was() -> None:
    answer = restarted_in_front_of_a_slow_proxy({}, version="8")
    assert reason(answer) == "True/ProxyReachable"
    assert reason(answer, "MasterKeyAccepted") == "Unknown/NotChecked"


class SlowToJudge(FakeLiteLLM):
    """Answers its health routes at once, and says nothing about a key."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/health/license":
            await asyncio.Event().wait()
        await super().__call__(scope, receive, send)


@pytest.mark.parametrize(
    ("version", "key", "why"),
    [
        ("7", "True/KeyAccepted", "the very content that was accepted"),
        ("8", "Unknown/NotChecked", "another key may be in there"),
    ],
)
def test_a_restart_keeps_what_a_slow_proxy_said_of_the_key(version: str, key: str, why: str) -> None:
    async def scenario() -> None:
        before = await Palena().sync(instance())
        related = secret(MASTER=KEY)
        related["metadata"]["resourceVersion"] = version
        answer = await Palena({URL: SlowToJudge()}).sync(instance(status=before["status"]), [related])
        assert reason(answer) == "True/ProxyReachable"
        assert reason(answer, "MasterKeyAccepted") == key, why
        assert answer["resyncAfterSeconds"] == 2

    run(scenario())


def test_why_a_key_was_not_tried_is_not_kept_once_the_proxy_answers() -> None:
    async def scenario() -> None:
        before = await Palena({URL: FakeLiteLLM(behaviour=Behaviour.DEAD)}).sync(instance())
        answer = await Palena({URL: SlowToJudge()}).sync(instance(status=before["status"]))
        assert condition(answer, "MasterKeyAccepted")["message"].startswith("the proxy was asked and has not answered yet")

    run(scenario())


@pytest.mark.parametrize("version", [None, 5, {}, ["1"]])
def test_a_version_that_is_none_is_not_kept(version: Any) -> None:
    async def scenario() -> None:
        before = await Palena().sync(instance())
        parent = instance(status={**before["status"], "version": version})
        answer = await Palena({URL: FakeLiteLLM(behaviour=Behaviour.SILENT)}).sync(parent)
        assert reason(answer) == "True/ProxyReachable"
        assert answer["status"]["version"] == ""

    run(scenario())


def test_a_key_that_is_there_again_is_not_said_to_be_missing_while_a_slow_proxy_is_asked() -> None:
    async def scenario() -> None:
        before = await Palena().sync(instance(), [])
        assert condition(before, "Ready")["message"].startswith("master key unavailable")
        answer = await Palena({URL: FakeLiteLLM(behaviour=Behaviour.SILENT)}).sync(instance(status=before["status"]))
        assert reason(answer) == "Unknown/ProbePending"

    run(scenario())


@pytest.mark.parametrize(
    ("changes", "key", "why"),
    [
        ({"workload": {"managed": False, "endpoint": "http://other:4000"}}, None, "another proxy"),
        ({"masterKey": {"secretRef": {"name": "lk", "key": "OTHER"}}}, {"OTHER": KEY}, "another key"),
        ({"workload": {"managed": False, "endpoint": "https://llm:4000"}}, None, "another scheme, so another CA"),
    ],
)
def test_ready_of_another_proxy_or_key_is_not_kept(changes: dict[str, Any], key: dict[str, str] | None, why: str) -> None:
    answer = restarted_in_front_of_a_slow_proxy(changes, key)
    assert reason(answer) == "Unknown/ProbePending", why
    assert answer["status"]["ready"] is False
    assert answer["status"]["version"] == ""


@pytest.mark.parametrize(
    "status",
    [
        None,
        "text",
        [],
        {"conditions": {}},
        {"conditions": [None]},
        {"masterKey": 7, "endpoint": URL},
        {"conditions": [{"type": "Ready", "status": {}}]},
        {"conditions": [{"type": "Ready", "status": "True", "reason": []}], "endpoint": URL},
        {"conditions": [{"type": "MasterKeyAccepted", "status": [], "reason": {}}], "endpoint": {}},
    ],
)
def test_a_status_that_makes_no_sense_is_replaced(status: Any) -> None:
    async def scenario() -> None:
        answer = await Palena({URL: FakeLiteLLM(behaviour=Behaviour.SILENT)}).sync(instance(status=status))
        assert reason(answer) == "Unknown/ProbePending"

    run(scenario())


@pytest.mark.parametrize(
    ("proxy", "least", "most"),
    [
        (FakeLiteLLM(), 60, 66),
        (FakeLiteLLM(behaviour=Behaviour.DEAD), 30, 33),
        (FakeLiteLLM(database_up=False), 30, 33),
        (FakeLiteLLM(behaviour=Behaviour.SILENT), 2, 2),
    ],
)
def test_the_interval_follows_what_was_seen(proxy: FakeLiteLLM, least: int, most: int) -> None:
    async def scenario() -> None:
        answer = await Palena({URL: proxy}).sync(instance())
        assert least <= answer["resyncAfterSeconds"] <= most

    run(scenario())


def test_in_steady_state_each_interval_costs_one_health_probe_and_no_byte_changes() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        palena = Palena({URL: proxy})
        parent = instance()
        answer = await palena.sync(parent)
        for _ in range(20):
            await asyncio.sleep(answer["resyncAfterSeconds"])
            again = await palena.sync(instance(status=answer["status"]))
            assert again == answer
        paths = [call.path for call in proxy.calls]
        assert paths.count("/health/liveliness") == 21
        assert paths.count("/health/license") == 3, "ten minutes, twice"

    run(scenario())


def test_another_worker_gives_the_same_bytes() -> None:
    async def scenario() -> None:
        before = await Palena().sync(instance())
        parent = instance(status=before["status"])
        await asyncio.sleep(100)
        answers = [(await worker.post("sync", worker.body(parent))).content for worker in (Palena(), Palena())]
        assert answers[0] == answers[1]
        assert orjson.loads(answers[0]) == before

    run(scenario())


def test_a_parent_that_is_being_deleted_is_answered_like_any_other() -> None:
    async def scenario() -> None:
        parent = instance()
        parent["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        assert reason(await Palena().sync(parent)) == "True/ProxyReachable"

    run(scenario())
