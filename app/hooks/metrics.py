"""What ``/metrics`` says about hooks. Labels are names of declared controllers and hooks and a code, nothing of a request."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.gc_collector import GCCollector
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0)


class Metrics:
    """The metrics of one application, in a registry of their own."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry or _process_registry()
        names = ("controller", "hook")
        self.answers = Counter(
            "palena_hook_requests", "Hook calls by the code of their answer.", (*names, "code"), registry=self.registry
        )
        self.seconds = Histogram(
            "palena_hook_duration_seconds", "Time from request to answer.", names, buckets=_SECONDS, registry=self.registry
        )
        self.refusals = Counter(
            "palena_guard_refusals", "Answers that broke the contract and were not sent.", names, registry=self.registry
        )
        self.exceptions = Counter("palena_hook_exceptions", "Hooks that ended in an exception.", names, registry=self.registry)
        self.in_flight = Gauge("palena_hook_in_flight", "Hooks being answered.", registry=self.registry)
        self._labelled: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def answered(self, controller: str, hook: str, code: int, seconds: float) -> None:
        """Count one call."""
        key = (controller, hook, code)
        if key not in self._labelled:
            # Looking a child up by its labels takes longer than counting.
            self._labelled[key] = (self.answers.labels(*key), self.seconds.labels(controller, hook))
        answers, duration = self._labelled[key]
        answers.inc()
        duration.observe(seconds)


def _process_registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry
