"""What the person should look at after contracts were made."""

from collections import Counter

from afterimage.scaffold.column import NOT_NULL, Column
from afterimage.scaffold.proven import Proof
from afterimage.scaffold.topic import Topic


def checks(topics: list[Topic], proofs: dict[str, Proof]) -> list[str]:
    """What the person should look at, by topic."""
    said = []
    for topic in topics:
        columns = topic.columns(proofs[topic.name].settings())
        guessed = [name for name, column in columns.items() if column.is_guess]
        remarked = [
            name
            for name, column in columns.items()
            if column.remark not in ("", NOT_NULL) and not column.is_guess
        ]
        if guessed:
            said.append(
                f"check {topic.name}: {len(guessed)} of {len(columns)} types are guesses, compare "
                f"them with the database: {', '.join(guessed)}"
            )
        if remarked:
            said.append(f"check {topic.name}: see the remarks on {', '.join(remarked)}")
        said += _foreign(topic, columns)
        if topic.key is None:
            said.append(f"check {topic.name}: no record has a key; is the table without one?")
        if topic.is_full:
            said.append(f"check {topic.name}: replica_identity full is a guess from its updates")
        if topic.unreadable:
            said.append(f"check {topic.name}: {topic.unreadable} records are no JSON object")
        lower = Counter(name.lower() for name in columns)
        said += [
            f"check {topic.name}: columns that differ in case only: {name}"
            for name, times in lower.items()
            if times > 1
        ]
    said += dict.fromkeys(line for proof in proofs.values() for line in proof.said)
    said += _of_rows([topic for topic in topics if topic.format == "unwrapped"])
    if any(not topic.declared for topic in topics):
        said.append(
            "check settings: without schema blocks decimal_handling_mode and the others cannot be "
            "seen; they stand at the connector's defaults"
        )
    return said


def _foreign(topic: Topic, columns: dict[str, Column]) -> list[str]:
    """Names of types that a converter of one's own gave: nobody here knows what they hold."""
    by_name: dict[str, list[str]] = {}
    for name, column in columns.items():
        if column.foreign:
            by_name.setdefault(column.foreign, []).append(name)
    return [
        f"check {topic.name}: type {foreign} of {', '.join(names)} is none of Debezium's, so the "
        "form of its values alone is declared"
        for foreign, names in by_name.items()
    ]


def _of_rows(topics: list[Topic]) -> list[str]:
    """What rows without envelopes leave open."""
    unseen = [topic.name for topic in topics if not topic.shows_deletes]
    said = [
        f"check {topic.name}: a delete is a record without a row, which has no "
        f"{', '.join(topic.places_lost)}; left out of add_fields, so that the offset orders all "
        "changes (add.headers would tell it of deletes too)"
        for topic in topics
        if topic.places_lost
    ]
    if unseen:
        said.append(
            f"check {', '.join(unseen)}: no delete is in the sample, so "
            "delete_tombstone_handling_mode is a guess"
        )
    return said
