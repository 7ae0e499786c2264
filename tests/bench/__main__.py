"""``python -m tests.bench [--quick] [PART …]``: the figures of the service beside those of the echo, in one run.

Speed is measured in alternating rounds, and the table shows ratios of medians, because absolute figures of a shared machine
mean little. For the same reason requests are counted for a second of the server's processor time. ``--quick`` sends a fifth
and fails only on what noise cannot explain: instructions, memory, and answers that are no 200. Parts are named as the functions
in :data:`PARTS`; without any, all are measured.
"""

from __future__ import annotations

import asyncio
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import fields, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from app.controllers.unapplied import PAUSE
from tests.bench import arrival, entities, gateways, growth, instructions
from tests.bench.bodies import SIZES, sync_body
from tests.bench.load import Figures, Load, measure
from tests.bench.rows import Row
from tests.bench.servers import running
from tests.e2e.metacontroller import AS_THE_GUIDE_SAYS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.servers import Running

REACH_SPEED = {"60 KB": (0.50, 0.65), "15 KB": (0.35, 0.45), "260 KB": (0.65, 0.80)}
REQUESTS = {"15 KB": 6000, "60 KB": 3000, "260 KB": 1000}
BUSIEST_GENERATOR = 0.9
ROUNDS, QUICK_ROUNDS = 5, 3
GATEWAYS = 100
"""Gateways that one installation runs in the bench, where it attaches to 500 proxies: each is a deployment of its own."""


