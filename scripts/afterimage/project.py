"""Where the dbt project and its profiles are."""

import os
from pathlib import Path

from afterimage.errors import UserError


def project_root() -> Path:
    """The dbt project to work in.

    Out: the nearest folder at or above the working directory that holds `dbt_project.yml`.
    Errors: UserError when there is none.
    """
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "dbt_project.yml").is_file():
            return folder
    raise UserError(
        f"no dbt_project.yml in {here} or above it: run this inside the folder of a dbt project"
    )


def profiles_dir() -> Path:
    """The folder with `profiles.yml`: DBT_PROFILES_DIR, else the first of the project's own
    `profiles/`, the project's root and `~/.dbt` that has one.

    Errors: UserError when none of them has one.
    """
    root = project_root()
    named = os.environ.get("DBT_PROFILES_DIR")
    folders = [Path(named)] if named else [root / "profiles", root, Path.home() / ".dbt"]
    for folder in folders:
        if (folder / "profiles.yml").is_file():
            return folder.resolve()
    looked = ", ".join(str(folder) for folder in folders)
    raise UserError(f"no profiles.yml in {looked}: write one, or set DBT_PROFILES_DIR")
