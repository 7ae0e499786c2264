"""A Kubernetes API server in memory, for the simulated control loop, ``palena simulate`` and tests."""

from app.sim.memory.cluster import MemoryCluster

__all__ = ["MemoryCluster"]