class Bench:
    """The servers of one run, and what is asked of them."""

    def __init__(self, stack: ExitStack, *, quick: bool) -> None:
        self.quick = quick
        self.folder = Path(stack.enter_context(TemporaryDirectory()))
        self.fake = stack.enter_context(running("fake"))
        self.echo = stack.enter_context(running("echo"))
        self.sent = 0
        self.failed = 0
        self.busiest = 0.0
        self.gateways = {name: self.template(name, body) for name, body in asyncio.run(gateways.gateway_bodies()).items()}
        """A template for each of the sizes of :mod:`tests.bench.gateways`."""

    def template(self, name: str, body: bytes) -> str:
        """A file with that body."""
        file = self.folder / name.replace(" ", "-")
        file.write_bytes(body)
        return str(file)

    def attached(self, size: str, path: str = "", count: int = 50) -> list[str]:
        """Templates for as many proxies, all of them quick, or for the one under that path."""
        paths = [path] if path else [f"p{number}" for number in range(count)]
        return [self.template(f"{size} {one}", sync_body(size, f"http://127.0.0.1:{self.fake.port}/{one}")) for one in paths]

    def load(
        self,
        target: Running,
        templates: list[str],
        connections: int,
        requests: int,
        instances: int = 500,
        *,
        unseen: bool = False,
    ) -> Figures:
        """One round. ``unseen`` has every body be one that was never sent before."""
        load = Load(target.port, templates, connections, max(200, requests // (3 if self.quick else 1)), instances)
        if unseen:
            load = replace(load, first_unseen=self.sent + 1)
            self.sent += load.requests
        return self.counted(measure(load, target))

    def counted(self, figures: Figures) -> Figures:
        """The same figures, their failures remembered."""
        self.failed += figures.failed
        self.busiest = max(self.busiest, figures.busy)
        return figures

    def rounds(
        self,
        service: Running,
        templates: list[str],
        connections: int,
        requests: int,
        instances: int = 500,
        *,
        unseen: bool = False,
    ) -> tuple[Figures, Figures]:
        """Medians of alternating rounds of echo and service."""
        pairs = [
            (
                self.load(self.echo, templates, connections, requests, instances, unseen=unseen),
                self.load(service, templates, connections, requests, instances, unseen=unseen),
            )
            for _ in range(QUICK_ROUNDS if self.quick else ROUNDS)
        ]
        return _median(echo for echo, _ in pairs), _median(own for _, own in pairs)


def _median(figures: Iterator[Figures]) -> Figures:
    listed = list(figures)
    return Figures(**{field.name: median(getattr(item, field.name) for item in listed) for field in fields(Figures)})


def speed(bench: Bench) -> Iterator[Row]:
    """Attached: requests a second, and the slowest of a hundred, with every proxy known."""
    with running("service") as service:
        templates = {size: bench.attached(size) for size in SIZES}
        for size in SIZES:
            measure(Load(service.port, templates[size], 8, 1000), service)
        yield from _speeds(bench, service, "", {size: (size, templates[size]) for size in SIZES})
        echo, own = bench.rounds(service, templates["60 KB"], 8, REQUESTS["60 KB"], instances=5000)
        yield _speed("8 connections, 60 KB, no spec known", echo, own, "60 KB")


def gateway_speed(bench: Bench) -> Iterator[Row]:
    """The same for gateways that we run: at rest, and where each sync brings something new."""
    with running("gateways") as service:
        sizes = {name: (size, [bench.gateways[name]]) for name, size in gateways.SIZES.items()}
        for _, templates in sizes.values():
            measure(Load(service.port, templates, 8, 2 * GATEWAYS, GATEWAYS), service)
        # What was answered since is answered again until children are to be looked at; what is answered now, for good.
        time.sleep(PAUSE.total_seconds())
        for _, templates in sizes.values():
            measure(Load(service.port, templates, 8, GATEWAYS, GATEWAYS), service)
        yield from _speeds(bench, service, "gateway, ", sizes, GATEWAYS)
        name = gateways.of_size("60 KB")
        echo, own = bench.rounds(service, [bench.gateways[name]], 8, REQUESTS["60 KB"], GATEWAYS, unseen=True)
        yield _speed(f"8 connections, gateway, {name}, new", echo, own, "60 KB")


def _speeds(
    bench: Bench, service: Running, whose: str, sizes: dict[str, tuple[str, list[str]]], instances: int = 500
) -> Iterator[Row]:
    """Rows for templates by what they are, each with the size whose figures count."""
    for name, (size, templates) in sizes.items():
        echo, own = bench.rounds(service, templates, 8, REQUESTS[size], instances)
        yield _speed(f"8 connections, {whose}{name}", echo, own, size)
        if size == "60 KB":
            yield Row(f"p99, 8 connections, {whose}{name}", own.p99 / echo.p99, 2.5, 1.8)
            echo, own = bench.rounds(service, templates, 1, REQUESTS[size], instances)
            yield Row(f"p99, 1 connection, {whose}{name}", own.p99 / echo.p99, 4, 2.5)


def _speed(what: str, echo: Figures, own: Figures, size: str) -> Row:
    ratio = own.per_cpu_second / echo.per_cpu_second
    return Row(f"requests per CPU second, {what}", ratio, *REACH_SPEED[size], higher=True)


def slow_proxy(bench: Bench) -> Iterator[Row]:
    """A hundred hooks at once on a proxy that takes 200 ms, while others go on."""
    quick, slow = bench.attached("15 KB"), bench.attached("15 KB", "slow")
    with running("service") as service, ThreadPoolExecutor() as pool:
        bench.load(service, quick, 8, 1000)
        alone = bench.counted(measure(Load(service.port, quick, 1, 300), service))
        waiting = pool.submit(measure, Load(service.port, slow, 100, 400, first_instance=1000), service)
        beside = bench.counted(measure(Load(service.port, quick, 1, 300), service))
        hundred = bench.counted(waiting.result())
    yield Row("100 hooks on a proxy that takes 200 ms, p99", hundred.p99, 500, 500, "ms")
    yield Row("the others' median meanwhile, against alone", beside.median / alone.median, 5, 3)


def entities_in_flight(bench: Bench) -> Iterator[Row]:
    """The same with new entities: each is looked for and then made, which takes the proxy twice 200 ms."""
    kind, proxy = "LiteLLMBudget", f"http://127.0.0.1:{bench.fake.port}"
    quick = bench.template("quick entity", entities.sync_body(kind, f"{proxy}/p0"))
    slow = bench.template("slow entity", entities.sync_body(kind, f"{proxy}/slow"))
    with running("service") as service, ThreadPoolExecutor() as pool:
        asked = Load(service.port, [quick], 1, 300, 300, path=entities.path(kind))
        measure(replace(asked, first_instance=1000), service)
        alone = bench.counted(measure(replace(asked, first_instance=2000), service))
        waiting = pool.submit(measure, replace(asked, templates=[slow], connections=100, first_instance=3000), service)
        beside = bench.counted(measure(replace(asked, first_instance=4000), service))
        hundred = bench.counted(waiting.result())
    yield Row("100 hooks of entities on a proxy that takes 200 ms, p99", hundred.p99, 500, 500, "ms")
    yield Row("the entities of others meanwhile, median against alone", beside.median / alone.median, 5, 3)


def entities_at_rest(bench: Bench) -> Iterator[Row]:
    """Nothing is called for what is in step, however often it is synced."""
    count = 25
    with running("service") as service:
        urls = (f"http://127.0.0.1:{one.port}" for one in (service, bench.fake))
        calls = asyncio.run(entities.calls_at_rest(*urls, count, intervals=2))
    yield Row(f"calls in two intervals, {count} at rest of {len(entities.SPECS)} kinds", calls, 0, 0, "", noisy=False)


def memory(bench: Bench) -> Iterator[Row]:
    """Attached: resident memory, and the time to the first answer."""
    with running("service") as service:
        yield Row("start to ready", service.seconds_to_ready, 2.0, 1.2, "s")
        yield Row("memory at ready", service.memory, 70, 70, "MiB", noisy=False)
        yield from _memory(bench, service, "", bench.attached("260 KB"), bench.attached("60 KB"), 500)


def gateway_memory(bench: Bench) -> Iterator[Row]:
    """The same for gateways that we run."""
    with running("gateways") as service:
        large, small = ([bench.gateways[gateways.of_size(size)]] for size in ("260 KB", "60 KB"))
        yield from _memory(bench, service, "gateways, ", large, small, GATEWAYS)


def _memory(bench: Bench, service: Running, whose: str, large: list[str], small: list[str], instances: int) -> Iterator[Row]:
    bench.load(service, large, 8, 10_000, instances)
    yield Row(f"memory, {whose}after 10,000 syncs of 260 KB", service.memory, 95, 95, "MiB", noisy=False)
    bench.load(service, small, 8, 10_000, instances=5000)
    yield Row(f"memory, {whose}with 5,000 instances", service.memory, 110, 110, "MiB", noisy=False)


def instruction_count(bench: Bench) -> Iterator[Row]:
    """What noise cannot move."""
    gateway = gateways.of_size("60 KB")
    attached = bench.template("60 KB counted", sync_body("60 KB", "http://127.0.0.1:4000"))
    templates = {"60 KB": attached, f"gateway, {gateway}, new": bench.gateways[gateway]}
    echo, own = (instructions.per_request(name, [*templates.values()]) for name in ("echo", "service"))
    for what, one, other in zip(templates, own, echo, strict=True):
        ratio = one / other if one is not None and other else None
        yield Row(f"instructions per request, {what}", ratio, 1.9, 1.6, noisy=False, needs="valgrind")


def growths(bench: Bench) -> Iterator[Row]:
    """Cost is linear in what belongs to an instance."""
    body = Path(bench.gateways[gateways.of_size("60 KB")]).read_bytes()
    yield Row("200 children: the second hundred against the first", growth.of_children(body), 1.5, 1.2)
    yield Row("200 related objects: the second hundred against the first", growth.of_related(body), 1.5, 1.2)


def arrivals(bench: Bench) -> Iterator[Row]:
    """Models on a real API server, with all that is between their creation and their readiness."""
    count, rounds = (200, 1) if bench.quick else (1000, 3)
    needs = "the servers of a control plane"
    what = f"{count} models, created to ready, {arrival.DRIVER}, against no hook"
    yield Row(what, arrival.ratio(count, rounds), 1.3, 1.1, needs=needs)
    if arrival.DRIVER == "Metacontroller":
        held = arrival.ratio(count, 1, AS_THE_GUIDE_SAYS)
        yield Row(f"{count} models, Metacontroller as the guide sets it, against no hook", held, 1.3, 1.1, needs=needs)


PARTS = (
    speed,
    gateway_speed,
    slow_proxy,
    entities_in_flight,
    entities_at_rest,
    memory,
    gateway_memory,
    instruction_count,
    growths,
    arrivals,
)


def main(arguments: list[str]) -> int:
    """Print the table as it comes; 1 if something was missed that counts, see the module."""
    quick = "--quick" in arguments
    named = {argument for argument in arguments if argument != "--quick"}
    if unknown := named - {part.__name__ for part in PARTS}:
        print(f"no such part: {', '.join(sorted(unknown))}; there are {', '.join(part.__name__ for part in PARTS)}")  # noqa: T201
        return 2
    rows: list[Row] = []
    print(f"{'against the echo':<68}{'figure':>12}{'reach':>9}{'aim':>8}")  # noqa: T201
    with ExitStack() as stack:
        bench = Bench(stack, quick=quick)
        for part in PARTS:
            for row in part(bench) if not named or part.__name__ in named else ():
                rows.append(row)
                print(row, flush=True)  # noqa: T201
    print(f"answers that were no 200: {bench.failed}; the load generator was busy {bench.busiest:.0%} at most")  # noqa: T201
    if bench.busiest > BUSIEST_GENERATOR:
        print("THE LOAD GENERATOR WAS THE BOTTLENECK: these figures prove nothing")  # noqa: T201
    for needed in sorted({row.needs for row in rows if row.figure is None}):
        print(f"SKIPPED: what needs {needed}, which is not here")  # noqa: T201
    missed = [row for row in rows if row.verdict == "MISSED" and not (quick and row.noisy)]
    return 1 if missed or bench.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
