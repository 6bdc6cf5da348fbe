"""The reference of the connectors' settings, made from settings.yml beside it.

    python -m afterimage.settings     writes docs/reference/settings.md

A test holds the page against what this makes, and what it says against the tests it names.
"""

from typing import Any

import yaml

from afterimage.macros import MACROS, Macros

FOLDER = MACROS.parent / "docs" / "reference"
SOURCE = FOLDER / "settings.yml"
PAGE = FOLDER / "settings.md"

# What a setting can be to afterimage, and what that means.
KINDS = {
    "handled": "afterimage sees it in the events, or it makes no difference: nothing to declare",
    "declared": "no event shows it: declare it in the contract if it differs from the default",
    "invisible": "no event shows it, and nothing can be declared; know what it does",
    "not read": "events in this form are refused or kept aside, as stated; none is silently "
    "misread unless stated",
}
# Invisible settings: no event could make a test fail.
UNHELD = "nothing: no event shows it"
# MariaDB's connector has the settings of MySQL's.
FOUND = Macros()
CONNECTORS = {
    name: title
    for name, title in FOUND.connectors().items()
    if FOUND.connector_family(name) == name and not name.startswith("datastream_")
}


def groups() -> list[dict[str, Any]]:
    """The groups of the page, each setting with its scope and the connectors that have it (of; none
    where it is no matter of the connector, or all have it)."""
    found = _document()["groups"]
    for group in found:
        group["of"] = _listed(group.get("of", []))
        for setting in group["settings"]:
            setting.setdefault("scope", group.get("scope", "connector"))
            setting["of"] = _listed(setting.get("of", group["of"]))
    return found


def settings_page() -> str:
    """The page as Markdown."""
    lines = [
        "<!-- Made by `python -m afterimage.settings` from settings.yml. Do not edit. -->",
        "# Settings of connectors",
        "",
        "How afterimage treats each setting that changes or hides events. The settings are those",
        "of the connectors for PostgreSQL, MySQL and MariaDB (which has those of MySQL), SQL",
        "Server, Oracle, Db2 and MongoDB, of converters and of transformations.",
        "",
        "| | means |",
        "|---|---|",
        *(f"| {_shown(kind)} | {meaning} |" for kind, meaning in KINDS.items()),
        "",
        "The last column names what fails when the sentence next to it is no longer true: a test,",
        "a made-up stream, or the contract of a capture whose tables are compared with the",
        "database's rows.",
    ]
    for group in groups():
        lines += ["", f"## {group['title']}", ""]
        if group.get("about"):
            lines += [group["about"], ""]
        lines += ["| setting | | what it does here | held by |", "|---|---|---|---|"]
        lines += [_row(setting, group) for setting in group["settings"]]
    for text in _document()["texts"]:
        lines += ["", f"## {text['title']}", "", text["text"].rstrip()]
    return "\n".join(lines) + "\n"


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _document() -> dict[str, Any]:
    return yaml.safe_load(SOURCE.read_text(encoding="utf-8"))


def _row(setting: dict[str, Any], group: dict[str, Any]) -> str:
    names = "<br>".join(f"`{name}`" for name in setting["names"])
    apart = []
    if setting["of"] != group["of"]:
        apart += [CONNECTORS[name] for name in setting["of"]]
    if setting["scope"] != group.get("scope", "connector"):
        apart.append(setting["scope"])
    if apart:
        names += f"<br>({', '.join(apart)})"
    kind = _shown(setting["is"])
    if setting.get("contract"):
        kind += ": " + ", ".join(f"`{key}`" for key in setting["contract"])
    said = setting["says"]
    if setting.get("not_yet"):
        said += f" **Not read yet:** {setting['not_yet']}"
    held = ", ".join(dict.fromkeys(map(_link, setting.get("tests", [])))) or UNHELD
    return f"| {names} | {kind} | {said} | {held} |"


def _shown(kind: str) -> str:
    return f"**{kind} yet**" if kind == "not read" else f"**{kind}**"


def _link(test: str) -> str:
    path = test.partition("::")[0]
    name = path.rsplit("/", 1)[-1].partition(".")[0].removeprefix("test_")
    return f"[{name}](../../{path})"


if __name__ == "__main__":
    PAGE.write_text(settings_page(), encoding="utf-8")
    print(PAGE)
