"""How proxies are asked: budgets, sharing, memory, and who gets the key. Time is virtual; the proxies are fakes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import httpx2
import pytest

from app.apis.litellm.sighting import Health, KeyState, KeyVerdict, Reach, Sighting
from app.litellm.probe import Budgets, Prober, Target
from app.litellm.transport import AddressRefused, NotAsked
from app.litellm.trust import Trust
from app.sim.fake_litellm import Behaviour, FakeLiteLLM, FakeNetwork
from tests.unit.litellm.virtual_time import now, run

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "http://gw.team.svc:4000"
TARGET = Target(URL, Trust())
KEY = "sk-master"


def prober(proxies: dict[str, FakeLiteLLM], budgets: Budgets | None = None) -> Prober:
    """A prober in a network of fake proxies, on the loop's own clock."""
    return Prober(lambda _: FakeNetwork(proxies), asyncio.get_running_loop().time, budgets)


def paths(proxy: FakeLiteLLM) -> list[str]:
    return [call.path.removeprefix("/health/") for call in proxy.calls]


def test_a_healthy_proxy_is_known_after_three_calls() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(public_details=True)
        sighting = await prober({URL: proxy}).look(TARGET, KEY)
        assert sighting == Sighting(Health(Reach.ALIVE, version="1.110.2"), KeyVerdict(KeyState.ACCEPTED))
        assert paths(proxy) == ["liveliness", "readiness", "license"]

    run(scenario())


def test_readiness_and_key_are_asked_about_at_the_same_time() -> None:
    async def scenario() -> None:
        sighting = await prober({URL: FakeLiteLLM(latency=0.2)}).look(TARGET, KEY)
        assert sighting == Sighting(Health(Reach.ALIVE), KeyVerdict(KeyState.ACCEPTED))
        assert now() == pytest.approx(0.4)

    run(scenario())


def test_the_key_is_never_sent_to_liveliness_or_readiness() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        await prober({URL: proxy}).look(TARGET, KEY)
        assert [(call.path, call.key) for call in proxy.calls if call.key] == [("/health/license", KEY)]

    run(scenario())


def test_the_key_is_not_sent_to_what_is_not_alive() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(behaviour=Behaviour.WEB_PAGE)
        await prober({URL: proxy}).look(TARGET, KEY)
        assert paths(proxy) == ["liveliness"]

    run(scenario())


def test_trouble_is_told_in_words_that_stay_the_same() -> None:
    words = {
        Behaviour.DEAD: "refused the connection",
        Behaviour.SILENT: "did not answer /health/liveliness in time",
        Behaviour.WEB_PAGE: "answered /health/liveliness with a web page",
        Behaviour.REDIRECT: "redirects to https://login.example.com; redirects are not followed",
        Behaviour.BROKEN: "answered 502 to /health/liveliness",
    }

    async def scenario(behaviour: Behaviour) -> Sighting:
        return await prober({URL: FakeLiteLLM(behaviour=behaviour)}, Budgets(first_wait=10)).look(TARGET, KEY)

    for behaviour, trouble in words.items():
        assert run(scenario(behaviour)).health == Health(Reach.UNREACHABLE, trouble), behaviour


def test_a_good_result_is_reused_for_nine_tenths_of_the_interval() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        asks = prober({URL: proxy})
        await asks.look(TARGET)
        await asyncio.sleep(53.9)
        await asks.look(TARGET)
        assert len(proxy.calls) == 2, "the first result is still good"
        await asyncio.sleep(0.2)
        await asks.look(TARGET)
        assert len(proxy.calls) == 4

    run(scenario())


def test_a_bad_result_is_reused_for_five_seconds() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(behaviour=Behaviour.BROKEN)
        asks = prober({URL: proxy})
        await asks.look(TARGET)
        await asyncio.sleep(4.9)
        await asks.look(TARGET)
        assert len(proxy.calls) == 1
        proxy.behaviour = Behaviour.NORMAL
        await asyncio.sleep(0.2)
        sighting = await asks.look(TARGET)
        assert sighting.health
        assert sighting.health.good

    run(scenario())


def test_readiness_is_asked_again_soon_when_it_fails() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(database_up=False)
        asks = prober({URL: proxy})
        before = await asks.look(TARGET)
        proxy.database_up = True
        await asyncio.sleep(5)
        after = await asks.look(TARGET)
        assert before.health == Health(
            Reach.ALIVE, readiness_trouble="answered 503 to /health/readiness; its database is disconnected"
        )
        assert after.health == Health(Reach.ALIVE)

    run(scenario())


