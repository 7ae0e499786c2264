"""Starting and stopping the control plane, and the accounts that tests use."""

from __future__ import annotations

import json
import secrets
import socket
import ssl
import subprocess
import time
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.e2e.controlplane.audit import AuditLog
from tests.e2e.controlplane.binaries import MODULE, servers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

START_SECONDS, STOP_SECONDS = 90, 10


@dataclass(frozen=True)
class Account:
    """Who talks to the API server. Its rights are what RBAC objects in the cluster give it."""

    user: str
    groups: str = ""


USER = Account("user", "system:masters")
"""The person at the keyboard: sets scenes up, installs, edits."""
METACONTROLLER = Account("system:serviceaccount:metacontroller:metacontroller", "system:serviceaccounts")
"""What drives our hooks: Metacontroller itself, or our loop in its place."""
PALENA = Account("system:serviceaccount:palena-system:palena", "system:serviceaccounts")
"""The service."""
_CONTROLLERS = Account("system:kube-controller-manager")


class ControlPlane:
    """etcd and kube-apiserver, and kube-controller-manager once :meth:`start_controllers` is called; all state in one folder.

    Custom resource definitions that the garbage collector must know are best installed before the controllers start: of later
    ones it learns only every 30 s.
    """

    def __init__(self, state: Path) -> None:
        self._state = state
        self._servers = servers()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._tokens = {account: secrets.token_hex(24) for account in (USER, METACONTROLLER, PALENA, _CONTROLLERS)}
        etcd, peer, api, controllers = free_ports(4)
        self._etcd, self._peer, self._controllers_port = f"http://127.0.0.1:{etcd}", f"http://127.0.0.1:{peer}", controllers
        self.url = f"https://127.0.0.1:{api}"

    def start(self) -> None:
        """Start etcd and the API server."""
        self._state.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._write_secrets()
        self._start(
            "etcd",
            f"--data-dir={self._state / 'etcd'}",
            "--unsafe-no-fsync",
            "--log-level=warn",
            f"--listen-client-urls={self._etcd}",
            f"--advertise-client-urls={self._etcd}",
            f"--listen-peer-urls={self._peer}",
            f"--initial-advertise-peer-urls={self._peer}",
            f"--initial-cluster=default={self._peer}",
            ready=lambda: _answers(f"{self._etcd}/health"),
        )
        self._start(
            "kube-apiserver",
            f"--etcd-servers={self._etcd}",
            "--bind-address=127.0.0.1",
            f"--secure-port={self.url.rpartition(':')[2]}",
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            "--service-cluster-ip-range=10.96.0.0/24",
            "--authorization-mode=RBAC",
            f"--token-auth-file={self._state / 'tokens.csv'}",
            f"--cert-dir={self._state / 'certificates'}",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-signing-key-file={self._state / 'service-account.key'}",
            f"--service-account-key-file={self._state / 'service-account.key'}",
            f"--audit-policy-file={MODULE / 'audit-policy.yaml'}",
            f"--audit-log-path={self._state / 'audit.log'}",
            # Never begun anew: what was written before is counted too. In megabytes.
            "--audit-log-maxsize=100000",
            ready=lambda: _answers(f"{self.url}/readyz", self._tokens[USER]),
        )

    def start_controllers(self) -> None:
        """Start the garbage collector and the other built-in controllers; returns when the first of them has done something."""
        kubeconfig = self.kubeconfig(_CONTROLLERS)
        self._start(
            "kube-controller-manager",
            f"--kubeconfig={kubeconfig}",
            f"--authentication-kubeconfig={kubeconfig}",
            f"--authorization-kubeconfig={kubeconfig}",
            "--bind-address=127.0.0.1",
            f"--secure-port={self._controllers_port}",
            f"--cert-dir={self._state / 'certificates'}",
            "--leader-elect=false",
            # As installed it is held to twenty requests a second, and tests would wait for that.
            "--kube-api-qps=300",
            "--kube-api-burst=600",
            "--use-service-account-credentials=true",
            f"--service-account-private-key-file={self._state / 'service-account.key'}",
            f"--root-ca-file={self.authority}",
            ready=lambda: _answers(f"{self.url}/api/v1/namespaces/default/serviceaccounts/default", self._tokens[USER]),
        )

    def stop(self) -> None:
        """End what was started, newest first."""
        for process in reversed(self._processes.values()):
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()

    @property
    def authority(self) -> Path:
        """The certificate to trust; the API server signs it itself."""
        return self._state / "certificates" / "apiserver.crt"

    def kubeconfig(self, account: Account) -> Path:
        """A kubeconfig file for one account."""
        path = self._state / f"{account.user.replace(':', '-')}.kubeconfig"
        name, cluster = account.user, {"server": self.url, "certificate-authority": str(self.authority)}
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "loopback",
            "clusters": [{"name": "loopback", "cluster": cluster}],
            "users": [{"name": name, "user": {"token": self._tokens[account]}}],
            "contexts": [{"name": "loopback", "context": {"cluster": "loopback", "user": name, "namespace": "default"}}],
        }
        path.write_text(json.dumps(content, indent=1))
        path.chmod(0o600)
        return path

    def audit(self) -> AuditLog:
        """The audit log from now on."""
        return AuditLog(self._state / "audit.log")

    def _write_secrets(self) -> None:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        encoding, form, plain = (
            serialization.Encoding.PEM,
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
        (self._state / "service-account.key").write_bytes(key.private_bytes(encoding, form, plain))
        rows = [f'{token},{account.user},{account.user},"{account.groups}"\n' for account, token in self._tokens.items()]
        (self._state / "tokens.csv").write_text("".join(rows))

    def _start(self, name: str, *flags: str, ready: Callable[[], bool]) -> None:
        output = self._state / f"{name}.log"
        with output.open("wb") as log:
            process = subprocess.Popen([self._servers / name, *flags], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._processes[name] = process
        deadline = time.monotonic() + START_SECONDS
        while not ready():
            if process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(
                    f"{name} did not become ready; the end of {output}:\n{output.read_text(errors='replace')[-2000:]}"
                )
            time.sleep(0.1)


def free_ports(count: int) -> list[int]:
    """Ports of loopback on which nobody listens right now."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [int(one.getsockname()[1]) for one in held]
    for one in held:
        one.close()
    return ports


def _answers(url: str, token: str = "") -> bool:
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {token}"} if token else {})
    trust_anything = ssl._create_unverified_context()  # its certificate is being made while we wait
    try:
        with urllib.request.urlopen(request, timeout=2, context=trust_anything) as response:
            return response.status == 200
    except OSError:
        return False
