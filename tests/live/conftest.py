"""Lets the tests here import `tests.live`, however pytest was started; a Kafka for all of them."""

import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)


@pytest.fixture(scope="session")
def kafka_programs(tmp_path_factory):
    """The folder of Kafka's jars and Debezium's connector."""
    from tests.live import kafka

    if fault := kafka.missing():
        pytest.skip(fault)
    return kafka.fetched(tmp_path_factory.mktemp("kafka-programs"))
