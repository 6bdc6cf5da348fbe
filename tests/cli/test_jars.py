"""Jars are fetched once and checked, and missing ones reported; Spark is not started."""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from afterimage import jars
from afterimage.cli import main
from afterimage.errors import UserError

ROOT = Path(__file__).parents[2]
CONTENT = b"a jar"
GOOD = jars.Jar(
    *("delta", "org.example", "good", "1.0"), len(CONTENT), hashlib.sha256(CONTENT).hexdigest()
)
OTHER = jars.Jar("avro", "org.example", "other", "2.0", 3, hashlib.sha256(b"two").hexdigest())
CLASS_PATH = {"spark.driver.extraClassPath": "./.jars/delta/*"}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A project that needs two jars; the dict holds what can be fetched."""
    (tmp_path / "dbt_project.yml").write_text("name: x\nprofile: x\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(jars, "JARS", (GOOD, OTHER))
    has = {"good-1.0.jar": CONTENT, "other-2.0.jar": b"two"}

    def ivy(scratch, wanted):
        for jar in wanted:
            if jar.path.name in has:
                (scratch / jar.path.name).write_bytes(has[jar.path.name])
        return "Host example.org not found. url=…"

    monkeypatch.setattr(jars, "_ivy", ivy)
    return has


def test_what_is_there_is_not_fetched_again(repository):
    assert jars.fetch_jars() == [GOOD, OTHER]
    assert GOOD.path.read_bytes() == CONTENT
    repository.clear()
    assert jars.fetch_jars() == []
    jars.require_jars(CLASS_PATH)


@pytest.mark.parametrize("content", [b"", b"a ja", b"a jaR"], ids=["empty", "cut off", "other"])
def test_a_damaged_jar_is_fetched_again(repository, content):
    jars.fetch_jars()
    GOOD.path.write_bytes(content)
    assert jars.fetch_jars() == [GOOD]
    assert GOOD.path.read_bytes() == CONTENT


def test_each_jar_that_cannot_be_had_is_named_and_the_others_are_kept(repository):
    del repository["good-1.0.jar"]
    with pytest.raises(UserError) as caught:
        jars.fetch_jars()
    assert "1 of 2 jars" in caught.value.message
    assert (
        "org.example:good:1.0: not available (Host example.org not found)" in caught.value.message
    )
    assert "by hand" in caught.value.message
    assert OTHER.fault() is None


def test_what_arrives_damaged_is_not_kept(repository):
    repository["good-1.0.jar"] = b""
    with pytest.raises(UserError, match="what was fetched is damaged: 0 bytes of 5"):
        jars.fetch_jars()
    assert not GOOD.path.exists()


def test_a_jar_put_there_by_hand_will_do(repository):
    repository.clear()
    for jar, content in ((GOOD, CONTENT), (OTHER, b"two")):
        jar.path.parent.mkdir(parents=True)
        jar.path.write_bytes(content)
    assert jars.fetch_jars() == []


def test_another_version_is_removed(repository):
    jars.fetch_jars()
    former = GOOD.path.with_name("good-0.9.jar")
    former.write_bytes(b"old")
    jars.fetch_jars()
    assert not former.exists()


def test_a_session_that_lacks_a_jar_is_refused(repository):
    with pytest.raises(UserError, match="Spark needs jars that are not there") as refused:
        jars.require_jars(CLASS_PATH)
    assert re.search(r"org\.example:good:1\.0: missing .*\n`afterimage jars`", str(refused.value))
    jars.require_jars({"spark.driver.extraClassPath": "/opt/jars/*"})
    jars.require_jars({})


def test_the_command(repository, tmp_path):
    for fetched in (2, 0):
        done = CliRunner().invoke(main, ["jars"])
        last = f"{tmp_path / '.jars'}: 2 jars in order, {fetched} of them fetched now"
        assert (done.exit_code, done.output.splitlines()[-1]) == (0, last)
    repository.clear()
    GOOD.path.unlink()
    done = CliRunner().invoke(main, ["jars"])
    assert done.exit_code == 1 and "org.example:good:1.0: not available" in done.output


def test_a_folder_that_cannot_be_written(repository):
    Path(".jars").write_text("")
    with pytest.raises(UserError, match="the jars cannot be kept in"):
        jars.fetch_jars()


def test_a_second_process_waits_and_fetches_nothing(repository, tmp_path):
    jars.fetch_jars()
    holds = (
        "import fcntl, sys; f = open('.jars/.lock', 'w'); fcntl.flock(f, fcntl.LOCK_EX);"
        "print('held', flush=True); sys.stdin.readline()"
    )
    heard = []
    command = [sys.executable, "-c", holds]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": tmp_path}
    with subprocess.Popen(command, **pipes) as other:
        assert other.stdout.readline() == "held\n"

        def say(line):
            heard.append(line)
            other.stdin.write("\n")
            other.stdin.flush()

        assert jars.fetch_jars(say) == []
    assert heard == ["another process is fetching the jars: waiting for it"]


def test_no_network_is_said(tmp_path, monkeypatch):
    """The real Ivy, with a proxy address where nothing answers."""
    (tmp_path / "dbt_project.yml").write_text("name: x\nprofile: x\n")
    monkeypatch.chdir(tmp_path)
    proxy = "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=9 -Dhttp.proxyHost=127.0.0.1"
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", proxy)
    with pytest.raises(UserError) as caught:
        jars.fetch_jars()
    assert f"{len(jars.JARS)} of {len(jars.JARS)} jars" in caught.value.message
    assert "Connection refused" in caught.value.message
    assert "afterimage" not in [path.name for path in (tmp_path / ".jars").iterdir()]


def test_every_folder_of_the_profile_has_jars():
    profile = yaml.safe_load((ROOT / "profiles" / "profiles.yml").read_text())
    named = re.findall(r"\.jars/(\w+)/\*", str(profile))
    # those of Kafka are added by the command that needs them
    assert {*named, "kafka"} == {jar.folder for jar in jars.JARS}
    assert "spark.jars.packages" not in str(profile)


@pytest.mark.parametrize("page", ["docs/how-to/avro.md", "docs/how-to/formats-and-clusters.md"])
def test_coordinates_in_the_documentation_are_those_fetched(page):
    known = {jar.coordinates for jar in jars.JARS}
    found = set(re.findall(r"[\w.]+:[\w.-]+_[\d.]+(?:_[\d.]+)?:[\w.]+", (ROOT / page).read_text()))
    assert found
    assert found <= known, found - known


def test_ours_are_there_on_this_machine(tmp_path, monkeypatch):
    """Those that tests run on; a truncated copy is distinguished from them."""
    monkeypatch.chdir(ROOT)
    assert [jar.fault() for jar in jars.JARS] == [None] * len(jars.JARS)
    cut = Path(shutil.copy(jars.JARS[0].path, tmp_path))
    cut.write_bytes(cut.read_bytes()[:-1])
    assert "damaged" in jars.JARS[0].fault(cut)
