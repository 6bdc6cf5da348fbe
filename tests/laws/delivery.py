"""What happens to records between the connector and the landing table: they land late, in any
order, in several deliveries, some twice."""

from random import Random


def deliveries(records: list[dict], random: Random, runs: int, in_order: bool) -> list[list[dict]]:
    """The records in `runs` deliveries. `in_order`: cut at random positions; else each record lands
    with any delivery, in any order. One in twenty lands twice."""
    parts: list[list[dict]] = [[] for _ in range(runs)]
    cuts = sorted(random.randint(0, len(records)) for _ in range(runs - 1))
    for place, record in enumerate(records):
        run = sum(cut <= place for cut in cuts) if in_order else random.randrange(runs)
        parts[run].append(record)
        if random.random() < 0.05:
            parts[random.randrange(run, runs)].append(record)
    if not in_order:
        for part in parts:
            random.shuffle(part)
    return parts
