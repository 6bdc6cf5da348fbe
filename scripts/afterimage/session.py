"""The embedded Spark session, the same that dbt creates for a target of the profile; or the session
of a cluster, by Spark Connect."""

import contextlib
import fcntl
import logging
import os
import re
import socket
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from pyspark import SparkContext
from pyspark.sql import SparkSession
from rich.console import Console

from afterimage.errors import UserError
from afterimage.jars import require_jars
from afterimage.java import use_java
from afterimage.project import profiles_dir, project_root

# PySpark repeats each error of a statement as a line of JSON; commands print its message.
for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
    logging.getLogger(name).disabled = True

CONNECT_PORT = 15002  # default port of Spark Connect
CATALOG = "spark.hadoop.javax.jdo.option.ConnectionURL"
IN_USE = (
    "the catalog in {} is in use by another process (dbt, afterimage or a Spark shell), and its "
    "database accepts one at a time: end that one and run this again"
)
CLASS_PATH = "spark.driver.extraClassPath"


def spark_session(target: str | None = None, jars: Sequence[str] = ()) -> SparkSession:
    """Start or reuse the session of a profile target.

    In: the target's name, else the profile's default; folders of `.jars` to add to its class path.
    Otherwise the session gets only the target's `server_side_parameters`, so that dbt's models read
    the files landed through it.
    Out: the session. It starts with the project's root as working directory, which relative paths
    in the parameters refer to. Output of the JVM goes to `.spark/spark.log`.
    Errors: UserError for a profile that cannot be read, a target that is not embedded, missing Java
    or jars, a catalog in use by another process.
    """
    root = project_root()
    parameters = parameters_of(target)
    refuse_second(target)
    if jars:
        known = parameters.get(CLASS_PATH)
        added = [f"./.jars/{folder}/*" for folder in jars]
        parameters[CLASS_PATH] = os.pathsep.join([known, *added] if known else added)
    require_jars(parameters)
    use_java()
    # The adapter's own cursor creates the session, so that both are the same.
    from dbt.adapters.spark.session import Cursor

    log = root / ".spark" / "spark.log"
    with shown_as_busy("starting Spark"), contextlib.chdir(root), jvm_output(log):
        try:
            # Any statement would start Spark; this one also opens the catalog.
            cursor = Cursor(server_side_parameters=parameters)
            cursor.execute("show schemas")
        except Exception as error:
            raise UserError(explain(error, log)) from error
    return SparkSession.active()


def remote_session(address: str) -> SparkSession:
    """Connect to a cluster by Spark Connect.

    In: sc://HOST:PORT, as in Spark; anything after the port is passed to Spark.
    Errors: UserError for another form of address, one that does not answer, missing packages.
    """
    found = re.match(r"sc://([^/:;]+)(?::(\d+))?(?:/|$)", address)
    if not found:
        raise UserError(f"--remote {address}: an address of Spark Connect is sc://HOST:PORT")
    host, port = found[1], int(found[2] or CONNECT_PORT)
    try:
        # Spark itself would retry for minutes
        socket.create_connection((host, port), timeout=10).close()
    except OSError as error:
        raise UserError(f"--remote {address} was not reached: {error.strerror or error}") from error
    try:
        with shown_as_busy("reaching Spark"):
            spark = SparkSession.builder.remote(address).getOrCreate()
            spark.sql("show schemas").collect()
    except Exception as error:
        if isinstance(error, ImportError) or "PACKAGE_NOT_INSTALLED" in str(error):
            fault = (
                "Spark Connect needs packages that are missing: pip install 'afterimage[connect]'"
            )
            raise UserError(f"{fault} ({error})") from error
        raise UserError(f"{address}: {explain(error)}") from error
    return spark


def refuse_second(target: str | None) -> None:
    """Refuse a target whose catalog another process has open: Hive would try for a minute.

    Errors: UserError.
    """
    parameters = getattr(credentials_of(target), "server_side_parameters", None) or {}
    folder = re.search("^jdbc:derby:.*databaseName=([^;]+)", parameters.get(CATALOG, ""))
    lock = project_root() / folder[1] / "dbex.lck" if folder else None  # Derby locks it as it boots
    if lock is None or not lock.is_file() or SparkContext._gateway is not None:
        return
    try:
        with lock.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise UserError(IN_USE.format(Path(folder[1]))) from None


def explain(error: BaseException, log: Path | None = None) -> str:
    """A Spark error and what to do, in a few lines.

    In: the error; the JVM's log, whose end is quoted when the error has no cause.
    """
    text = str(error)
    if "XSDB6" in "".join(map(str, _causes(error))):
        return IN_USE.format(".spark/metastore")
    if "JAVA_GATEWAY_EXITED" in text and log and log.is_file():
        last = log.read_text(errors="replace").splitlines()[-15:]
        return "Spark did not start. The end of " + "\n  ".join([f"{log}:", *last])
    return text.split("\nJVM stacktrace")[0].strip() or repr(error)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes; the last one holds Java's own stack trace."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@contextlib.contextmanager
def shown_as_busy(text: str) -> Iterator[None]:
    """Shows on a terminal what is in progress, even if output is redirected within the block."""
    with os.fdopen(os.dup(2), "w") as terminal, Console(file=terminal).status(text):
        yield


@contextlib.contextmanager
def jvm_output(log: Path) -> Iterator[None]:
    """Send the output of a JVM started in the block to a file, for as long as that JVM runs.

    The JVM inherits the file descriptors, so Python's own output is restored after the block.
    Nothing changes when a JVM runs already.
    """
    if SparkContext._gateway is not None:
        yield
        return
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as file:
        kept = [os.dup(1), os.dup(2)]
        try:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
            yield
        finally:
            for number, copy in zip((1, 2), kept, strict=True):
                os.dup2(copy, number)
                os.close(copy)


def parameters_of(target: str | None = None) -> dict[str, str]:
    """The session settings of an embedded target, as dbt passes them to Spark.

    Errors: UserError for a profile that cannot be read, a target that is not embedded.
    """
    credentials = credentials_of(target)
    if credentials.method != "session":
        raise UserError(
            f"target {target or 'by default'} has method {credentials.method}; this command runs "
            "on the embedded session only: choose a target with `method: session` (`land` and "
            "`schemas` send rows to a cluster by --remote)"
        )
    return dict(credentials.server_side_parameters)


def credentials_of(target: str | None):
    """The target's credentials as dbt itself reads them, with `env_var` rendered.

    Errors: UserError for a profile that cannot be read.
    """
    return _profile(target).credentials


def target_name(target: str | None) -> str:
    """The target's name; without one, that of the profile's default."""
    return _profile(target).target_name


def _profile(target: str | None):
    # Imported here: dbt takes seconds to load, and `afterimage --help` should not.
    from dbt.config.runtime import load_profile
    from dbt.flags import set_from_args
    from dbt_common.context import set_invocation_context
    from dbt_common.exceptions import DbtBaseException

    root = project_root()
    set_invocation_context(os.environ)
    set_from_args(Namespace(PROFILES_DIR=str(profiles_dir()), PROJECT_DIR=str(root)), None)
    try:
        return load_profile(str(root), {}, target_override=target)
    except DbtBaseException as error:
        raise UserError(str(error).strip()) from error
