"""Turns the repository's Markdown, which links to files by their path, into a site.

README, CONTRIBUTING and CHANGELOG become pages, the decisions get a list, and dbt's documentation
of the models, if `make docs` has built it, is next to them. A link to a file that is not a page
leads to the repository if `repo_url` is set; else only its text stays.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
# pages of the site outside of docs/, and docs/README.md, which mkdocs would take for the first page
ROOT_PAGES = {
    "README.md": "index.md",
    "docs/README.md": "pages.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
}
MODELS = ROOT / "target" / "static_index.html"
NO_MODELS = (
    "<p>Made by <code>make docs</code>, with Spark: the documentation of the example's models.</p>"
)
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
# generated tables, the changelog and decisions: in the search they would hide other results
EVIDENCE = ("reference/types.md", "reference/coverage.md", "CHANGELOG.md", "decisions/")
FENCE = re.compile(r"(?ms)^ *```.*?^ *```$")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages outside of docs/, and the generated lists."""
    for source, place in ROOT_PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, place, content=text))
    listed = [
        f"- [{page.read_text(encoding='utf-8').splitlines()[0].removeprefix('# ')}]({page.name})"
        for page in sorted((ROOT / "docs" / "decisions").glob("*.md"))
    ]
    text = "# Decisions\n\nWhat was chosen, what lost, and what was measured.\n\n" + "\n".join(
        listed
    )
    files.append(File.generated(config, "decisions/index.md", content=text))
    models = MODELS.read_text(encoding="utf-8") if MODELS.is_file() else NO_MODELS
    files.append(File.generated(config, "models.html", content=models))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Rewrites links to the paths of the site."""
    place = page.file.src_uri
    if place.startswith(EVIDENCE):
        page.meta["search"] = {"exclude": True}
    in_repository = {site: source for source, site in ROOT_PAGES.items()}.get(
        place, f"docs/{place}"
    )

    def link(found: re.Match) -> str:
        shown, target = found.groups()
        path, mark, anchor = target.partition("#")
        if not path or ":" in path:
            return found[0]
        meant = posixpath.normpath(posixpath.join(posixpath.dirname(in_repository), path))
        page_of = ROOT_PAGES.get(meant) or _page(meant.removeprefix("docs/"), files)
        if page_of and (meant.startswith("docs/") or meant in ROOT_PAGES):
            there = posixpath.relpath(page_of, posixpath.dirname(place) or ".")
            return f"{shown}({there}{mark}{anchor})"
        if not (ROOT / meant).exists():
            return found[0]  # mkdocs reports the broken link
        if config.repo_url:
            return f"{shown}({config.repo_url.rstrip('/')}/blob/main/{meant}{mark}{anchor})"
        return shown.removeprefix("!").removeprefix("[").removesuffix("]")

    parts, at = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [LINK.sub(link, markdown[at : fence.start()]), fence[0]]
        at = fence.end()
    return "".join([*parts, LINK.sub(link, markdown[at:])])


def _page(path: str, files: Files) -> str | None:
    """The page for a path below docs/; for a folder, its first page."""
    for each in (path, f"{path}/README.md", f"{path}/index.md"):
        if each.endswith((".md", ".svg", ".html")) and files.get_file_from_path(each):
            return each
    return None
