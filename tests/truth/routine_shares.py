"""How many records of each capture the routine statement accepts: the table of decision 31.

python -m tests.truth.routine_shares     prints it
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.functional.capture_project import landing_records, table_contract
from tests.routine import contract_of, held
from tests.session import embedded_spark
from tests.truth.captures import captures


def rows(spark) -> Iterator[tuple]:
    """Capture, connector, form; records of tables, those that are routine, tables, and those with
    a marked record."""
    for name, capture in sorted(captures().items()):
        schemas = capture.schemas if capture.in_avro else None
        records = landing_records(capture.records)
        sums: Counter = Counter()
        for table in capture.former_spec.tables.values():
            declared = table_contract(capture.former_spec, table) | capture.former_spec.contract
            contract = contract_of(declared, table.name)
            told = held(spark, contract, records, schemas)
            mine = sum(record.get("topic") in contract["topics"] for record in records)
            routine = told.routine if told else 0
            sums.update(
                records=mine, routine=routine, tables=int(mine > 0), exact=int(routine < mine)
            )
        form = contract["format"] + (" in Avro" if capture.in_avro else "")
        values = [record["value"] for record in records if record["value"]]
        if not capture.in_avro and any(
            b'"schema"' in as_bytes(value)[:20] for value in values[:50]
        ):
            form += ", schema block"
        yield name, capture.former_spec.connector, form, sums


def as_bytes(value) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def main() -> None:
    spark = embedded_spark(Path(tempfile.mkdtemp()))
    print("| capture | connector | form | records | routine | exact statement planned for |")
    print("|---|---|---|---|---|---|")
    for name, connector, form, sums in rows(spark):
        share = f"{100 * sums['routine'] / max(sums['records'], 1):.1f} %"
        tables = f"{sums['exact']} of {sums['tables']} tables"
        print(
            f"| {name} | {connector} | {form} | {sums['records']:,} | {share} | {tables} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
