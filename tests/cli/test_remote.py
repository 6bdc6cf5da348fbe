"""Landing on a cluster: rows are sent by Spark Connect, and readers over Thrift find them."""

import json
import subprocess

import pytest
from tests.docs.markdown import ROOT
from tests.server import free_port, served

pytestmark = [pytest.mark.spark, pytest.mark.thrift]


def test_land_and_schemas(tmp_path):
    port = free_port()
    schema = tmp_path / "shop-value.7.avsc"
    schema.write_text(json.dumps({"type": "record", "name": "row", "fields": []}))
    broken = tmp_path / "broken.jsonl"
    broken.write_text("no record\n")
    with served(tmp_path / "server", "local", 2, connect=port) as session:

        def said(*command: str) -> str:
            remote = ("--remote", f"sc://127.0.0.1:{port}")
            done = subprocess.run(
                ["afterimage", *map(str, command), *remote], capture_output=True, text=True
            )
            assert done.returncode == 0, done.stdout + done.stderr
            return done.stdout

        records = ROOT / "demo" / "shop.first.jsonl.gz"
        into = ("--into", "landing.events")
        assert "landed 666, already there 0, broken 1" in said(
            "land", "files", records, broken, *into
        )
        assert "landed 0, already there 666, broken 1" in said(
            "land", "files", records, broken, *into
        )
        found = session.sql(
            "select count(*) as rows, count(distinct topic, partition, offset) as places "
            "from landing.events"
        ).first()
        assert found == {"rows": 666, "places": 665}

        keep = ("schemas", schema, "--into", "landing.schemas")
        assert "1 schema read, 1 of them new" in said(*keep)
        assert "1 schema read, 0 of them new" in said(*keep)
        [row] = session.sql("select * from landing.schemas").collect()
        assert (row["id"], row["subject"]) == (7, "shop-value")
