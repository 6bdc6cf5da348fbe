"""A connector's configuration, as for Kafka Connect, and the contract settings it implies."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from afterimage.errors import UserError
from afterimage.scaffold import known
from afterimage.scaffold.catalog import text_of
from afterimage.scaffold.proven import Proof


@dataclass
class ConnectorConfig:
    """Contract settings that come from the connector's configuration."""

    name: str = ""  # of the file
    connector: str = ""
    prefix: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)

    def is_of(self, connector: str, prefix: str) -> bool:
        """Whether it is the configuration of the connector that wrote a topic."""
        return (self.connector or connector) == connector and (self.prefix or prefix) == prefix

    def complete(self, proof: Proof) -> None:
        """Add the settings that records do not prove; what records prove takes precedence."""
        for setting, value in self.settings.items():
            fits = proof.fits.get(setting)
            if fits is None or value in fits:
                proof.fits[setting] = [value]
                proof.guesses.pop(setting, None)
                conflict = f"check settings: {setting} "
                proof.said = [line for line in proof.said if not line.startswith(conflict)]
            else:
                proof.said.append(
                    f"check settings: {self.name} has {setting.replace('_', '.')} {value}, the "
                    f"records were written with {fits[0]}: {fits[0]} is used"
                )
        # without the option the connector has its default
        proof.fits.setdefault("decimal_handling_mode", [known.DEFAULTS["decimal_handling_mode"]])


def read_connector_config(path: Path) -> ConnectorConfig:
    """In: JSON as for the REST API of Kafka Connect, with or without `config` around it, or a
    .properties file.
    Errors: UserError for a file that is neither, or of an unsupported connector.
    """
    text = text_of(path)
    options = _properties(text) if path.suffix == ".properties" else _json(path, text)
    found = ConnectorConfig(path.name)
    parts = options.get("connector.class", "").split(".")
    if parts[:3] == ["io", "debezium", "connector"] and len(parts) > 3:
        found.connector = parts[3]
        if found.connector not in known.CONNECTORS:
            raise UserError(
                f"{path.name} has connector {found.connector}; supported: "
                f"{', '.join(known.CONNECTORS)}"
            )
    else:
        raise UserError(f"{path.name} is not the configuration of a Debezium connector")
    found.prefix = options.get("topic.prefix") or options.get("database.server.name", "")
    for setting in known.DEFAULTS:
        option = {"decimal_format": "value.converter.decimal.format"}.get(
            setting, setting.replace("_", ".")
        )
        if setting != "snapshot_select_statement_overrides" and option in options:
            value = _value(setting, options[option])
            allowed = known.ALLOWED[setting]
            if allowed and not isinstance(value, list) and value not in allowed:
                found.said.append(
                    f"check settings: {path.name} has {option} {options[option]}, which no "
                    f"contract knows; one of {', '.join(map(str, allowed))}"
                )
            else:
                found.settings[setting] = value
    if keys := options.get("message.key.columns"):
        found.said.append(
            f"check keys: {path.name} has message.key.columns {keys}; key is that of records, "
            "compare it with the primary key"
        )
    return found


def _json(path: Path, text: str) -> dict[str, str]:
    try:
        document = json.loads(text)
    except ValueError as error:
        raise UserError(f"{path.name} is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise UserError(f"{path.name} is not the configuration of a connector: not a JSON object")
    options = document.get("config") if isinstance(document.get("config"), dict) else document
    return {str(key): str(value) for key, value in options.items() if value is not None}


def _properties(text: str) -> dict[str, str]:
    lines = [line.strip() for line in text.splitlines()]
    pairs = [line.split("=", 1) for line in lines if "=" in line and line[:1] not in "#!"]
    return {name.strip(): value.strip() for name, value in pairs}


def _value(setting: str, text: str) -> Any:
    default = known.DEFAULTS[setting]
    if setting == "skipped_operations":
        return [] if text == "none" else [each.strip() for each in text.split(",")]
    if isinstance(default, bool):
        return text.lower() == "true"
    if isinstance(default, int):
        return int(text) if text.isdigit() else text
    allowed = known.ALLOWED[setting] or []
    return next((each for each in allowed if str(each).lower() == text.lower()), text)
