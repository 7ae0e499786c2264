"""``python -m tests.e2e.controlplane``: run a control plane until Ctrl-C and say where its kubeconfigs are."""

from __future__ import annotations

import contextlib
import signal
import sys
import tempfile
from pathlib import Path

from tests.e2e.controlplane.plane import METACONTROLLER, PALENA, USER, ControlPlane

signal.signal(signal.SIGTERM, signal.default_int_handler)
with tempfile.TemporaryDirectory(prefix="palena-controlplane-") as folder, contextlib.suppress(KeyboardInterrupt):
    plane = ControlPlane(Path(folder))
    try:
        plane.start()
        plane.start_controllers()
        for account in (USER, METACONTROLLER, PALENA):
            sys.stdout.write(f"{account.user}: export KUBECONFIG={plane.kubeconfig(account)}\n")
        sys.stdout.flush()
        signal.pause()
    finally:
        plane.stop()
