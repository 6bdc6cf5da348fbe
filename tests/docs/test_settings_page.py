"""docs/reference/settings.md: every setting in the specification and no other, its statements
covered by existing tests, and all of the contract's own settings."""

import re
from fnmatch import fnmatchcase

import pytest

from afterimage import settings
from afterimage.macros import Macros
from tests.docs import spec_settings
from tests.docs.markdown import ROOT
from tests.truth.captures import captures, shared_folder

SETTINGS = [setting for group in settings.groups() for setting in group["settings"]]
KEYS = Macros().contract_keys()


@pytest.fixture(scope="module")
def spec():
    return shared_folder("spec")


def on_page() -> dict[str, set[str]]:
    """Scope → names."""
    found: dict[str, set[str]] = {}
    for setting in SETTINGS:
        found.setdefault(setting["scope"], set()).update(setting["names"])
    return found


def test_the_page_is_fresh():
    again = "make it again: python -m afterimage.settings"
    assert settings.PAGE.read_text(encoding="utf-8") == settings.settings_page(), again


@pytest.mark.shared
def test_every_setting_of_the_specification_is_on_the_page(spec):
    there = on_page()
    missing = {
        f"{scope}: {name}"
        for scope, names in spec_settings.settings(spec).items()
        for name in names
        if not any(fnmatchcase(told, name) for told in there.get(scope, ()))
    }
    assert missing == set()


@pytest.mark.shared
def test_every_setting_of_the_page_is_in_the_specification(spec):
    said = spec_settings.said(spec)
    whole = {name for name in said if "*" not in name}
    unknown, known = set(), set()
    for setting in SETTINGS:
        for name in setting["names"]:
            is_said = name in said or any(
                fnmatchcase(name, pattern) for pattern in said - whole if pattern.startswith("*.")
            )
            if "beyond" in setting and is_said:
                known.add(name)
            elif "beyond" not in setting and not is_said:
                unknown.add(name)
    assert unknown == set(), (
        "in none of the documents; say under `beyond` where they are known from"
    )
    assert known == set(), "they are in the documents: no need for `beyond`"


@pytest.mark.shared
def test_the_specification_is_read_at_all(spec):
    """If a heading or a table changed its form, nothing would be missing."""
    found = {scope: len(names) for scope, names in spec_settings.settings(spec).items()}
    assert found["connector"] > 60
    assert all(found.values()), found


def test_a_setting_stands_once_and_is_of_a_known_kind():
    seen = [(setting["scope"], name) for setting in SETTINGS for name in setting["names"]]
    assert len(seen) == len(set(seen))
    assert {setting["is"] for setting in SETTINGS} <= settings.KINDS.keys()
    known = {"names", "of", "is", "says", "not_yet", "contract", "tests", "beyond", "scope"}
    assert set().union(*SETTINGS) <= known
    assert set().union(*(setting["of"] for setting in SETTINGS)) <= settings.CONNECTORS.keys()


def test_no_cell_is_empty():
    for row in re.findall(r"(?m)^\| `.*$", settings.PAGE.read_text(encoding="utf-8")):
        assert all(cell.strip() for cell in row.strip("|").split("|")), row


def test_what_is_promised_is_held_by_a_test():
    for setting in SETTINGS:
        assert setting["says"].endswith((".", "#names-that-were-adjusted).")), setting["names"]
        if setting["is"] != "invisible":
            assert setting.get("tests"), setting["names"]
        assert bool(setting.get("contract")) == (setting["is"] == "declared"), setting["names"]


@pytest.mark.parametrize("test", sorted({t for s in SETTINGS for t in s.get("tests", [])}))
def test_the_test_is_there(test):
    path, _, function = test.partition("::")
    file = ROOT / path
    assert file.is_file()
    if function:
        assert re.search(rf"(?m)^def {function}\(", file.read_text(encoding="utf-8"))
    if file.parent == ROOT / "tests" / "truth" and file.suffix == ".yml":
        assert file.stem in captures(), "the contract of no capture: nothing runs it"


def test_every_setting_of_a_contract_is_on_the_page():
    named = {key for setting in SETTINGS for key in setting.get("contract", [])}
    of_contract = {f"settings.{name}" for name in KEYS["settings"]["keys"]}
    assert of_contract - named == set(), "no setting of a connector is declared by it"
    assert named - of_contract <= KEYS.keys(), "no key of a contract"


@pytest.mark.parametrize("name", KEYS["settings"]["keys"])
def test_a_setting_has_its_own_name_in_a_contract(name):
    [setting] = [s for s in SETTINGS if f"settings.{name}" in s.get("contract", [])]
    assert setting["names"] == [name.replace("_", ".")]


def test_a_value_that_a_contract_takes_is_not_said_to_be_unread():
    for setting in SETTINGS:
        for key in setting.get("contract", []):
            spec = KEYS["settings"]["keys"].get(key.removeprefix("settings."), {})
            words = re.findall(r"`([\w-]+)`", setting.get("not_yet", ""))
            # MySQL only, and the mode to which others are compared
            taken = {*words} & {*spec.get("allowed", [])} - {"isostring", "bytes"}
            assert not taken, setting["names"]