def test_a_first_look_waits_two_seconds_and_the_flight_goes_on() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(latency=1.5)
        asks = prober({URL: proxy})
        assert await asks.look(TARGET) == Sighting(pending=True)
        assert now() == 2
        await asyncio.sleep(2)
        assert await asks.look(TARGET) == Sighting(Health(Reach.ALIVE))
        assert now() == 4
        assert len(proxy.calls) == 2, "the first look's flight brought the result"

    run(scenario())


def test_a_look_with_something_to_fall_back_to_waits_a_fifth_of_a_second() -> None:
    async def scenario() -> None:
        asks = prober({URL: FakeLiteLLM(latency=1)})
        assert (await asks.look(TARGET, known=True)).pending
        assert now() == 0.2

    run(scenario())


def test_what_was_seen_before_is_told_while_a_slow_proxy_is_asked_again() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        asks = prober({URL: proxy})
        before = await asks.look(TARGET, KEY)
        proxy.latency = 1
        await asyncio.sleep(60)
        assert await asks.look(TARGET, KEY) == Sighting(before.health, before.key, pending=True)
        assert now() == 60.2

    run(scenario())


def test_a_flight_ends_after_five_seconds() -> None:
    async def scenario() -> None:
        asks = prober({URL: FakeLiteLLM(behaviour=Behaviour.SILENT)}, Budgets(first_wait=60))
        await asks.look(TARGET)
        assert now() == 5

    run(scenario())


def test_liveliness_and_readiness_share_the_five_seconds() -> None:
    async def scenario() -> None:
        asks = prober({URL: FakeLiteLLM(latency=3)}, Budgets(first_wait=60))
        sighting = await asks.look(TARGET)
        assert now() == 5
        assert sighting.health == Health(Reach.ALIVE, readiness_trouble="did not answer /health/readiness in time")

    run(scenario())


def test_many_instances_of_one_proxy_share_one_flight() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(latency=0.1)
        asks = prober({URL: proxy})
        await asyncio.gather(*(asks.look(TARGET, KEY) for _ in range(50)))
        assert paths(proxy) == ["liveliness", "readiness", "license"]

    run(scenario())


def test_a_hook_that_is_cancelled_does_not_end_the_flight_of_others() -> None:
    async def scenario() -> None:
        asks = prober({URL: FakeLiteLLM(latency=0.5)})
        impatient = asyncio.create_task(asks.look(TARGET))
        patient = asyncio.create_task(asks.look(TARGET))
        await asyncio.sleep(0.1)
        impatient.cancel()
        assert await patient == Sighting(Health(Reach.ALIVE))

    run(scenario())


def test_two_hundred_dead_proxies_delay_nobody() -> None:
    async def scenario() -> None:
        dead = {f"http://dead-{number}:4000": FakeLiteLLM(behaviour=Behaviour.SILENT) for number in range(200)}
        asks = prober({**dead, URL: FakeLiteLLM(latency=0.1)})
        for url in dead:
            await asks.look(Target(url, Trust()), known=True)
        began = now()
        assert await asks.look(TARGET) == Sighting(Health(Reach.ALIVE))
        assert round(now() - began, 3) == 0.2, "its own two answers of 0.1 s each"

    run(scenario())


def test_dead_proxies_asked_at_once_do_not_queue() -> None:
    async def scenario() -> None:
        dead = {f"http://dead-{number}:4000": FakeLiteLLM(behaviour=Behaviour.SILENT) for number in range(200)}
        asks = prober({**dead, URL: FakeLiteLLM(latency=0.1)})
        waiting = [asyncio.create_task(asks.look(Target(url, Trust()))) for url in dead]
        await asyncio.sleep(0)
        assert await asks.look(TARGET) == Sighting(Health(Reach.ALIVE))
        assert round(now(), 3) == 0.2
        await asyncio.gather(*waiting)
        assert round(now(), 3) == 2, "all of them ran out of patience together"

    run(scenario())


def test_the_key_is_tried_again_every_ten_minutes() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        asks = prober({URL: proxy})
        for _ in range(10):
            await asks.look(TARGET, KEY)
            await asyncio.sleep(60)
        assert paths(proxy).count("license") == 1
        proxy.master_key = "sk-other"
        sighting = await asks.look(TARGET, KEY)
        assert sighting.key == KeyVerdict(KeyState.REJECTED, "the proxy does not know the key (401)")

    run(scenario())


