"""Volumes of the proxy's pods and where they are mounted.

LiteLLM loads a custom function first from beside its configuration file (older releases from nowhere else), so a handler is
projected into the configuration's folder; it is mounted where the spec says as well, for what it imports.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.hooks.names import name_problem
from app.resources import names
from app.resources.config_map import CONFIG_FOLDER
from app.resources.errors import Unbuildable
from app.resources.users_own import stored

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.apis.litellm.instance.sso import HandlerConfigMapRef
    from app.hooks.objects import Object
    from app.resources.gateway import Gateway

TLS_FOLDER = "/etc/litellm/tls"
DATABASE_TLS_FOLDER = "/etc/litellm/db-tls"
CLIENT_PEM = f"{TLS_FOLDER}/client-pem/client.pem"
"""Certificate and key in one file: LiteLLM takes one path and looks for both in it."""

COLOR_THEME = "enterprise_colors.json"


@dataclass(frozen=True, slots=True)
class Mounted:
    """A volume and where one container mounts it."""

    name: str
    source: Object
    path: str
    writable: bool = False
    sub_path: str = ""

    def volume(self) -> Object:
        """The entry of the pod's ``volumes``."""
        return {"name": self.name, **self.source}

    def mount(self) -> Object:
        """The entry of the container's ``volumeMounts``."""
        entry: Object = {"name": self.name, "mountPath": self.path}
        if not self.writable:
            entry["readOnly"] = True
        if self.sub_path:
            entry["subPath"] = self.sub_path
        return entry


def proxy_volumes(gateway: Gateway) -> tuple[Mounted, ...]:
    """What is made from the spec, in a fixed order; the user's own are apart."""
    return (*_always(gateway), *_user_interface(gateway), *_tls(gateway), *database_tls_volumes(gateway))


def database_tls_volumes(gateway: Gateway) -> tuple[Mounted, ...]:
    """The database's certificates; the migration Job needs them too."""
    tls = gateway.spec.database.tls
    found: list[Mounted] = []
    if tls and tls.ca_secret_ref:
        found.append(_secret("db-tls-ca", tls.ca_secret_ref.name, f"{DATABASE_TLS_FOLDER}/ca"))
    if tls and tls.client_cert_secret_ref:
        found.append(_secret("db-tls-client", tls.client_cert_secret_ref.name, f"{DATABASE_TLS_FOLDER}/client"))
    return tuple(found)


def with_extra_volumes(gateway: Gateway, ours: Sequence[Mounted]) -> list[Object]:
    """All volumes of the pod. Raises :class:`Unbuildable` for one that takes another's name or is not one volume."""
    volumes = {mounted.name: mounted.volume() for mounted in ours}
    for index, volume in enumerate(stored(gateway.spec.extra_volumes or [], "volumes", "spec.extraVolumes")):
        name = volume.get("name")
        if not isinstance(name, str) or not name:
            raise Unbuildable(f"spec.extraVolumes[{index}].name", "must be given")
        if problem := name_problem("Namespace.v1", name):
            raise Unbuildable(f"spec.extraVolumes[{index}].name", problem)
        if len(volume.keys() - {"name"}) > 1:
            raise Unbuildable(f"spec.extraVolumes[{index}]", "must have one source")
        if name in volumes:
            raise Unbuildable(f"spec.extraVolumes[{index}].name", "is that of another volume of the pod")
        volumes[name] = volume
    return list(volumes.values())


def with_extra_mounts(gateway: Gateway, ours: Sequence[Mounted], volumes: Sequence[Object]) -> list[Object]:
    """All mounts of the container. Raises :class:`Unbuildable` for one in another's place or of no volume."""
    mounts = {mounted.path: mounted.mount() for mounted in ours}
    known = {volume["name"] for volume in volumes}
    for index, mount in enumerate(stored(gateway.spec.extra_volume_mounts or [], "volumeMounts", "spec.extraVolumeMounts")):
        path = mount.get("mountPath")
        if not isinstance(path, str) or not path:
            raise Unbuildable(f"spec.extraVolumeMounts[{index}].mountPath", "must be given")
        if path in mounts:
            raise Unbuildable(f"spec.extraVolumeMounts[{index}].mountPath", "is that of another mount of the container")
        if mount.get("name") not in known:
            raise Unbuildable(f"spec.extraVolumeMounts[{index}].name", "is that of no volume of the pod")
        for field in ("subPath", "subPathExpr"):
            within = str(mount.get(field, ""))
            if within.startswith("/") or ".." in within.split("/"):
                raise Unbuildable(f"spec.extraVolumeMounts[{index}].{field}", "must lead down: no '/' in front, no '..'")
        if "subPath" in mount and "subPathExpr" in mount:
            raise Unbuildable(f"spec.extraVolumeMounts[{index}].subPathExpr", "must not be given beside subPath")
        mounts[path] = mount
    return list(mounts.values())


def handler_config_map(gateway: Gateway) -> HandlerConfigMapRef | None:
    """The ConfigMap with a custom sign-on handler, while single sign-on is on."""
    sso = gateway.spec.sso
    handler = sso.custom_sso_handler if sso and sso.enabled else None
    return handler.config_map_ref if handler else None


def _always(gateway: Gateway) -> Iterator[Mounted]:
    own: Object = {"configMap": {"name": names.config(gateway.name)}}
    if handler := handler_config_map(gateway):
        item = {"key": handler.file_name, "path": f"custom_sso_handlers/{handler.file_name}"}
        own = {"projected": {"sources": [own, {"configMap": {"name": handler.name, "items": [item]}}]}}
    yield Mounted("config", own, CONFIG_FOLDER)
    yield Mounted("tmp", {"emptyDir": {}}, "/tmp", writable=True)  # noqa: S108 - in the container


def _user_interface(gateway: Gateway) -> Iterator[Mounted]:
    theme = gateway.spec.admin_ui.color_theme_config_map_ref if gateway.spec.admin_ui else None
    if theme:
        path = f"/app/enterprise/enterprise_ui/{COLOR_THEME}"
        yield Mounted("color-theme", {"configMap": {"name": theme.name}}, path, sub_path=COLOR_THEME)
    if handler := handler_config_map(gateway):
        yield Mounted("custom-sso-handler", {"configMap": {"name": handler.name}}, "/app/custom_sso_handlers")


def _tls(gateway: Gateway) -> Iterator[Mounted]:
    tls = gateway.spec.tls
    if tls and tls.server_cert_secret_ref:
        yield _secret("tls-server", tls.server_cert_secret_ref.name, f"{TLS_FOLDER}/server")
    if tls and tls.trusted_ca_secret_ref:
        yield _secret("tls-ca", tls.trusted_ca_secret_ref.name, f"{TLS_FOLDER}/ca")
    if tls and tls.client_cert_secret_ref:
        yield _secret("tls-client", tls.client_cert_secret_ref.name, f"{TLS_FOLDER}/client")
        yield Mounted("tls-client-pem", {"emptyDir": {"medium": "Memory"}}, CLIENT_PEM.rpartition("/")[0])


def _secret(name: str, secret: str, path: str) -> Mounted:
    return Mounted(name, {"secret": {"secretName": secret}}, path)
