"""What the tests of the chart share: Helm, and kubectl for what kustomize renders."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.chart.helm import Helm, HelmMissingError
from tests.e2e.kubectl import Kubectl, KubectlMissingError
from tests.e2e.unavailable import unavailable


@pytest.fixture(scope="session")
def helm() -> Helm:
    """The chart without a cluster."""
    try:
        return Helm()
    except HelmMissingError as error:
        unavailable(str(error))
        raise


@pytest.fixture(scope="session")
def kubectl() -> Kubectl:
    """kubectl without a cluster."""
    try:
        return Kubectl(Path(os.devnull))
    except KubectlMissingError as error:
        unavailable(str(error))
        raise