@pytest.mark.parametrize("code", [404, 500])
@pytest.mark.parametrize("readiness_takes", [0.0, 0.5])
def test_an_answer_that_tells_nothing_about_the_key_is_asked_for_again_with_the_health(code: int, readiness_takes: float) -> None:
    asked: list[str] = []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.path)
        if request.url.path == "/health/readiness":
            await asyncio.sleep(readiness_takes)
        return httpx2.Response(code if request.url.path == "/health/license" else 200, stream=httpx2.ByteStream(b"{}"))

    async def scenario() -> None:
        asks = Prober(lambda _: httpx2.MockTransport(answer), asyncio.get_running_loop().time)
        for _ in range(12):
            await asks.look(TARGET, KEY)
            await asyncio.sleep(5)
        sighting = await asks.look(TARGET, KEY)
        assert sighting.key == KeyVerdict(KeyState.UNKNOWN, f"answered {code} to /health/license")
        assert {path: asked.count(path) for path in asked} == {
            "/health/liveliness": 2,
            "/health/readiness": 2,
            "/health/license": 2,
        }

    run(scenario())


def test_a_keyed_call_that_fails_is_not_repeated_before_five_seconds_are_over() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        asks = prober({URL: proxy})
        await asks.look(TARGET)
        proxy.behaviour = Behaviour.DEAD
        await asks.look(TARGET, KEY)
        proxy.behaviour = Behaviour.NORMAL
        await asks.look(TARGET, KEY)
        assert paths(proxy).count("license") == 1
        await asyncio.sleep(5)
        assert (await asks.look(TARGET, KEY)).key == KeyVerdict(KeyState.ACCEPTED)

    run(scenario())


def test_another_key_is_tried_at_once() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM(virtual_keys=frozenset({"sk-virtual"}))
        asks = prober({URL: proxy})
        await asks.look(TARGET, KEY)
        sighting = await asks.look(TARGET, "sk-virtual")
        assert sighting.key
        assert sighting.key.state is KeyState.REJECTED
        assert "no admin's" in sighting.key.detail

    run(scenario())


def test_the_key_is_tried_again_when_the_proxy_comes_back() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        asks = prober({URL: proxy})
        await asks.look(TARGET, KEY)
        proxy.behaviour = Behaviour.DEAD
        await asyncio.sleep(60)
        await asks.look(TARGET, KEY)
        proxy.behaviour, proxy.master_key = Behaviour.NORMAL, "sk-restarted-with-another"
        await asyncio.sleep(30)
        sighting = await asks.look(TARGET, KEY)
        assert sighting.key
        assert sighting.key.state is KeyState.REJECTED

    run(scenario())


def test_a_keyed_call_that_fails_makes_the_health_doubtful() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        asks = prober({URL: proxy})
        await asks.look(TARGET)
        proxy.behaviour = Behaviour.DEAD
        first = await asks.look(TARGET, KEY)
        second = await asks.look(TARGET, KEY)
        assert first.key == KeyVerdict(KeyState.UNKNOWN, "refused the connection")
        assert second.health == Health(Reach.UNREACHABLE, "refused the connection")

    run(scenario())


def test_a_keyed_call_that_fails_beside_a_slow_readiness_makes_that_doubtful_too() -> None:
    async def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/health/license":
            raise httpx2.ReadError("reset")
        if request.url.path == "/health/readiness":
            await asyncio.sleep(0.5)
        return httpx2.Response(200, stream=httpx2.ByteStream(b"{}"))

    async def scenario() -> None:
        asks = Prober(lambda _: httpx2.MockTransport(answer), asyncio.get_running_loop().time)
        await asks.look(TARGET, KEY)
        assert asks.at_hand(TARGET) is None, "it is asked again at once"

    run(scenario())


def test_another_ca_is_another_proxy() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        asks = prober({URL: proxy})
        await asks.look(TARGET)
        await asks.look(Target(URL, Trust("another bundle")))
        assert len(proxy.calls) == 4

    run(scenario())


def test_the_proxy_not_asked_about_for_longest_is_forgotten_first() -> None:
    async def scenario() -> None:
        proxies = {f"http://p{number}:4000": FakeLiteLLM() for number in range(3)}
        first, second, third = (Target(url, Trust()) for url in proxies)
        asks = prober(proxies, Budgets(most_proxies=2))
        for target in (first, second, first, third, first, second):
            await asks.look(target)
        assert [len(proxy.calls) for proxy in proxies.values()] == [2, 4, 2]

    run(scenario())


def test_keys_are_remembered_up_to_a_number() -> None:
    async def scenario() -> None:
        proxy = FakeLiteLLM()
        asks = prober({URL: proxy}, Budgets(most_keys=2))
        for number in (1, 2, 3, 3, 1):
            await asks.look(TARGET, f"sk-{number}")
        assert paths(proxy).count("license") == 4

    run(scenario())


