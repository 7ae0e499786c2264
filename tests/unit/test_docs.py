"""Pages that people read in the repository, without the site: links lead somewhere, and what is copied is what it copies."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from app import __version__
from app.apis.checking import InvalidSpec, check_spec
from app.generate.names import IMAGE
from app.registry import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.apis.custom_resource import CustomResource

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "metacontroller", "requirements", "tests")
PAGES = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")))]
SITE_ONLY = {ROOT / "docs/index.md", ROOT / "docs/changelog.md"}
"""The site's front page, whose tables of contents are its sidebar, and its copy of CHANGELOG.md."""

EXAMPLES = sorted((ROOT / "examples" / "litellm-instance").glob("*.yaml"))
SITUATIONS = {"attach", "config-sync", "copied-from-managed", "endpoint", "managed", "managed-production", "private-ca"}
"""Examples of a whole situation, not of a section: guides name them as files."""

BLOCK = re.compile(r"^( *)```([^\n`]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def prose(page: Path) -> str:
    return BLOCK.sub("", page.read_text("utf-8"))


def shown(kind: str) -> list[tuple[str, Any]]:
    blocks = [(name(page), match) for page in PAGES for match in BLOCK.finditer(page.read_text("utf-8"))]
    fitting = [(page, match[3]) for page, match in blocks if match[2] == "yaml" and f"\nkind: {kind}\n" in match[3]]
    return [(page, item) for page, text in fitting for item in yaml.safe_load_all(text) if item["kind"] == kind]


def anchors(page: Path) -> set[str]:
    """What a ``#fragment`` may be: headings in lower case, without punctuation, with hyphens for spaces."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links() -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        without_code = re.sub(r"`[^`\n]+`", "code", prose(page))
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code):
            if "://" not in target:
                yield page, target


def test_every_link_leads_to_a_page_and_a_heading() -> None:
    broken: list[str] = []
    for page, target in links():
        path, _, fragment = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        # The site takes no folder for a target.
        if not goal.is_file() or (fragment and fragment not in anchors(goal)):
            broken.append(f"{name(page)}: {target}")
    assert broken == []


INCLUDE = re.compile(
    r"```\{literalinclude\} (\S+)\n:language: yaml\n:start-at: \"(.+)\"\n```\n\n"
    r"The whole file: \[`.+`\]\((\S+)\)\."
)
"""A part of an example, as the site shows it, and the link for whoever reads the page in the repository."""


@pytest.mark.parametrize("page", [page for page in PAGES if page not in SITE_ONLY], ids=name)
def test_a_page_needs_no_site_to_be_read(page: Path) -> None:
    directives = [match[2].split()[0] for match in BLOCK.finditer(page.read_text("utf-8")) if match[2].startswith("{")]
    assert directives == ["{literalinclude}"] * len(includes(page))


def includes(page: Path) -> list[tuple[Path, str]]:
    """The files that a page shows parts of, and the text that each part begins with."""
    found = [(match[1], match[2], match[3]) for match in INCLUDE.finditer(page.read_text("utf-8"))]
    assert all(shown == linked for shown, _, linked in found)
    return [((page.parent / shown).resolve(), start) for shown, start, _ in found]


def test_every_example_of_a_section_is_shown_on_one_page_from_that_section_on() -> None:
    shown = [include for page in PAGES for include in includes(page)]
    assert sorted(path for path, _ in shown) == [path for path in EXAMPLES if path.stem not in SITUATIONS]
    assert [path.name for path, start in shown if f"\n{start}" not in path.read_text("utf-8")] == []


def test_the_guide_to_the_hooks_shows_the_tested_toy() -> None:
    toy = text("tests/unit/hooks/test_a_toy_controller.py")
    assert f"```python\n{toy[toy.index('import httpx2') :]}```\n" in text("docs/guides/hooks.md")


def test_every_decision_is_in_the_index_in_order() -> None:
    rows: list[str] = []
    for page in sorted((ROOT / "docs/adr").glob("[0-9]*.md")):
        number, _, title = page.read_text("utf-8").splitlines()[0].removeprefix("# ").partition(". ")
        rows.append(f"| {number} | [{title}]({page.name}) |")
    assert rows
    assert text("docs/adr/README.md").endswith("\n".join(["|---|---|", *rows, ""]))


OVERLAYS = shown("Kustomization")


@pytest.mark.parametrize(("page", "overlay"), OVERLAYS, ids=[page for page, _ in OVERLAYS])
def test_an_overlay_names_a_shape_that_exists_and_the_image_of_the_manifests(page: str, overlay: Any) -> None:
    assert [(image["name"], image["newTag"]) for image in overlay["images"]] == [(IMAGE, __version__)]
    for resource in overlay["resources"]:
        assert (ROOT / resource.removeprefix("../palena/") / "kustomization.yaml").is_file(), resource


SHOWN = [(page, kind, item) for kind in KINDS for page, item in shown(kind.resource.kind)]


@pytest.mark.parametrize(("page", "kind", "item"), SHOWN, ids=[f"{kind.resource.kind}-{page}" for page, kind, _ in SHOWN])
def test_a_shown_object_is_valid(page: str, kind: CustomResource, item: Any) -> None:
    assert not isinstance(check_spec(kind.spec, item["spec"]), InvalidSpec)


def test_every_make_target_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z0-9]+):", text("Makefile"), re.MULTILINE))
    named = {word for page in PAGES for word in re.findall(r"(?:^|`|&& )make ([a-z0-9]+)", page.read_text("utf-8"), re.MULTILINE)}
    assert named
    assert named <= targets
