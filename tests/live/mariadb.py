"""A throw-away MariaDB server, like the MySQL server of `mysql`.

AFTERIMAGE_MARIADB names a folder with the unpacked packages of the server; else `mariadbd` is taken
from PATH. The package does not contain Debezium's connector for it: AFTERIMAGE_DEBEZIUM (see
`engine`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from tests.live.mysql import SETTINGS, Mysql, MysqlError

SYSTEM_TABLES = ("mysql_system_tables.sql", "mysql_system_tables_data.sql")
OWN_SETTINGS = [
    *(s for s in SETTINGS if not any(word in s for word in ("mysqlx", "gtid", "secure", "stamps"))),
    "--binlog-format=ROW",
    "--binlog-row-image=FULL",
    "--binlog-row-metadata=FULL",
    "--log-slave-updates",
]


def find_mariadbd() -> list[str] | None:
    """The command that starts `mariadbd`, or None."""
    folder = os.environ.get("AFTERIMAGE_MARIADB")
    found = Path(folder).resolve() / "usr" / "sbin" / "mariadbd" if folder else None
    if found is None:
        on_path = shutil.which("mariadbd")
        return [on_path, "--no-defaults"] if on_path else None
    if not found.exists():
        raise MysqlError(f"AFTERIMAGE_MARIADB={folder} holds no usr/sbin/mariadbd")
    root = found.parents[1]
    return [
        str(found),
        "--no-defaults",
        f"--basedir={root}",
        f"--lc-messages-dir={root / 'share' / 'mysql'}",
        f"--character-sets-dir={root / 'share' / 'mysql' / 'charsets'}",
    ]


class MariaDb(Mysql):
    """See `Mysql`."""

    title = "MariaDB"
    settings = OWN_SETTINGS
    log_status = "show master status"

    def follow(self, primary: MariaDb) -> None:
        """Become a replica of another server; its own log has other files and positions."""
        with self.connect() as own:
            own.execute(f"drop database `{self.database}`")
            own.execute(f"drop user {self.user}")
            own.execute("reset master")
            own.execute("set global server_id = 2")
            own.execute(
                f"change master to master_host='127.0.0.1', master_port={primary.port}, "
                f"master_user='{primary.user}', master_password='{primary.password}', "
                "master_use_gtid=slave_pos"
            )
            own.execute("start slave")
        self.password = primary.password

    def take_over(self, primary: MariaDb) -> None:
        """Replay what the primary has written and take its place; it must be quiet."""
        with primary.connect() as old, self.connect() as own:
            place = old.execute("select @@gtid_current_pos")[0][0]
            [[timed_out]] = own.execute(f"select master_gtid_wait('{place}', 60)")
            if timed_out:
                raise MysqlError(
                    f"the replica is not at {place}: {own.execute('show slave status')}"
                )
            own.execute("stop slave")
            own.execute("reset slave all")

    def command(self) -> list[str]:
        command = find_mariadbd()
        if command is None:
            raise MysqlError("no mariadbd here: neither in PATH nor by AFTERIMAGE_MARIADB")
        return command

    def environment(self) -> dict[str, str]:
        """Libraries of the packages are next to the server."""
        root = os.environ.get("AFTERIMAGE_MARIADB")
        folders = sorted((Path(root).resolve() / "usr" / "lib").glob("*-linux-*")) if root else []
        paths = [*map(str, folders), os.environ.get("LD_LIBRARY_PATH", "")]
        return os.environ | {"LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths))}

    def initialize(self, command: list[str], own: list[str]) -> None:
        data = next(a.removeprefix("--datadir=") for a in own if a.startswith("--datadir="))
        Path(data, "mysql").mkdir(parents=True)
        base = next(
            (a.removeprefix("--basedir=") for a in command if a.startswith("--basedir=")), "/usr"
        )
        scripts = [Path(base, "share", "mysql", name) for name in SYSTEM_TABLES]
        statements = "use mysql;\nset @auth_root_socket=NULL;\n"
        statements += "".join(script.read_text(encoding="utf-8") for script in scripts)
        made = subprocess.run(
            [*command, *own, "--bootstrap"],
            input=statements,
            capture_output=True,
            text=True,
            timeout=120,
            env=self.environment(),
        )
        if made.returncode:
            raise MysqlError(f"mariadbd --bootstrap failed: {made.stderr[-2000:]}")

    def connector(self) -> dict[str, str]:
        return super().connector() | {
            "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
            "topic.prefix": "ma1",
        }
