"""``python -m tests.bench [--quick]``: the figures of the service beside those of the echo, in one run.

Speed is measured in alternating rounds, and the table shows ratios of medians, because absolute figures of a shared machine
mean little. For the same reason requests are counted for a second of the server's processor time. ``--quick`` sends a third
and fails only on what noise cannot explain: instructions, memory, and answers that are no 200.
"""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, fields
from statistics import median
from typing import TYPE_CHECKING

from tests.bench import instructions
from tests.bench.bodies import SIZES
from tests.bench.load import Figures, Load, measure
from tests.bench.servers import running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bench.servers import Running

REACH_SPEED = {"60 KB": (0.50, 0.65), "15 KB": (0.35, 0.45), "260 KB": (0.65, 0.80)}
BUSIEST_GENERATOR = 0.9
ROUNDS = 5


@dataclass(frozen=True)
class Row:
    """One line of the table. Without ``higher``, smaller is better."""

    what: str
    figure: float | None
    reach: float
    aim: float
    unit: str = "x"
    higher: bool = False
    noisy: bool = True

    @property
    def verdict(self) -> str:
        """How the figure compares."""
        if self.figure is None:
            return "SKIPPED"
        return "aim" if self._as_good_as(self.aim) else "reached" if self._as_good_as(self.reach) else "MISSED"

    def _as_good_as(self, wanted: float) -> bool:
        assert self.figure is not None
        return self.figure >= wanted if self.higher else self.figure <= wanted

    def __str__(self) -> str:
        figure = "-" if self.figure is None else f"{self.figure:.2f} {self.unit}"
        return f"{self.what:<64}{figure:>12}{self.reach:>9.2f}{self.aim:>8.2f}  {self.verdict}"


class Bench:
    """The servers of one run, and what is asked of them."""

    def __init__(self, stack: ExitStack, *, quick: bool) -> None:
        self.quick = quick
        self.fake = stack.enter_context(running("fake"))
        self.echo = stack.enter_context(running("echo"))
        self.failed = 0
        self.busiest = 0.0

    def endpoints(self, count: int = 50) -> list[str]:
        """Endpoints of as many proxies, all of them quick."""
        return [f"http://127.0.0.1:{self.fake.port}/p{number}" for number in range(count)]

    def load(self, target: Running, size: str, connections: int, requests: int, instances: int = 500) -> Figures:
        """One round."""
        scale = 3 if self.quick else 1
        load = Load(target.port, size, self.endpoints(), connections, max(200, requests // scale), instances)
        return self.counted(measure(load, target))

    def counted(self, figures: Figures) -> Figures:
        """The same figures, their failures remembered."""
        self.failed += figures.failed
        self.busiest = max(self.busiest, figures.busy)
        return figures

    def rounds(self, service: Running, size: str, connections: int, instances: int = 500) -> tuple[Figures, Figures]:
        """Medians of alternating rounds of echo and service."""
        requests = {"15 KB": 6000, "60 KB": 3000, "260 KB": 1000}[size]
        pairs = [
            (
                self.load(self.echo, size, connections, requests, instances),
                self.load(service, size, connections, requests, instances),
            )
            for _ in range(ROUNDS)
        ]
        return _median(echo for echo, _ in pairs), _median(own for _, own in pairs)


def _median(figures: Iterator[Figures]) -> Figures:
    listed = list(figures)
    return Figures(**{field.name: median(getattr(item, field.name) for item in listed) for field in fields(Figures)})


def speed(bench: Bench) -> Iterator[Row]:
    """Requests a second, and the slowest of a hundred, with every proxy known."""
    with running("service") as service:
        for size in SIZES:
            bench.load(service, size, 8, 1000)
        for size, (reach, aim) in REACH_SPEED.items():
            echo, own = bench.rounds(service, size, 8)
            yield _speed(f"8 connections, {size}", echo, own, reach, aim)
            if size == "60 KB":
                yield Row("p99, 8 connections, 60 KB", own.p99 / echo.p99, 2.5, 1.8)
        echo, own = bench.rounds(service, "60 KB", 1)
        yield Row("p99, 1 connection, 60 KB", own.p99 / echo.p99, 4, 2.5)
        echo, own = bench.rounds(service, "60 KB", 8, instances=5000)
        yield _speed("8 connections, 60 KB, no spec known", echo, own, *REACH_SPEED["60 KB"])


def _speed(what: str, echo: Figures, own: Figures, reach: float, aim: float) -> Row:
    ratio = own.per_cpu_second / echo.per_cpu_second
    return Row(f"requests per CPU second, {what}", ratio, reach, aim, higher=True)


def slow_proxy(bench: Bench) -> Iterator[Row]:
    """A hundred hooks at once on a proxy that takes 200 ms, while others go on."""
    quick = bench.endpoints()
    slow = [f"http://127.0.0.1:{bench.fake.port}/slow"]
    with running("service") as service, ThreadPoolExecutor() as pool:
        bench.load(service, "15 KB", 8, 1000)
        alone = bench.counted(measure(Load(service.port, "15 KB", quick, 1, 300), service))
        waiting = pool.submit(measure, Load(service.port, "15 KB", slow, 100, 400, first_instance=1000), service)
        beside = bench.counted(measure(Load(service.port, "15 KB", quick, 1, 300), service))
        hundred = bench.counted(waiting.result())
    yield Row("100 hooks on a proxy that takes 200 ms, p99", hundred.p99, 500, 500, "ms")
    yield Row("the others' median meanwhile, against alone", beside.median / alone.median, 5, 3)


def memory(bench: Bench) -> Iterator[Row]:
    """Resident memory, and the time to the first answer."""
    with running("service") as service:
        yield Row("start to ready", service.seconds_to_ready, 2.0, 1.2, "s")
        yield Row("memory at ready", service.memory, 70, 70, "MiB", noisy=False)
        bench.load(service, "260 KB", 8, 10_000)
        yield Row("memory after 10,000 syncs of 260 KB", service.memory, 95, 95, "MiB", noisy=False)
        bench.load(service, "60 KB", 8, 10_000, instances=5000)
        yield Row("memory with 5,000 instances", service.memory, 110, 110, "MiB", noisy=False)


def instruction_count() -> Iterator[Row]:
    """What noise cannot move."""
    echo, own = instructions.per_request("echo"), instructions.per_request("service")
    ratio = own / echo if own is not None and echo else None
    yield Row("instructions per request, 60 KB", ratio, 1.9, 1.6, noisy=False)


def main(arguments: list[str]) -> int:
    """Print the table as it comes; 1 if something was missed that counts, see the module."""
    quick = "--quick" in arguments
    rows: list[Row] = []
    print(f"{'against the echo':<64}{'figure':>12}{'reach':>9}{'aim':>8}")  # noqa: T201
    with ExitStack() as stack:
        bench = Bench(stack, quick=quick)
        for part in (speed(bench), slow_proxy(bench), memory(bench), instruction_count()):
            for row in part:
                rows.append(row)
                print(row, flush=True)  # noqa: T201
    print(f"answers that were no 200: {bench.failed}; the load generator was busy {bench.busiest:.0%} at most")  # noqa: T201
    if bench.busiest > BUSIEST_GENERATOR:
        print("THE LOAD GENERATOR WAS THE BOTTLENECK: these figures prove nothing")  # noqa: T201
    if any(row.figure is None for row in rows):
        print("SKIPPED: valgrind is not installed, so instructions were not counted")  # noqa: T201
    missed = [row for row in rows if row.verdict == "MISSED" and not (quick and row.noisy)]
    return 1 if missed or bench.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