def test_an_address_that_is_refused_is_no_unreachable_proxy() -> None:
    class Refusing(httpx2.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            raise AddressRefused("a loopback address", request=request)

    async def scenario() -> None:
        asks = Prober(lambda _: Refusing(), asyncio.get_running_loop().time)
        assert await asks.look(TARGET, KEY) == Sighting(Health(Reach.REFUSED, "a loopback address"))

    run(scenario())


def failing(error: Exception, path: str = "/") -> Callable[[Trust], httpx2.AsyncBaseTransport]:
    """Transports that answer, but fail where the path begins like that."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path.startswith(path):
            raise error
        return httpx2.Response(200, stream=httpx2.ByteStream(b'{"status":"healthy"}'))

    return lambda _: httpx2.MockTransport(answer)


def test_a_fault_of_our_own_is_told_and_logged_by_its_type_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(path: str) -> Sighting:
        return await Prober(failing(KeyError("canary"), path), asyncio.get_running_loop().time).look(TARGET, KEY)

    trouble = "could not be asked because of a fault in Palena; the service's log names it"
    assert run(scenario("/")).health == Health(Reach.UNREACHABLE, trouble)
    assert run(scenario("/health/license")).key == KeyVerdict(KeyState.UNKNOWN, trouble)
    assert caplog.text.count("asking a proxy ended in KeyError") == 2
    assert "canary" not in caplog.text


def test_a_trust_that_cannot_be_used_ends_no_hook() -> None:
    def broken(_: Trust) -> httpx2.AsyncBaseTransport:
        raise OSError("no certificate store")

    async def scenario() -> None:
        sighting = await Prober(broken, asyncio.get_running_loop().time).look(TARGET, KEY)
        assert sighting.health
        assert not sighting.health.alive

    run(scenario())


@pytest.mark.parametrize(
    ("error", "doubtful", "why"),
    [
        (httpx2.ReadError("reset"), True, "the proxy may be gone"),
        (httpx2.LocalProtocolError("illegal header value"), False, "nothing was sent"),
        (NotAsked("too many names"), False, "nobody was asked"),
        (KeyError("a fault"), False, "it was ours"),
    ],
)
def test_only_a_call_that_reached_out_makes_the_health_doubtful(error: Exception, doubtful: bool, why: str) -> None:
    async def scenario() -> None:
        asks = Prober(failing(error, "/health/license"), asyncio.get_running_loop().time)
        await asks.look(TARGET, KEY)
        (proxy,) = asks._proxies.values()
        assert (proxy.until < now()) is doubtful, why

    run(scenario())


def test_what_was_known_stays_while_nobody_can_be_asked() -> None:
    errors: list[Exception | None] = [None]

    def answer(_: httpx2.Request) -> httpx2.Response:
        if errors[0]:
            raise errors[0]
        return httpx2.Response(200, stream=httpx2.ByteStream(b'{"status":"healthy"}'))

    async def scenario() -> None:
        asks = Prober(lambda _: httpx2.MockTransport(answer), asyncio.get_running_loop().time)
        before = await asks.look(TARGET, KEY)
        await asyncio.sleep(60)
        errors[0] = NotAsked("too many names")
        assert await asks.look(TARGET, KEY) == Sighting(before.health, before.key, pending=True)
        errors[0] = None
        assert await asks.look(TARGET, KEY) == before, "it is asked at once when the queue is gone"

    run(scenario())


def test_an_answer_that_is_too_large_or_compressed_is_not_read() -> None:
    def answering(response: Callable[[], httpx2.Response]) -> Callable[[Trust], httpx2.AsyncBaseTransport]:
        return lambda _: httpx2.MockTransport(lambda _: response())

    async def scenario(response: Callable[[], httpx2.Response]) -> Sighting:
        return await Prober(answering(response), asyncio.get_running_loop().time).look(TARGET)

    large = run(scenario(lambda: httpx2.Response(200, stream=httpx2.ByteStream(b"x" * 70_000))))
    bomb = run(scenario(lambda: httpx2.Response(200, headers={"content-encoding": "gzip"}, stream=httpx2.ByteStream(b"..."))))
    assert large.health == Health(Reach.UNREACHABLE, "answered /health/liveliness with more than 64 KiB")
    assert bomb.health
    assert "compressed" in bomb.health.trouble


def test_closing_ends_every_flight() -> None:
    async def scenario() -> None:
        asks = prober({URL: FakeLiteLLM(behaviour=Behaviour.SILENT)})
        await asks.look(TARGET)
        before = asyncio.all_tasks()
        await asks.aclose()
        assert len(before) == 2
        assert len(asyncio.all_tasks()) == 1

    run(scenario())


def test_the_key_is_in_no_representation_and_no_log(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        key = "sk-canary-4711"
        asks = prober({URL: FakeLiteLLM(behaviour=Behaviour.SILENT)})
        sighting = await asks.look(TARGET, key)
        told = repr(sighting) + repr(asks.__dict__)
        await asks.aclose()
        assert "canary" not in told
        assert "canary" not in caplog.text

    with caplog.at_level("DEBUG"):
        run(scenario())
