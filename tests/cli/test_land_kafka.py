"""`afterimage land kafka`: what its options give to the stream. tests/live reads a real broker."""

import signal

import pytest
from click.testing import CliRunner

from afterimage import session
from afterimage.cli import main
from afterimage.land import brokers, kafka

PROFILE = """
shop:
  target: here
  outputs:
    here: &here {type: spark, method: session, host: NA, schema: s}
    other: *here
"""
NEEDED = ("land", "kafka", "--brokers", "b:9092", "--topics", "shop[.].*", "--into", "raw.events")


@pytest.fixture
def given(tmp_path, monkeypatch):
    """What the command gives to the session, which changes the working directory, and to the
    stream."""
    (tmp_path / "dbt_project.yml").write_text("name: shop\nprofile: shop\n")
    (tmp_path / "profiles.yml").write_text(PROFILE)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    found = {}

    def start(target, jars):
        found.update(target=target, jars=jars)
        monkeypatch.chdir(tmp_path / "elsewhere")

    def settings(spark, file):
        return dict(line.split("=") for line in file.read_text().splitlines())

    def land(spark, *arguments, on_batch, **options):
        found.update(arguments=arguments, **options)
        on_batch(kafka.LandedFromKafka(landed=2))
        return kafka.LandedFromKafka(landed=3, topics=[kafka.Topic("shop.carts", 1, 3)])

    monkeypatch.setattr(session, "spark_session", start)
    monkeypatch.setattr(brokers, "client_settings", settings)
    monkeypatch.setattr(kafka, "land_topics", land)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    return found


def test_without_options(given, tmp_path):
    done = CliRunner().invoke(main, NEEDED)
    assert done.exit_code == 0, done.output
    assert given == {
        "target": None,
        "jars": ["kafka"],
        "arguments": ("b:9092", "shop[.].*", "raw.events"),
        "checkpoint": str(tmp_path / ".spark" / "checkpoints" / "here" / "raw.events"),
        "consumer": {},
        "file_format": "parquet",
        "follow": False,
    }
    assert done.stdout.splitlines() == [
        "shop.carts: partitions 1, offsets read 3, lag 0",
        "raw.events: landed 3, already there 0",
    ]


def test_with_every_option(given, tmp_path):
    (tmp_path / "client.properties").write_text("security.protocol=SSL\nclient.id=us\n")
    options = ("--checkpoint", "kept", "--consumer-config", "client.properties", "--follow")
    more = ("--file-format", "delta", "--target", "other")
    done = CliRunner().invoke(main, [*NEEDED, *options, *more])
    assert done.exit_code == 0, done.output
    assert given["target"] == "other" and given["file_format"] == "delta" and given["follow"]
    assert given["checkpoint"] == str(tmp_path / "kept")
    assert given["consumer"] == {"security.protocol": "SSL", "client.id": "us"}
    assert done.stdout.splitlines()[0] == "raw.events: landed 2, already there 0"


def test_a_checkpoint_in_a_store_and_one_for_each_target(given, tmp_path):
    CliRunner().invoke(main, [*NEEDED, "--checkpoint", "s3a://bucket/kept"])
    assert given["checkpoint"] == "s3a://bucket/kept"
    CliRunner().invoke(main, [*NEEDED, "--target", "other"])
    assert given["checkpoint"] == str(tmp_path / ".spark" / "checkpoints" / "other" / "raw.events")
