"""What a Kafka cluster says of its topics, asked by Kafka's own client in Spark's JVM."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from py4j.protocol import Py4JJavaError
from pyspark.errors import IllegalArgumentException
from pyspark.sql import SparkSession

from afterimage.errors import UserError

Place = tuple[str, int]  # topic and partition
ANSWERED_WITHIN = 15  # seconds
# Spark's source sets these itself and refuses them.
MANAGED = (
    *("key.deserializer", "value.deserializer", "auto.offset.reset", "enable.auto.commit"),
    "interceptor.classes",
)


class NoTopic(UserError):  # noqa: N818
    """No topic has the name that was asked for."""


@dataclass(frozen=True)
class Ends:
    """The offsets of a partition."""

    first: int  # of the oldest record that Kafka has
    next: int  # which the next record gets


def client_settings(spark: SparkSession, file: Path) -> dict[str, str]:
    """The settings of a properties file, as Kafka's own tools read it.

    Errors: UserError for a file that cannot be read, or that names the brokers.
    """
    java = spark._jvm.java
    read = java.util.Properties()
    try:
        stream = java.io.FileInputStream(str(file))
        try:
            read.load(stream)
        finally:
            stream.close()
    except Py4JJavaError as error:
        raise UserError(f"{file}: {error.java_exception.getMessage()}") from error
    settings = {name: read.getProperty(name) for name in read.stringPropertyNames()}
    if "bootstrap.servers" in settings:
        raise UserError(f"{file}: name the brokers by --brokers, and leave bootstrap.servers out")
    return {name: value for name, value in settings.items() if name not in MANAGED}


class Brokers:
    """The brokers of a cluster.

    In: a session with Kafka's client on its class path; `host:port`, several separated by commas;
    settings of the client.
    """

    def __init__(self, spark: SparkSession, addresses: str, settings: Mapping[str, str]) -> None:
        self.addresses = addresses
        self._jvm = spark._jvm
        self._settings = {"bootstrap.servers": addresses} | dict(settings)

    def topics(self, pattern: str) -> dict[Place, Ends]:
        """The partitions of the topics whose full name a regular expression matches.

        Errors: UserError for brokers that do not answer, and where no topic matches.
        """
        admin_package = self._jvm.org.apache.kafka.clients.admin
        settings = self._jvm.java.util.Properties()
        milliseconds = str(ANSWERED_WITHIN * 1000)
        limits = dict.fromkeys(("default.api.timeout.ms", "request.timeout.ms"), milliseconds)
        for name, value in (self._settings | limits).items():
            settings.setProperty(name, value)
        try:
            admin = admin_package.AdminClient.create(settings)
        except Py4JJavaError as error:
            raise UserError(f"--brokers {self.addresses}: {_message(error)}") from error
        try:
            matches = self._jvm.java.util.regex.Pattern.matches
            names = [name for name in admin.listTopics().names().get() if matches(pattern, name)]
            if not names:
                raise NoTopic(
                    f"{self.addresses} has no topic that {pattern} matches (a regular expression "
                    "of the full name)"
                )
            return self._partitions(admin, names)
        except IllegalArgumentException as error:
            fault = str(error).splitlines()[0]
            raise UserError(f"--topics {pattern}: no regular expression: {fault}") from error
        except Py4JJavaError as error:
            raise UserError(f"no broker of {self.addresses} answered: {_message(error)}") from error
        finally:
            admin.close()

    def _partitions(self, admin, names: list[str]) -> dict[Place, Ends]:
        java, common = self._jvm.java.util, self._jvm.org.apache.kafka.common
        spec = self._jvm.org.apache.kafka.clients.admin.OffsetSpec
        asked = java.ArrayList()
        for name in names:
            asked.add(name)
        places: list[Place] = []
        for described in admin.describeTopics(asked).allTopicNames().get().values():
            for partition in described.partitions():
                places.append((described.name(), partition.partition()))
        found: list[dict[Place, int]] = []
        for offset in (spec.earliest(), spec.latest()):
            of_partitions = java.HashMap()
            for place in places:
                of_partitions.put(common.TopicPartition(*place), offset)
            answer = admin.listOffsets(of_partitions)
            found.append(
                {
                    p: answer.partitionResult(common.TopicPartition(*p)).get().offset()
                    for p in places
                }
            )
        return {place: Ends(found[0][place], found[1][place]) for place in places}


def _message(error: Py4JJavaError) -> str:
    """The innermost message of a Java error."""
    cause = error.java_exception
    while cause.getCause() is not None:
        cause = cause.getCause()
    return cause.getMessage() or cause.toString()
